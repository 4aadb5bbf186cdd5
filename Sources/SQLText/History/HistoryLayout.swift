import StrataRowStore

/// Which columns the tables of a history have in a file. Other releases of Apple's framework made fewer: until 2018 a
/// transaction has its texts in itself, and there is no table of them.
package struct HistoryLayout: Hashable, Sendable {
  /// By table; a table that is not there has none.
  package var columns: [String: Set<String>]

  package init(columns: [String: Set<String>]) { self.columns = columns }

  /// What this framework makes, without columns for the values of deleted rows.
  static let own = HistoryLayout(
    columns: Dictionary(
      uniqueKeysWithValues: HistoryWriter.tables(tombstones: 0).map { ($0.name, Set($0.columns.map(\.name))) }))

  /// Table and column of what a file has of a history, in rows.
  package static let read = """
    SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
    WHERE m.type = 'table' AND m.name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')
    """

  package func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) == true }

  /// Whether changes have the bits of changed properties.
  package var hasBits: Bool { has("ACHANGE", "ZCOLUMNS") }

  /// How many columns there are for the values of deleted rows.
  package var tombstones: Int {
    var count = 0
    while has("ACHANGE", "ZTOMBSTONE\(count)") { count += 1 }
    return count
  }

  /// Whether a text of a transaction may lie in the table of texts.
  func keepsKey(of text: HistoryText) -> Bool {
    has("ATRANSACTION", text.column + "TS") && has("ATRANSACTIONSTRING", "ZNAME")
  }

  /// A text of the transaction `t0`, in the table of texts under an alias or in the transaction itself.
  func reading(_ text: HistoryText, _ alias: String) -> String {
    switch (keepsKey(of: text), has("ATRANSACTION", text.column)) {
    case (true, true): "IFNULL(\(alias).ZNAME, t0.\(text.column))"
    case (true, false): "\(alias).ZNAME"
    case (false, true): "t0.\(text.column)"
    case (false, false): "NULL"
    }
  }

  func join(_ text: HistoryText, _ alias: String) -> String {
    keepsKey(of: text) ? " LEFT JOIN ATRANSACTIONSTRING \(alias) ON \(alias).Z_PK = t0.\(text.column)TS" : ""
  }
}

/// The texts of a transaction, by their columns; with `TS` behind it that of the key in the table of texts. In the order of the columns of `HistoryWriter.transactions`.
enum HistoryText: String, CaseIterable {
  case author = "ZAUTHOR"
  case contextName = "ZCONTEXTNAME"
  case bundle = "ZBUNDLEID"
  case process = "ZPROCESSID"

  var column: String { rawValue }
}

extension HistoryWriter {
  /// `transactions(later:)` of a history that may lack something.
  package static func transactions(later: Bool, in file: HistoryLayout) -> String {
    let texts = HistoryText.allCases.enumerated().map { ($1, "t\($0 + 1)") }
    return """
      SELECT t0.Z_PK, t0.ZTIMESTAMP, \(texts.map { file.reading($0, $1) }.joined(separator: ", ")) \
      FROM ATRANSACTION t0\(texts.map { file.join($0, $1) }.joined()) \
      WHERE t0.Z_PK > ?1 AND t0.Z_PK <= ?2\(later ? " AND t0.ZTIMESTAMP > ?4" : "") ORDER BY t0.Z_PK LIMIT ?3
      """
  }

  /// Who wrote transactions, each once, by name.
  package static func authors(in file: HistoryLayout) -> String {
    """
    SELECT DISTINCT \(file.reading(.author, "t1")) AS author FROM ATRANSACTION t0\(file.join(.author, "t1")) \
    WHERE author IS NOT NULL ORDER BY author
    """
  }

  /// What makes a history such that this framework writes it, as Apple's newer ones bring older stores to their layout:
  /// its texts stay where they are. Empty if nothing is missing.
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
