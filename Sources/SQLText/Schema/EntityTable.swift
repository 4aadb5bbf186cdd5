import StrataManagedModel

/// The storage of one entity's objects: a table that its whole hierarchy shares. All names are spelled as in
/// statements.
package struct EntityTable: Sendable {
  /// `ZBOOK`, named for the root of the hierarchy.
  package let name: String
  /// By slot; nil for a slot that is not stored.
  package let columns: [SlotColumn?]
  /// By number of the to-many relationship; nil for one that is not stored.
  package let toMany: [ToManyStorage?]
  /// The Z_ENT of the entity's own rows.
  package let number: Int
  /// The Z_ENT of the root, under which the keys of the table are counted.
  package let rootNumber: Int
}

extension EntityTable {
  /// A column that a statement writes.
  package struct Written {
    package let name: String
    /// The parameter that is written to it.
    package let parameter: RowParameter
    /// The column of the position among the siblings, which goes with it.
    package let order: String?
  }

  /// The columns that are written of new rows or, with `slots`, of changed ones: all but derived ones.
  /// - Parameter slots: bits, slot 0 the lowest of the first word. Slots that are not stored are left out.
  package func written(slots: [UInt64]? = nil) -> [Written] {
    columns.enumerated().flatMap { slot, column -> [Written] in
      guard let column, !column.isDerived else { return [] }
      if let slots {
        guard slots.indices.contains(slot >> 6), slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { return [] }
      }
      let own = Written(name: column.name, parameter: .slot(slot), order: column.orderColumn)
      return [own] + (column.entityColumn.map { [Written(name: $0, parameter: .slotEntity(slot), order: nil)] } ?? [])
    }
  }
}

/// The column of an attribute or to-one relationship.
package struct SlotColumn: Hashable, Sendable {
  /// `ZTITLE`.
  package internal(set) var name: String
  package let kind: SlotKind
  /// The declared type.
  package let type: String
  /// The column of a to-one relationship's actual Z_ENT, where the destination has sub-entities: `Z1_BOOK`.
  package internal(set) var entityColumn: String?
  /// The column of the position among the siblings, where the inverse is ordered: `Z_FOK_PARENT`.
  package internal(set) var orderColumn: String?
  /// The number in the model of a to-one relationship's destination; 0 for attributes.
  package let destination: Int
  /// Whether the bytes start with one that says where they are: 1 here, 2 in the file whose name follows.
  package let isExternal: Bool
  /// Whether the value is derived, so that only triggers write it.
  package let isDerived: Bool

  /// - Parameter names: the file's names by those that the rules give.
  mutating func rename(_ names: [String: String]) {
    name = names[name] ?? name
    entityColumn = entityColumn.map { names[$0] ?? $0 }
    orderColumn = orderColumn.map { names[$0] ?? $0 }
  }
}

/// The storage of the members of a to-many relationship.
package enum ToManyStorage: Hashable, Sendable {
  /// By the column of the to-one inverse.
  case inverse(table: String, column: String, order: String?)
  /// By a column of its own in the destination's table, without an inverse.
  case ownerless(table: String, column: String, order: String?)
  /// By pairs in a table of their own. `order` is the position of `other` among the members of `own`. A relationship that
  /// is its own inverse is symmetric: each pair counts in both directions.
  case join(table: String, own: String, other: String, order: String?, isSymmetric: Bool = false)

  /// Whether the relationship is its own inverse.
  package var isSymmetric: Bool {
    if case .join(_, _, _, _, let isSymmetric) = self { isSymmetric } else { false }
  }

  /// The pairs of a symmetric relationship in both directions, as a query in brackets; nil for another.
  var pairs: String? {
    guard case .join(let table, let own, let other, _, true) = self else { return nil }
    return "(SELECT \(own), \(other) FROM \(table) UNION SELECT \(other), \(own) FROM \(table))"
  }

  /// The column of the members' positions; nil without an order.
  package var order: String? {
    switch self {
    case .inverse(_, _, let order), .ownerless(_, _, let order), .join(_, _, _, let order, _): order
    }
  }
}
