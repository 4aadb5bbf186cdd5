import StrataManagedModel
import StrataRowStore

/// The migration of a hierarchy's table.
package struct TableChange: Sendable {
  /// The rows of one entity.
  package struct Rows: Sendable {
    /// Z_ENT before and after.
    package let before: Int
    package let after: Int
    /// By column of the new table; NULL for missing columns.
    package let values: [String: ColumnValue]
  }

  package let table: RootTable
  /// The table that the rows come from; nil for a new hierarchy.
  package let origin: RootTable?
  package let rows: [Rows]
  /// The Z_ENTs of entities that left this hierarchy.
  package let gone: [Int]
  /// Old columns by new ones with the same values; nil if the rows must be copied.
  package let moves: [String: String]?

  /// Whether the table keeps its rows, perhaps with different columns.
  package var isInPlace: Bool { origin != nil && moves != nil }

  /// Whether nothing about the table changes.
  package var isKept: Bool {
    guard let origin, let moves, origin.name == table.name, origin.columns.count == table.columns.count else {
      return false
    }
    return moves.count == table.columns.count && moves.allSatisfy { $0.key == $0.value } && isRowsKept
  }

  private var isRowsKept: Bool {
    gone.isEmpty
      && rows.allSatisfy { $0.before == $0.after && $0.values.allSatisfy { $0.value.plainColumn != nil } }
  }

  /// - Parameter mustCopy: whether the engine cannot alter an old table.
  static func all(of origins: MigrationOrigins, mustCopy: (RootTable) -> Bool) -> [TableChange] {
    let roots = origins.destination.tables.map { table in
      Set(table.family.compactMap { origins.layout(before: $0)?.rootNumber })
    }
    return zip(origins.destination.tables, roots).map { table, own in
      let root = own.first
      let isSplit = roots.filter { $0.contains(root ?? 0) }.count > 1
      let old = origins.source.tables.first { $0.root.number == root }
      return TableChange(table, from: old, origins: origins, mustCopy: isSplit || (old.map(mustCopy) ?? false))
    }
  }

  private init(_ table: RootTable, from origin: RootTable?, origins: MigrationOrigins, mustCopy: Bool) {
    self.table = table
    self.origin = origin
    rows = table.family.compactMap { layout in
      origins.layout(before: layout).map { before in
        Rows(
          before: origins.source.storedNumber(of: before.number),
          after: origins.destination.storedNumber(of: layout.number), values: Self.values(of: layout, from: origins))
      }
    }
    let stay = Set(rows.map(\.before))
    gone = (origin?.family ?? []).map { origins.source.storedNumber(of: $0.number) }.filter { !stay.contains($0) }
    moves = mustCopy ? nil : Self.moves(of: rows, to: table, from: origin, origins: origins)
  }

  private static func values(of layout: EntityLayout, from origins: MigrationOrigins) -> [String: ColumnValue] {
    var values: [String: ColumnValue] = [:]
    let columns = origins.destination.table(of: layout).columns
    for (slot, column) in columns.enumerated() {
      guard let column else { continue }
      let value = origins.value(of: slot, in: layout)
      values[column.name] = value
      guard let old = value.columnName, let before = origins.layout(before: layout) else { continue }
      let past = origins.source.table(of: before).columns.first { $0?.name == old } ?? nil
      if let entity = column.entityColumn { values[entity] = past?.entityColumn.map(Self.plain) }
      if let order = column.orderColumn { values[order] = past?.orderColumn.map(Self.plain) }
    }
    return values
  }

  private static func plain(_ name: String) -> ColumnValue {
    .column(name, ifNull: .null, .integer64, marksInline: false)
  }

  /// Old columns by new ones; nil if ALTER TABLE cannot express the difference.
  private static func moves(
    of rows: [Rows], to table: RootTable, from origin: RootTable?, origins: MigrationOrigins
  ) -> [String: String]? {
    guard let origin else { return nil }
    var moves: [String: String] = [:]
    for column in table.columns {
      let names = Set(rows.map { $0.values[column.name]?.columnName }.filter { $0 != nil })
      guard names.count <= 1 else { return nil }
      if let name = names.first ?? nil { moves[column.name] = name }
    }
    moves.merge(origins.ownerlessMoves(of: table)) { own, _ in own }
    let known = Set(origin.columns.map(\.name))
    let tables = Set(origins.source.tables.map(\.name))
    let isClear =
      Set(moves.values).count == moves.count
      && table.columns.allSatisfy { moves[$0.name] == $0.name || !known.contains($0.name) }
      && (table.name == origin.name || !tables.contains(table.name))
      && table.columns.allSatisfy { column in
        moves[column.name].map { old in origin.columns.contains { $0.name == old && $0.type == column.type } } ?? true
      }
    return isClear ? moves : nil
  }
}

extension MigrationOrigins {
  /// Columns of relationships without an inverse that keep their values.
  fileprivate func ownerlessMoves(of table: RootTable) -> [String: String] {
    var moves: [String: String] = [:]
    for layout in destination.layouts {
      for (number, property) in layout.toMany.enumerated() {
        guard case .ownerless(table.name, let column, let order)? = destination.table(of: layout).toMany[number] else {
          continue
        }
        let past = pairs(of: property.relationship)
        guard past.count == 1, past[0].other == destination.rowColumns.key else { continue }
        moves[column] = past[0].own
        if let order, let old = past[0].order { moves[order] = old }
      }
    }
    return moves
  }
}
