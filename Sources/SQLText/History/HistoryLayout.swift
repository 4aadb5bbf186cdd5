/// The columns that the tables of a history have.
package struct HistoryLayout: Hashable, Sendable {
  /// The columns by table; a missing table has no columns.
  package var columns: [String: Set<String>]

  package init(columns: [String: Set<String>]) { self.columns = columns }

  package func has(_ column: String, in table: String) -> Bool { columns[table]?.contains(column) == true }

  /// Whether changes have the bits of changed properties.
  package var hasBits: Bool { has("ZCOLUMNS", in: "ACHANGE") }

  /// The number of columns for the values of deleted rows.
  package var tombstones: Int {
    var count = 0
    while has("ZTOMBSTONE\(count)", in: "ACHANGE") { count += 1 }
    return count
  }

  /// Whether a text of a transaction may lie in the table of texts.
  package func keepsKey(of text: HistoryText) -> Bool {
    has(text.column + "TS", in: "ATRANSACTION") && has("ZNAME", in: "ATRANSACTIONSTRING")
  }
}

/// The texts of a transaction by their columns, in the order of `HistorySelects.transactions`. `TS` is appended to the
/// name of the column with the text's key in the table of texts.
package enum HistoryText: String, CaseIterable {
  case author = "ZAUTHOR"
  case contextName = "ZCONTEXTNAME"
  case bundle = "ZBUNDLEID"
  case process = "ZPROCESSID"

  package var column: String { rawValue }
}
