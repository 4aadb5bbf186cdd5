import StrataManagedModel
import StrataRowStore

/// Names every table and column by the rules of Apple's framework. Where a file has other names, the file's are taken.
struct TableNames {
  private(set) var roots: [RootTable] = []
  var joins: [JoinTable] = []

  /// By number, which starts at 1.
  let layouts: [EntityLayout]
  /// The roots of the hierarchies that have a table, by number.
  private let held: [Bool]
  let numbers: [Int]
  let declared: DeclaredTables
  let dialect: any SQLDialect
  /// By number of the root.
  private var tableNames: [Int: String] = [:]

  /// By the entity's number in the model, and by slot.
  private(set) var columns: [[SlotColumn?]]
  /// The key is a type of the standard library: for others, Swift searches all conformances of the program before their
  /// first hash.
  var storages: [ObjectIdentifier: ToManyStorage] = [:]

  /// - Parameters:
  ///   - held: the entities that the store holds; the others' hierarchies get a name, but no columns.
  ///   - numbers: Z_ENT by number in the model.
  ///   - declared: the file's tables; empty for a new store.
  init(
    layouts: [EntityLayout], held: [EntityLayout], numbers: [Int], declared: DeclaredTables, dialect: any SQLDialect
  ) throws {
    self.layouts = layouts
    var roots = [Bool](repeating: false, count: layouts.count + 1)
    for layout in held { roots[layout.rootNumber] = true }
    self.held = roots
    self.numbers = numbers
    self.declared = declared
    self.dialect = dialect
    columns = [[]] + layouts.map { [SlotColumn?](repeating: nil, count: $0.slots.count) }
    nameTables()
    for root in layouts where root.number == root.rootNumber && self.held[root.number] { try addTable(of: root) }
    for layout in layouts { try addStorages(of: layout) }
  }

  func entityTable(of layout: EntityLayout) -> EntityTable {
    EntityTable(
      name: tableName(of: layout), columns: columns[layout.number],
      toMany: layout.toMany.map { storages[ObjectIdentifier($0.relationship)] },
      number: numbers[layout.number], rootNumber: numbers[layout.rootNumber])
  }

  func tableName(of layout: EntityLayout) -> String { tableNames[layout.rootNumber] ?? "" }

  /// Entities whose names differ only in case get numbers. A table may still have the name that its entity had in an
  /// older version of the model.
  private mutating func nameTables() {
    let roots = layouts.filter { $0.number == $0.rootNumber }.sorted { numbers[$0.number] < numbers[$1.number] }
    var usedNames = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].map(dialect.name))
    for root in roots {
      tableNames[root.number] = dialect.uniqueName("Z" + root.name.uppercased(), among: &usedNames)
    }
    guard !declared.isEmpty else { return }
    for root in roots where !declared.contains(tableName(of: root).unquoted) {
      let oldName = "Z" + (root.renamingIdentifier ?? root.name).uppercased()
      let name = dialect.name(oldName)
      if declared.contains(oldName), usedNames.insert(name).inserted { tableNames[root.number] = name }
    }
  }
}

/// Tables of entities.
extension TableNames {
  private mutating func addTable(of root: EntityLayout) throws {
    let family = layouts.filter { $0.rootNumber == root.number }.sorted { numbers[$0.number] < numbers[$1.number] }
    var table = RootTable(root: root, family: family, name: tableName(of: root))
    var usedNames = Set(RowColumns(dialect).names)
    var named: [[NamedColumn]] = []
    for layout in family {
      named.append(try layout.storedSlots.map { try addColumn(of: $0, in: layout, usedNames: &usedNames) })
    }
    var groups = [[RootTable.Column]](repeating: [], count: ColumnGroup.allCases.count)
    for (layout, columns) in zip(family, named) {
      addLeading(columns, to: &table)
      addOwnerlessColumns(to: layout, in: &table, usedNames: &usedNames, groups: &groups)
      addGroups(columns, to: &groups)
    }
    table.columns += groups.flatMap { $0 }
    try takeNames(of: &table)
    roots.append(table)
    for layout in layouts where layout.rootNumber == root.number { inheritColumns(layout) }
  }

  /// A subentity's slots begin with its superentity's, which comes before it among the layouts.
  private mutating func inheritColumns(_ layout: EntityLayout) {
    guard let parent = layout.parent else { return }
    let inherited = columns[parent.number]
    columns[layout.number].replaceSubrange(inherited.indices, with: inherited)
  }

  /// Renames the columns of a table to the file's names.
  private mutating func takeNames(of table: inout RootTable) throws {
    let names = try declared.renamed(table.columns, of: table.name.unquoted).mapValues(dialect.name)
    guard !names.isEmpty else { return }
    table.columns = table.columns.map { .init(names[$0.name] ?? $0.name, type: $0.type, pattern: $0.pattern) }
    table.references = table.references.map { names[$0] ?? $0 }
    for layout in table.family { for slot in layout.storedSlots { columns[layout.number][slot]?.rename(names) } }
    for (relationship, storage) in storages {
      guard case .ownerless(table.name, let column, let order) = storage else { continue }
      storages[relationship] = .ownerless(
        table: table.name, column: names[column] ?? column, order: order.map { names[$0] ?? $0 })
    }
  }

