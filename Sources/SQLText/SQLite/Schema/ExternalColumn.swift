import StrataManagedModel

/// A column whose data may be in files next to the store.
package struct ExternalColumn: Hashable, Sendable {
  let table: String
  let name: String

  /// Triggers for the connection that writes. They call `STRATA_FILE(value, isReferenced)` for each value that stands
  /// for a file and that a row got or lost.
  package var triggers: [String] {
    let events: [(event: String, rows: [(name: String, isReferenced: Int)])] = [
      ("INSERT", [("NEW", 1)]), ("UPDATE OF \(name)", [("OLD", 0), ("NEW", 1)]), ("DELETE", [("OLD", 0)]),
    ]
    return events.map { event, rows in
      let tests = rows.map { "substr(\($0.name).\(name), 1, 1) = x'02'" }.joined(separator: " OR ")
      let calls = rows.map { "SELECT STRATA_FILE(\($0.name).\(name), \($0.isReferenced)); " }.joined()
      let title = SQLiteDialect.sqlite.identifier(joining: table, name, String(event.prefix(6)))
      return "CREATE TEMP TRIGGER \(title) AFTER \(event) ON main.\(table) FOR EACH ROW WHEN \(tests) BEGIN \(calls)END"
    }
  }

  /// Selects all values that stand for files.
  package var references: String { "SELECT \(name) FROM \(table) WHERE substr(\(name), 1, 1) = x'02'" }
}

extension StoreSchema {
  /// The columns whose data may be in files.
  package var externalColumns: [ExternalColumn] {
    var known: Set<ExternalColumn> = []
    return layouts.flatMap { layout in
      table(of: layout).columns.compactMap { $0 }.filter(\.isExternal)
        .map { ExternalColumn(table: table(of: layout).name, name: $0.name) }
    }.filter { known.insert($0).inserted }
  }
}
