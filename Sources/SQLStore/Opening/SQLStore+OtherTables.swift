import StrataRowStore
import StrataSQLiteEngine

/// Rejects views and virtual tables under the names of the store's tables before they are read: the file would decide
/// which rows a fetch reads, and whether it ends.
extension SQLStore {
  /// The names of a file's views and virtual tables, in upper case. See https://sqlite.org/pragma.html#pragma_table_list
  /// - Throws: `.corrupt` if one has the name of a table that every store has.
  static func otherTables(_ connection: Connection) throws -> Set<String> {
    let names = "SELECT upper(name) FROM pragma_table_list WHERE schema = 'main' AND type IN ('view', 'virtual')"
    let others = Set(try connection.rows(names).compactMap { if case .text(let name) = $0[0] { name } else { nil } })
    try refuse(others, inPlaceOf: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"], connection.path)
    try refuse(others, inPlaceOf: ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"], connection.path)
    return others
  }

  /// - Throws: `.corrupt`.
  static func refuse(_ others: Set<String>, inPlaceOf tables: [String], _ path: String) throws {
    guard let name = tables.first(where: { others.contains($0.uppercased()) }) else { return }
    throw StoreError(
      .corrupt,
      "Cannot open the store '\(path)': \(name) is a view or a virtual table in it, not a table. "
        + "The file is damaged, or another program changed it.")
  }
}