  /// The column of a slot, and the end of its name.
  private struct NamedColumn {
    var column: SlotColumn
    var suffix: String
  }

  private mutating func addColumn(
    of number: Int, in layout: EntityLayout, usedNames: inout Set<String>
  ) throws -> NamedColumn {
    let slot = layout.slots[number]
    guard let type = dialect.columnType(slot.kind) else {
      throw StoreError(
        .incompatibleModel,
        "'\(layout.name).\(slot.name)' has a type that no column can hold: make it transient or transformable.")
    }
    let suffix = Self.suffix(of: slot)
    let destination = slot.relationship?.destination
    let name = dialect.uniqueName("Z" + suffix, among: &usedNames)
    let column = SlotColumn(
      name: name, kind: slot.kind, type: type,
      entityColumn: destination.flatMap {
        $0.hasDescendants ? dialect.uniqueName("Z\(numbers[$0.number])_\(suffix)", among: &usedNames) : nil
      },
      orderColumn: slot.relationship?.inverse.flatMap {
        $0.isToMany && $0.isOrdered ? dialect.uniqueName("Z_FOK_\(suffix)", among: &usedNames) : nil
      },
      destination: destination?.number ?? 0,
      isExternal: dialect.hasDataFiles && slot.attribute?.allowsExternalStorage == true,
      isDerived: slot.attribute?.derivation != nil)
    columns[layout.number][number] = column
    return NamedColumn(column: column, suffix: suffix)
  }

  /// The end of the name of a slot's column.
  ///
  /// An element of a composite attribute has only its own name, as in tables that Apple's framework makes of Swift
  /// structs: `ZRICHTER`, not `ZMAGNITUDE_RICHTER`. Elements of the same name are numbered, as the properties of
  /// sub-entities are; that the numbers follow the names of the composite attributes is a guess.
  private static func suffix(of slot: PropertySlot) -> String { (slot.attribute?.name ?? slot.name).uppercased() }

  /// Integers, then to-one relationships.
  private func addLeading(_ columns: [NamedColumn], to table: inout RootTable) {
    for named in columns where ColumnGroup(named.column.kind) == nil && named.column.kind != .toOne {
      table.columns.append(
        .init(named.column.name, type: named.column.type, pattern: NamePattern(head: "Z", tail: named.suffix)))
    }
    for named in columns where named.column.kind == .toOne {
      let (column, suffix) = (named.column, named.suffix)
      table.columns.append(.init(column.name, type: column.type, pattern: NamePattern(head: "Z", tail: suffix)))
      table.references.append(column.name)
      guard let entity = column.entityColumn else { continue }
      table.columns.append(
        .init(
          entity, type: columnType(.integer32),
          pattern: NamePattern(head: "Z", number: numbers[column.destination], tail: "_" + suffix)))
    }
  }

  private func addGroups(_ columns: [NamedColumn], to groups: inout [[RootTable.Column]]) {
    for named in columns {
      let (column, suffix) = (named.column, named.suffix)
      if let order = column.orderColumn {
        groups[ColumnGroup.order.rawValue].append(
          .init(order, type: columnType(.integer32), pattern: NamePattern(head: "Z_FOK_", tail: suffix)))
      }
      guard let group = ColumnGroup(column.kind) else { continue }
      groups[group.rawValue].append(
        .init(column.name, type: column.type, pattern: NamePattern(head: "Z", tail: suffix)))
    }
  }

  /// The columns of to-many relationships that lead to an entity and have no inverse.
  private mutating func addOwnerlessColumns(
    to destination: EntityLayout, in table: inout RootTable, usedNames: inout Set<String>,
    groups: inout [[RootTable.Column]]
  ) {
    for owner in layouts.sorted(by: { numbers[$0.number] < numbers[$1.number] }) {
      for relationship in owner.ownToMany
      where relationship.inverse == nil && relationship.destination === destination {
        let pattern = NamePattern(head: "Z", number: numbers[owner.number], tail: relationship.name.uppercased())
        let orderPattern = NamePattern(head: "Z_FOK_", number: pattern.number, tail: pattern.tail)
        let column = dialect.uniqueName(pattern.name, among: &usedNames)
        let order = relationship.isOrdered ? dialect.uniqueName(orderPattern.name, among: &usedNames) : nil
        table.columns.append(.init(column, type: columnType(.toOne), pattern: pattern))
        table.references.append(column)
        if let order {
          groups[ColumnGroup.order.rawValue].append(.init(order, type: columnType(.integer32), pattern: orderPattern))
        }
        storages[ObjectIdentifier(relationship)] = .ownerless(table: table.name, column: column, order: order)
      }
    }
  }

  /// The type of integers and keys, which every engine has.
  private func columnType(_ kind: SlotKind) -> String { dialect.columnType(kind) ?? "" }
}

extension EntityLayout {
  /// The slots of the stored attributes and to-one relationships that the entity declares itself.
  fileprivate var storedSlots: [Int] {
    slots.indices.filter { declares(slots[$0]) && !slots[$0].isTransient }
  }

  /// The stored to-many relationships that the entity declares itself, by name.
  var ownToMany: [RelationshipLayout] {
    toMany.map(\.relationship).filter { declares($0) && !$0.isTransient }
  }
}
