import StrataManagedModel

/// A column whose data may lie in files beside the store.
package struct ExternalColumn: Hashable, Sendable {
  let table: String
  let name: String

  /// Triggers for the connection that writes: `STRATA_FILE(value, whether a row refers to it now)` hears of each value
  /// that stands for a file.
  package var triggers: [String] {
    [("INSERT", [("NEW", 1)]), ("UPDATE OF \(name)", [("OLD", 0), ("NEW", 1)]), ("DELETE", [("OLD", 0)])].map {
      event, rows in
      let tests = rows.map { "substr(\($0.0).\(name), 1, 1) = x'02'" }.joined(separator: " OR ")
      let calls = rows.map { "SELECT STRATA_FILE(\($0.0).\(name), \($0.1)); " }.joined()
      let title = "\(table)_\(name)_\(event.prefix(6))"
      return "CREATE TEMP TRIGGER \(title) AFTER \(event) ON main.\(table) FOR EACH ROW WHEN \(tests) BEGIN \(calls)END"
    }
  }

  /// All values that stand for files.
  package var references: String { "SELECT \(name) FROM \(table) WHERE substr(\(name), 1, 1) = x'02'" }
}

extension StoreSchema {
  /// The columns of the store's tables that may stand for files.
  package var externalColumns: [ExternalColumn] {
    var known: Set<ExternalColumn> = []
    return layouts.flatMap { layout in
      table(of: layout).columns.compactMap { $0 }.filter(\.isExternal)
        .map { ExternalColumn(table: table(of: layout).name, name: $0.name) }
    }.filter { known.insert($0).inserted }
  }
}
