import StrataManagedModel
import StrataRowStore

/// Gives every table and column its name. The rules are those of stores that Apple's framework wrote; what a file calls
/// otherwise has the file's name.
struct TableNames {
  private(set) var roots: [RootTable] = []
  private(set) var joins: [JoinTable] = []

  private let layouts: [EntityLayout]
  private let numbers: [Int]
  private let declared: DeclaredTables
  /// By the number of the root in the model.
  private var tableNames: [Int: String] = [:]

  /// The columns by the description of the entity's property, and by the path of an element within a composite attribute:
  /// several attributes may have the same elements. Both are keys of the standard library's own, as Swift looks through
  /// every conformance of the program before it hashes one of another type for the first time.
  private var columns: [ObjectIdentifier: [String: SlotColumn]] = [:]
  private var storages: [ObjectIdentifier: ToManyStorage] = [:]

  /// - Parameter numbers: Z_ENT by number in the model.
  /// - Parameter declared: the file's tables; none of a store that is to be made.
  init(layouts: [EntityLayout], numbers: [Int], declared: DeclaredTables) throws {
    self.layouts = layouts
    self.numbers = numbers
    self.declared = declared
    nameTables()
    for root in layouts where root.number == root.rootNumber { try addTable(of: root) }
    for layout in layouts { try addStorages(of: layout) }
  }

  /// Where an entity's rows are stored.
  func entityTable(of layout: EntityLayout) -> EntityTable {
    EntityTable(
      name: tableName(of: layout),
      columns: layout.slots.map { column(of: $0) },
      toMany: layout.toMany.map { storages[ObjectIdentifier($0.relationship)] },
      number: numbers[layout.number], rootNumber: numbers[layout.rootNumber])
  }

  private func column(of slot: PropertySlot) -> SlotColumn? { columns[ObjectIdentifier(slot.owner)]?[slot.name] }

  private func tableName(of layout: EntityLayout) -> String { tableNames[layout.rootNumber] ?? "" }

  /// Entities whose names differ in case alone get numbers behind them. A table may still have the name that its entity
  /// had in an older version of the model.
  private mutating func nameTables() {
    let roots = layouts.filter { $0.number == $0.rootNumber }.sorted { numbers[$0.number] < numbers[$1.number] }
    var taken: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    for root in roots { tableNames[root.number] = Self.unique("Z" + root.name.uppercased(), &taken) }
    guard !declared.isEmpty else { return }
    for root in roots where !declared.contains(tableName(of: root)) {
      let oldName = "Z" + (root.entity.renamingIdentifier ?? root.name).uppercased()
      if declared.contains(oldName), taken.insert(oldName).inserted { tableNames[root.number] = oldName }
    }
  }
}

/// Tables of entities.
extension TableNames {
  private mutating func addTable(of root: EntityLayout) throws {
    let family = layouts.filter { $0.rootNumber == root.number }.sorted { numbers[$0.number] < numbers[$1.number] }
    var table = RootTable(root: root, family: family, name: tableName(of: root))
    var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    for layout in family {
      for slot in layout.storedSlots { try addColumn(of: slot, in: layout, &taken) }
    }
    var groups = [[RootTable.Column]](repeating: [], count: ColumnGroup.allCases.count)
    for layout in family {
      addLeadingColumns(of: layout, to: &table)
      addOwnerlessColumns(to: layout, in: &table, &taken, &groups)
      addGroups(of: layout, to: &groups)
    }
    table.columns += groups.flatMap { $0 }
    try takeNames(of: &table)
    roots.append(table)
  }

  /// Gives the columns of a table the names that they have in the file.
  private mutating func takeNames(of table: inout RootTable) throws {
    let names = try declared.renamed(table.columns, of: table.name)
    guard !names.isEmpty else { return }
    table.columns = table.columns.map { .init(names[$0.name] ?? $0.name, $0.type, $0.pattern) }
    table.references = table.references.map { names[$0] ?? $0 }
    for slot in table.family.flatMap(\.storedSlots) {
      columns[ObjectIdentifier(slot.owner)]?[slot.name]?.rename(names)
    }
    for (relationship, storage) in storages {
      guard case .ownerless(table.name, let column, let order) = storage else { continue }
      storages[relationship] = .ownerless(
        table: table.name, column: names[column] ?? column, order: order.map { names[$0] ?? $0 })
    }
  }

