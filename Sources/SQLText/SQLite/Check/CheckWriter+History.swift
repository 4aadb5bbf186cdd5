import StrataManagedModel
import StrataRowStore

/// The history: transactions, changes and texts must refer to each other, and the last change of a row must match its
/// fate.
extension CheckWriter {
  /// Questions for a store with a history. Since 2019, texts have had a table of their own.
  package func historyQuestions(in file: HistoryLayout) -> [Question] {
    changes + strings(in: file)
      + schema.tables.flatMap { table in table.family.flatMap { ends(of: $0, in: table.name) } }
  }

  private var changes: [Question] {
    let numbers = schema.layouts.map { String(schema.storedNumber(of: $0.number)) }.joined(separator: ", ")
    return [
      Question(
        flaw: .brokenHistory, table: "ACHANGE", other: "ATRANSACTION", complaint: "belong to no transaction",
        statement: """
          SELECT Z_PK FROM ACHANGE c WHERE NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)
          """),
      Question(
        flaw: .brokenHistory, table: "ACHANGE", complaint: "are of an unknown entity",
        statement: "SELECT Z_PK FROM ACHANGE WHERE ZENTITY IS NULL OR ZENTITY NOT IN (\(numbers))"),
      Question(
        flaw: .brokenHistory, table: "ACHANGE", complaint: "are neither an insertion, an update nor a deletion",
        statement: "SELECT Z_PK FROM ACHANGE WHERE ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)"),
    ]
  }

  private func strings(in file: HistoryLayout) -> [Question] {
    HistoryText.allCases.filter(file.keepsKey).map { text in
      let column = text.column + "TS"
      return Question(
        flaw: .brokenHistory, table: "ATRANSACTION", other: "ATRANSACTIONSTRING",
        complaint: "have in \(column) no text of ATRANSACTIONSTRING",
        statement: """
          SELECT Z_PK FROM ATRANSACTION t WHERE t.\(column) IS NOT NULL AND NOT EXISTS \
          (SELECT 1 FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column))
          """)
    }
  }

  /// The last change of a row has the highest number; the bare columns next to `max` are those of that change:
  /// https://sqlite.org/lang_select.html#bareagg
  private func ends(of layout: EntityLayout, in table: String) -> [Question] {
    let last: SQLStatement = """
      SELECT k FROM (SELECT max(Z_PK) AS k, ZCHANGETYPE AS t, ZENTITYPK AS p, Z_OPT AS o FROM ACHANGE \
      WHERE ZENTITY = \(schema.storedNumber(of: layout.number)) GROUP BY ZENTITYPK) WHERE t
      """
    let own = HistoryColumns.ownVersion
    return [
      Question(
        flaw: .falseHistory, table: "ACHANGE", other: table,
        complaint: "are the last of a row of \(layout.name) that disappeared without a deletion",
        statement: "\(last) <> 2 AND o IS \(own) AND NOT EXISTS (SELECT 1 FROM \(table) r WHERE r.Z_PK = p)"),
      // Apple's framework deletes some rows without recording it: for example by the cascades of batch requests.
      Question(
        flaw: .falseHistory, table: "ACHANGE", other: table,
        complaint: "are the last of a row of \(layout.name) that Apple's framework removed without a deletion",
        statement: "\(last) <> 2 AND o IS NOT \(own) AND NOT EXISTS (SELECT 1 FROM \(table) r WHERE r.Z_PK = p)",
        isAllowed: true),
      Question(
        flaw: .falseHistory, table: "ACHANGE", other: table,
        complaint: "delete a row of \(layout.name) that is still there",
        statement: "\(last) = 2 AND EXISTS (SELECT 1 FROM \(table) r WHERE r.Z_PK = p)"),
    ]
  }
}
