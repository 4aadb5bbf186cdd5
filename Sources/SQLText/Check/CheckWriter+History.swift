import StrataManagedModel
import StrataRowStore

/// The history: transactions, changes and texts belong together, and the last change of each row says what became of it.
extension CheckWriter {
  /// Questions for a store that has a history. Texts have a table of their own since 2019.
  package func historyQuestions(in file: HistoryLayout) -> [Question] {
    changes + strings(in: file) + schema.tables.flatMap { table in table.family.flatMap { ends($0, table.name) } }
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

  /// The change with the highest number is the last one of its row; the other columns are of that change too.
  /// See https://sqlite.org/lang_select.html#bareagg
  private func ends(_ layout: EntityLayout, _ table: String) -> [Question] {
    let last: SQLStatement = """
      SELECT k FROM (SELECT max(Z_PK) AS k, ZCHANGETYPE AS t, ZENTITYPK AS p, Z_OPT AS o FROM ACHANGE \
      WHERE ZENTITY = \(schema.storedNumber(of: layout.number)) GROUP BY ZENTITYPK) WHERE t
      """
    let own = HistoryWriter.ownVersion
    return [
      Question(
        flaw: .falseHistory, table: "ACHANGE", other: table,
        complaint: "are the last of a row of \(layout.name) that is gone without a deletion",
        statement: "\(last) <> 2 AND o IS \(own) AND NOT EXISTS (SELECT 1 FROM \(table) r WHERE r.Z_PK = p)"),
      // Apple's framework deletes rows without a word in the history: by the cascades of batch requests, for one.
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
