/// The queries that read a history with a certain layout. Texts are created once, because statement caches look them
/// up by identity.
package struct HistorySelects: Sendable {
  /// Number, timestamp, author, context name, bundle and process of the transactions after the number in parameter 1,
  /// up to the one in 2, in order. Parameter 3 limits their count; `SQLDialect.noLimit` means all.
  package let transactions: String
  /// The same for transactions later than the timestamp in parameter 4.
  package let laterTransactions: String
  /// The changes in the transactions after parameter 1 up to 2, in order: transaction, number, kind, and Z_ENT and Z_PK
  /// of the row.
  package let changedRows: String
  /// The number of the first transaction at or after the timestamp in parameter 1; NULL if no transaction is.
  package let firstSince: String

  private let dialect: any SQLDialect
  private let layout: HistoryLayout

  package init(layout: HistoryLayout, dialect: any SQLDialect) {
    self.dialect = dialect
    self.layout = layout
    let name = dialect.name
    transactions = Self.transactions(later: false, in: layout, dialect)
    laterTransactions = Self.transactions(later: true, in: layout, dialect)
    changedRows = """
      SELECT \(Self.changeColumns(dialect)) FROM \(name("ACHANGE")) WHERE \(Self.changesInRange(dialect))
      """
    firstSince = """
      SELECT min(\(name("Z_PK"))) FROM \(name("ATRANSACTION")) WHERE \(name("ZTIMESTAMP")) >= \(dialect.placeholder(1))
      """
  }

  /// `changedRows`, followed by the bits of changed properties, whether this framework wrote them, and the kept values.
  /// - Parameters:
  ///   - tombstones: how many columns of kept values the table has.
  ///   - hasBits: whether it has a column for the bits.
  package func changes(tombstones: Int, hasBits: Bool) -> String {
    let bits = hasBits ? dialect.name("ZCOLUMNS") : "NULL"
    let version = SQLStatement(dialect.name("Z_OPT"))
    let isOwn = dialect.isSame(version, as: "\(HistoryColumns.ownVersion)", holds: true)
    let kept = (0..<tombstones).map { ", \(dialect.name("ZTOMBSTONE\($0)"))" }.joined()
    return """
      SELECT \(Self.changeColumns(dialect)), \(bits), \(isOwn.text)\(kept) FROM \(dialect.name("ACHANGE")) \
      WHERE \(Self.changesInRange(dialect))
      """
  }

  private static func changeColumns(_ dialect: any SQLDialect) -> String {
    ["ZTRANSACTIONID", "Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK"].map(dialect.name).joined(separator: ", ")
  }

  private static func changesInRange(_ dialect: any SQLDialect) -> String {
    let transaction = dialect.name("ZTRANSACTIONID")
    return "\(transaction) > \(dialect.placeholder(1)) AND \(transaction) <= \(dialect.placeholder(2)) "
      + "ORDER BY \(transaction), \(dialect.name("Z_PK"))"
  }

  private static func transactions(later: Bool, in layout: HistoryLayout, _ dialect: any SQLDialect) -> String {
    let texts = HistoryText.allCases.enumerated().map { ($1, "t\($0 + 1)") }
    let (key, time) = ("t0.\(dialect.name("Z_PK"))", "t0.\(dialect.name("ZTIMESTAMP"))")
    let limit = later ? " AND \(time) > \(dialect.placeholder(4))" : ""
    return """
      SELECT \(key), \(time), \(texts.map { layout.value(of: $0, alias: $1, in: dialect) }.joined(separator: ", ")) \
      FROM \(dialect.name("ATRANSACTION")) t0\(texts.map { layout.join(for: $0, alias: $1, in: dialect) }.joined()) \
      WHERE \(key) > \(dialect.placeholder(1)) AND \(key) <= \(dialect.placeholder(2))\(limit) \
      ORDER BY \(key) LIMIT \(dialect.placeholder(3))
      """
  }
}

extension HistoryLayout {
  /// A text of the transaction `t0`, from the table of texts, which has an alias, or from the transaction itself.
  package func value(of text: HistoryText, alias: String, in dialect: any SQLDialect) -> String {
    let (shared, own) = ("\(alias).\(dialect.name("ZNAME"))", "t0.\(dialect.name(text.column))")
    return switch (keepsKey(of: text), has(text.column, in: "ATRANSACTION")) {
    case (true, true): dialect.ifNull(shared, own)
    case (true, false): shared
    case (false, true): own
    case (false, false): "NULL"
    }
  }

  /// Joins the table of texts under an alias if it may hold the text; empty otherwise.
  package func join(for text: HistoryText, alias: String, in dialect: any SQLDialect) -> String {
    guard keepsKey(of: text) else { return "" }
    return " LEFT JOIN \(dialect.name("ATRANSACTIONSTRING")) \(alias) ON \(alias).\(dialect.name("Z_PK")) = "
      + "t0.\(dialect.name(text.column + "TS"))"
  }
}
