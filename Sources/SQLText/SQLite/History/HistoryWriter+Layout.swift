import StrataRowStore

/// Histories by other releases of Apple's framework, which have fewer columns: until 2018 a transaction had its texts
/// in itself, without a table of texts.
extension HistoryLayout {
  /// This framework's layout, without columns for the values of deleted rows.
  static let own = HistoryLayout(
    columns: Dictionary(
      uniqueKeysWithValues: HistoryWriter.tables(tombstones: 0).map { ($0.name, Set($0.columns.map(\.name))) }))

  /// A row for each column of a history's tables: table and column.
  package static let read = """
    SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
    WHERE m.type = 'table' AND m.name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')
    """
}

extension HistoryWriter {
  /// `transactions(later:)` for a history that may lack columns.
  package static func transactions(later: Bool, in file: HistoryLayout) -> String {
    let selects = HistorySelects(layout: file, dialect: .sqlite)
    return later ? selects.laterTransactions : selects.transactions
  }

  /// The authors of transactions, in alphabetical order.
  package static func authors(in file: HistoryLayout) -> String {
    let author = file.value(of: .author, alias: "t1", in: .sqlite)
    return """
      SELECT DISTINCT \(author) AS author FROM ATRANSACTION t0\(file.join(for: .author, alias: "t1", in: .sqlite)) \
      WHERE author IS NOT NULL ORDER BY author
      """
  }

  /// Adds what this framework needs to write a history, as newer releases of Apple's do with older stores; texts stay
  /// where they are. Empty if nothing is missing.
  /// - Parameter tombstones: how many columns of kept values are needed.
  package static func completion(of file: HistoryLayout, tombstones: Int) -> [SQLStatement] {
    var statements: [SQLStatement] = []
    for table in tables(tombstones: tombstones) {
      guard let known = file.columns[table.name] else {
        statements += [table.declaration] + indexes.filter { $0.table == table.name }.map(\.declaration)
        continue
      }
      let missing = table.columns.filter { !known.contains($0.name) }
      statements += missing.map { SQLStatement("ALTER TABLE \(table.name) ADD COLUMN \($0.name) \($0.type)") }
      let names = Set(missing.map(\.name))
      statements += indexes.filter { $0.table == table.name && names.contains($0.column) }.map(\.declaration)
    }
    guard !statements.isEmpty else { return [] }
    return statements
      + entities.map { number, name in
        """
        INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
        VALUES (\(number), \(bind: .text(name)), 0, IFNULL((SELECT max(Z_PK) FROM \("A" + name)), 0))
        """
      }
  }
}