  private mutating func addColumn(
    of slot: PropertySlot, in layout: EntityLayout, _ taken: inout Set<String>
  ) throws {
    let (property, kind) = (slot.property, slot.kind)
    guard let type = kind.columnType else {
      throw StoreError(
        .incompatibleModel,
        "'\(layout.name).\(slot.name)' has a type that no column can hold: make it transient or transformable.")
    }
    let relationship = property as? NSRelationshipDescription
    let suffix = Self.suffix(of: slot)
    let destination = relationship?.destinationEntity
    let name = Self.unique("Z" + suffix, &taken)
    columns[ObjectIdentifier(slot.owner), default: [:]][slot.name] = SlotColumn(
      name: name, kind: kind, type: type,
      entityColumn: destination.flatMap {
        $0.subentities.isEmpty ? nil : Self.unique("Z\(numbers[$0.layout.number])_\(suffix)", &taken)
      },
      orderColumn: relationship?.inverseRelationship.flatMap {
        $0.isToMany && $0.isOrdered ? Self.unique("Z_FOK_\(suffix)", &taken) : nil
      },
      destination: destination?.layout.number ?? 0,
      isExternal: (property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage ?? false,
      isDerived: (property as? NSDerivedAttributeDescription)?.derivation != nil)
  }

  /// What the name of a slot's column ends with.
  ///
  /// An element of a composite attribute counts by its own name, as in tables that Apple's framework made of Swift's
  /// structures: `ZRICHTER`, not `ZMAGNITUDE_RICHTER`; and where several have one, a number tells them apart, as it does the
  /// properties of sub-entities. That those numbers go by the names of the composite attributes is a guess.
  private static func suffix(of slot: PropertySlot) -> String { slot.property.name.uppercased() }

  /// Whole numbers, then to-one relationships.
  private func addLeadingColumns(of layout: EntityLayout, to table: inout RootTable) {
    let columns = layout.storedSlots.compactMap { slot in column(of: slot).map { (Self.suffix(of: slot), $0) } }
    for (suffix, column) in columns where column.type == "INTEGER" && column.kind != .toOne {
      table.columns.append(.init(column.name, column.type, NamePattern(head: "Z", tail: suffix)))
    }
    for (suffix, column) in columns where column.kind == .toOne {
      table.columns.append(.init(column.name, column.type, NamePattern(head: "Z", tail: suffix)))
      table.references.append(column.name)
      guard let entity = column.entityColumn else { continue }
      table.columns.append(
        .init(entity, "INTEGER", NamePattern(head: "Z", number: numbers[column.destination], tail: "_" + suffix)))
    }
  }

  private func addGroups(of layout: EntityLayout, to groups: inout [[RootTable.Column]]) {
    for slot in layout.storedSlots {
      guard let column = column(of: slot) else { continue }
      let suffix = Self.suffix(of: slot)
      if let order = column.orderColumn {
        groups[ColumnGroup.order.rawValue].append(.init(order, "INTEGER", NamePattern(head: "Z_FOK_", tail: suffix)))
      }
      guard let group = ColumnGroup(column.kind) else { continue }
      groups[group.rawValue].append(.init(column.name, column.type, NamePattern(head: "Z", tail: suffix)))
    }
  }

  /// The columns of to-many relationships that lead to an entity and have no inverse.
  private mutating func addOwnerlessColumns(
    to destination: EntityLayout, in table: inout RootTable, _ taken: inout Set<String>,
    _ groups: inout [[RootTable.Column]]
  ) {
    for owner in layouts.sorted(by: { numbers[$0.number] < numbers[$1.number] }) {
      for relationship in owner.ownToMany
      where relationship.inverseRelationship == nil && relationship.destinationEntity === destination.entity {
        let pattern = NamePattern(head: "Z", number: numbers[owner.number], tail: relationship.name.uppercased())
        let places = NamePattern(head: "Z_FOK_", number: pattern.number, tail: pattern.tail)
        let column = Self.unique(pattern.name, &taken)
        let order = relationship.isOrdered ? Self.unique(places.name, &taken) : nil
        table.columns.append(.init(column, "INTEGER", pattern))
        table.references.append(column)
        if let order { groups[ColumnGroup.order.rawValue].append(.init(order, "INTEGER", places)) }
        storages[ObjectIdentifier(relationship)] = .ownerless(table: table.name, column: column, order: order)
      }
    }
  }

  static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var counter = 0
    while !taken.insert(candidate).inserted {
      counter += 1
      candidate = "\(name)\(counter)"
    }
    return candidate
  }
}

/// To-many relationships.
extension TableNames {
  private mutating func addStorages(of layout: EntityLayout) throws {
    for relationship in layout.ownToMany {
      guard let inverse = relationship.inverseRelationship, let destination = relationship.destinationEntity else {
        continue
      }
      if inverse.isToMany {
        try addJoin(of: relationship, inverse)
      } else if let column = columns[ObjectIdentifier(inverse)]?[inverse.name] {
        storages[ObjectIdentifier(relationship)] = .inverse(
          table: tableName(of: destination.layout), column: column.name,
          order: relationship.isOrdered ? column.orderColumn : nil)
      }
    }
  }

