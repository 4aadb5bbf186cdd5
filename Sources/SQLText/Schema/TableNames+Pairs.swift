import StrataManagedModel
import StrataRowStore

/// To-many relationships.
extension TableNames {
  /// The second column of a relationship that is its own inverse.
  static let reflexive = "REFLEXIVE"

  mutating func addStorages(of layout: EntityLayout) throws {
    for relationship in layout.ownToMany {
      guard let inverse = relationship.inverse else { continue }
      if inverse.isToMany {
        try addJoin(of: relationship, inverse: inverse)
      } else if case let owner = layouts[inverse.declarer - 1], let slot = owner.slot(named: inverse.name),
        let column = columns[owner.number][slot]
      {
        storages[ObjectIdentifier(relationship)] = .inverse(
          table: tableName(of: relationship.destination), column: column.name,
          order: relationship.isOrdered ? column.orderColumn : nil)
      }
    }
  }

  private mutating func addJoin(
    of relationship: RelationshipLayout, inverse: RelationshipLayout
  ) throws {
    guard !inverse.isTransient, namesTable(relationship, before: inverse) else { return }
    let isReflexive = relationship === inverse
    let candidates = [joinName(of: relationship), joinName(of: inverse)]
    let name = candidates.first(where: declared.contains) ?? candidates[0]
    let isSwapped = name != candidates[0]
    let ends = (joinPattern(of: relationship), joinPattern(of: inverse))
    let (own, other) = try declared.sides(
      of: name, own: ends.0, other: ends.1,
      expected: (joinColumn(of: relationship), isReflexive ? Self.reflexive : joinColumn(of: inverse)))
    let (isOrderedOwn, isOrderedOther) = (inverse.isOrdered && !isReflexive, relationship.isOrdered)
    let orderOfOwn =
      try isOrderedOwn ? places(of: own, ends.0, in: name, beside: isOrderedOther ? ends.1 : nil) : nil
    let orderOfOther =
      try isOrderedOther
      ? places(of: isReflexive ? own : other, ends.1, in: name, beside: isOrderedOwn ? ends.0 : nil) : nil
    keepJoin(
      of: relationship, inverse: inverse, table: dialect.name(name), own: dialect.name(own), other: dialect.name(other),
      orders: (orderOfOwn.map(dialect.name), orderOfOther.map(dialect.name)), isSwapped: isSwapped)
  }

  private mutating func keepJoin(
    of relationship: RelationshipLayout, inverse: RelationshipLayout, table: String, own: String,
    other: String, orders: (own: String?, other: String?), isSwapped: Bool
  ) {
    let columns = [orders.own, orders.other].compactMap { $0 }
    let sides = [relationship.declarer, inverse.declarer]
    joins.append(
      JoinTable(
        name: table, own: isSwapped ? other : own, other: isSwapped ? own : other,
        orders: isSwapped ? columns.reversed() : columns, owner: sides[isSwapped ? 1 : 0],
        destination: sides[isSwapped ? 0 : 1]))
    let isReflexive = relationship === inverse
    storages[ObjectIdentifier(relationship)] = .join(
      table: table, own: own, other: other, order: orders.other, isSymmetric: isReflexive)
    guard !isReflexive else { return }
    storages[ObjectIdentifier(inverse)] = .join(table: table, own: other, other: own, order: orders.own)
  }

  /// The column with the positions of the rows whose keys are in a column.
  private func places(
    of column: String, _ pattern: NamePattern, in table: String, beside other: NamePattern?
  ) throws -> String {
    let prefixed = { (keys: NamePattern) in
      NamePattern(head: DeclaredTables.placePrefix, number: keys.number, tail: keys.tail)
    }
    let expected = DeclaredTables.placePrefix + column.dropFirst(2)
    return try declared.order(of: table, pattern: prefixed(pattern), expected: expected, other: other.map(prefixed))
  }

  /// The name of the column with the owners' keys, except for a number at its end.
  private func joinPattern(of relationship: RelationshipLayout) -> NamePattern {
    let inverse = relationship.inverse ?? relationship
    return NamePattern(
      head: "Z_", number: numbers[relationship.declarer], tail: inverse.name.uppercased())
  }

  /// Whether the table is named after a relationship and not after its inverse: the one with the lower Z_ENT, or else
  /// the later name.
  private func namesTable(
    _ relationship: RelationshipLayout, before inverse: RelationshipLayout
  ) -> Bool {
    let own = numbers[relationship.declarer]
    let other = numbers[inverse.declarer]
    if own != other { return own < other }
    return !relationship.name.utf8.lexicographicallyPrecedes(inverse.name.utf8)
  }

  private func joinName(of relationship: RelationshipLayout) -> String {
    "Z_\(numbers[relationship.declarer])\(relationship.name.uppercased())"
  }

  /// The column with the owners' keys: named after the inverse, unique within the entity.
  private func joinColumn(of relationship: RelationshipLayout) -> String {
    let owner = layouts[relationship.declarer - 1]
    var usedNames: Set<String> = []
    for sibling in owner.ownToMany {
      guard let inverse = sibling.inverse, inverse.isToMany else { continue }
      let name = "Z_\(numbers[owner.number])\(inverse.name.uppercased())".numbered { usedNames.insert($0).inserted }
      if sibling === relationship { return name }
    }
    return "Z_\(numbers[owner.number])\(relationship.name.uppercased())"
  }
}