  private mutating func addJoin(
    of relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription
  ) throws {
    guard !inverse.isTransient, Self.names(relationship, before: inverse, numbers) else { return }
    let isReflexive = relationship === inverse
    let candidates = [joinName(of: relationship), joinName(of: inverse)]
    let name = candidates.first(where: declared.contains) ?? candidates[0]
    let isSwapped = name != candidates[0]
    let ends = (joinPattern(of: relationship), joinPattern(of: inverse))
    let (own, other) = try declared.sides(
      of: name, own: ends.0, other: ends.1,
      (joinColumn(of: relationship), isReflexive ? ToManyStorage.reflexive : joinColumn(of: inverse)))
    let (isOrderedOwn, isOrderedOther) = (inverse.isOrdered && !isReflexive, relationship.isOrdered)
    let orderOfOwn =
      try isOrderedOwn ? order(in: name, own, ends.0, beside: isOrderedOther ? ends.1 : nil) : nil
    let orderOfOther =
      try isOrderedOther ? order(in: name, isReflexive ? own : other, ends.1, beside: isOrderedOwn ? ends.0 : nil) : nil
    let orders = [orderOfOwn, orderOfOther].compactMap { $0 }
    let sides = [relationship.entity.layout.number, inverse.entity.layout.number]
    joins.append(
      JoinTable(
        name: name, own: isSwapped ? other : own, other: isSwapped ? own : other,
        orders: isSwapped ? orders.reversed() : orders, owner: sides[isSwapped ? 1 : 0],
        destination: sides[isSwapped ? 0 : 1]))
    storages[ObjectIdentifier(relationship)] = .join(table: name, own: own, other: other, order: orderOfOther)
    guard !isReflexive else { return }
    storages[ObjectIdentifier(inverse)] = .join(table: name, own: other, other: own, order: orderOfOwn)
  }

  private func order(
    in table: String, _ column: String, _ pattern: NamePattern, beside other: NamePattern?
  ) throws -> String {
    let places = { (pattern: NamePattern) in
      NamePattern(head: DeclaredTables.placePrefix, number: pattern.number, tail: pattern.tail)
    }
    let expected = DeclaredTables.placePrefix + column.dropFirst(2)
    return try declared.order(of: table, places(pattern), expected, other: other.map(places))
  }

  /// What the column with the keys of a relationship's owners is called but for a number behind it.
  private func joinPattern(of relationship: NSRelationshipDescription) -> NamePattern {
    let inverse = relationship.inverseRelationship ?? relationship
    return NamePattern(
      head: "Z_", number: numbers[relationship.entity.layout.number], tail: inverse.name.uppercased())
  }

  /// Whether the table is named for a relationship and not for its inverse: the lower Z_ENT, else the later name.
  private static func names(
    _ relationship: NSRelationshipDescription, before inverse: NSRelationshipDescription, _ numbers: [Int]
  ) -> Bool {
    let own = numbers[relationship.entity.layout.number]
    let other = numbers[inverse.entity.layout.number]
    if own != other { return own < other }
    return !relationship.name.utf8.lexicographicallyPrecedes(inverse.name.utf8)
  }

  private func joinName(of relationship: NSRelationshipDescription) -> String {
    "Z_\(numbers[relationship.entity.layout.number])\(relationship.name.uppercased())"
  }

  /// The column with the keys of a relationship's owners: named for the inverse, unique among those of its entity.
  private func joinColumn(of relationship: NSRelationshipDescription) -> String {
    let owner = relationship.entity.layout!
    var taken: Set<String> = []
    for sibling in owner.ownToMany {
      guard let inverse = sibling.inverseRelationship, inverse.isToMany else { continue }
      let name = Self.unique("Z_\(numbers[owner.number])\(inverse.name.uppercased())", &taken)
      if sibling === relationship { return name }
    }
    return "Z_\(numbers[owner.number])\(relationship.name.uppercased())"
  }
}

extension EntityLayout {
  /// The entity's own attributes and to-one relationships that have a column, by name.
  fileprivate var storedSlots: [PropertySlot] {
    slots.filter { $0.owner.declaringEntity === entity && !$0.isTransient }
  }

  /// The entity's own to-many relationships that are stored, by name.
  fileprivate var ownToMany: [NSRelationshipDescription] {
    toMany.map(\.relationship).filter { $0.declaringEntity === entity && !$0.isTransient }
  }
}
