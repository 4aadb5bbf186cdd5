import StrataManagedModel
import StrataRowStore
import Synchronization

/// Declares, writes and reads the tables of a store's history.
///
/// The `Z_PK` of a transaction is its number. Numbers of transactions, changes and strings are counted in Z_PRIMARYKEY,
/// so that none is ever used again.
package struct HistoryWriter: Sendable {
  /// The Z_ENT of ACHANGE.
  package static let changeNumber = 16_001
  /// The Z_ENT of ATRANSACTION.
  package static let transactionNumber = 16_002
  /// The Z_ENT of ATRANSACTIONSTRING.
  package static let stringNumber = 16_003

  /// The number of columns that keep values of deleted rows.
  package let tombstoneCount: Int
  let schema: StoreSchema
  private let columns: ColumnTable

  package init(schema: StoreSchema) {
    self.schema = schema
    columns = ColumnTable(schema.model.layouts)
    tombstoneCount = Self.tombstones(of: schema)
  }

  /// The number of columns that a schema needs for the values of deleted rows.
  package static func tombstones(of schema: StoreSchema) -> Int {
    schema.model.layouts.map { layout in layout.slots.count { $0.isKeptOnDeletion } }.max() ?? 0
  }

  package func columns(of layout: EntityLayout) -> HistoryColumns { columns.list[layout.number - 1] }

  /// The columns of all entities, made when they are first asked for: who only reads the newest rows does not.
  private final class ColumnTable: Sendable {
    private let layouts: [EntityLayout]
    private let made = AtomicLazyReference<List>()

    private final class List: Sendable {
      /// By the entity's number in the model, from 1.
      let columns: [HistoryColumns]

      init(_ columns: [HistoryColumns]) { self.columns = columns }
    }

    init(_ layouts: [EntityLayout]) { self.layouts = layouts }

    var list: [HistoryColumns] {
      (made.load() ?? made.storeIfNil(List(layouts.map(HistoryColumns.init)))).columns
    }
  }
}

/// Declaring.
extension HistoryWriter {
  struct Table {
    var name: String
    var columns: [(name: String, type: String)]

    var declaration: SQLStatement {
      SQLStatement("CREATE TABLE \(name) ( \(columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")) )")
    }
  }

  struct Index {
    var table: String
    var column: String
    var name: String?
    var isUnique = false

    var declaration: SQLStatement {
      guard let name else { return "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))" }
      return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) (\(column) COLLATE BINARY ASC)"
    }
  }

  static func tables(tombstones: Int) -> [Table] {
    let keys = [("Z_PK", "INTEGER PRIMARY KEY"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")]
    let change = ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].map { ($0, "INTEGER") }
    let keyOfText = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map { ($0, "INTEGER") }
    let text = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { ($0, "VARCHAR") }
    let kept = (0..<tombstones).map { ("ZTOMBSTONE\($0)", "BLOB") }
    return [
      Table(name: "ACHANGE", columns: keys + change + [("ZCOLUMNS", "BLOB")] + kept),
      Table(
        name: "ATRANSACTION", columns: keys + keyOfText + [("ZTIMESTAMP", "FLOAT")] + text + [("ZQUERYGEN", "BLOB")]),
      Table(name: "ATRANSACTIONSTRING", columns: keys + [("ZNAME", "VARCHAR")]),
    ]
  }

  static var indexes: [Index] {
    [Index(table: "ACHANGE", column: "ZTRANSACTIONID")]
      + ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map { Index(table: "ATRANSACTION", column: $0) }
      + [
        Index(table: "ATRANSACTION", column: "ZAUTHOR", name: "Z_TRANSACTION_TransactionAuthorIndex"),
        Index(table: "ATRANSACTION", column: "ZTIMESTAMP", name: "Z_TRANSACTION_TransactionTimestampIndex"),
        Index(
          table: "ATRANSACTIONSTRING", column: "ZNAME", name: "Z_TRANSACTIONSTRING_UNIQUE_NAME", isUnique: true),
      ]
  }

  static var entities: [(number: Int, name: String)] {
    [(changeNumber, "CHANGE"), (transactionNumber, "TRANSACTION"), (stringNumber, "TRANSACTIONSTRING")]
  }

  /// The tables, their indexes and their rows in Z_PRIMARYKEY.
  package static func create(tombstones: Int) -> [SQLStatement] {
    tables(tombstones: tombstones).map(\.declaration) + indexes.map(\.declaration)
      + entities.map { SchemaWriter.primaryKey($0.number, name: $0.name, parent: 0) }
  }
}

/// Writing.
extension HistoryWriter {
  /// `?1` number, `?2` author, `?3` bundle, `?4` context name, `?5` process, each the key of a string or NULL, `?6`
  /// seconds since 2001-01-01 00:00 UTC.
  package static let insertTransaction = """
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) \
    VALUES (?1, 16002, ?2, ?3, ?4, ?5, ?6)
    """

  /// `?1` number, `?2` kind (0 insert, 1 update, 2 delete), `?3` Z_ENT and `?4` Z_PK of the row, `?5` number of the
  /// transaction, `?6` the bits of changed properties of an update, else NULL.
  package static let insertChange = """
    INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
    VALUES (?1, 16001, \(HistoryColumns.ownVersion), ?2, ?3, ?4, ?5, ?6)
    """

  /// The deletion of a row with kept values: as `insertChange` with 2 as `?2` and NULL as `?6`, followed by the values
  /// of `HistoryColumns.tombstones` from `?7` on.
  package static func insertDeletion(tombstones: Int) -> String {
    let names = (0..<tombstones).map { ", ZTOMBSTONE\($0)" }.joined()
    let values = (0..<tombstones).map { ", ?\(7 + $0)" }.joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) \
      VALUES (?1, 16001, \(HistoryColumns.ownVersion), ?2, ?3, ?4, ?5, ?6\(values))
      """
  }

  /// The values of the row with the key `?1` that are kept when it is deleted; nil for an entity without any.
  package func tombstone(of layout: EntityLayout) -> String? {
    let slots = columns(of: layout).tombstones
    guard !slots.isEmpty else { return nil }
    let table = schema.table(of: layout)
    let names = slots.map { HistoryColumns.isLarge(layout.slots[$0]) ? "NULL" : table.columns[$0]?.name ?? "NULL" }
    return "SELECT \(names.joined(separator: ", ")) FROM \(table.name) WHERE Z_PK = ?1"
  }

  /// The key of the string `?1`.
  package static let findString = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?1"
  /// `?1` key, `?2` string.
  package static let insertString = "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?1, 16003, ?2)"
}

/// Reading.
extension HistoryWriter {
  /// The number of the oldest transaction (one more than the newest if none is kept), the number of the newest, even if
  /// it was purged, and the timestamp of the transaction `?1`.
  package static let bounds = """
    SELECT IFNULL((SELECT min(Z_PK) FROM ATRANSACTION), Z_MAX + 1), Z_MAX, \
    (SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?1) FROM Z_PRIMARYKEY WHERE Z_ENT = 16002
    """

  private static let selects = HistorySelects(layout: .own, dialect: .sqlite)
  private static let selectsWithoutTexts = HistorySelects(layout: HistoryLayout(columns: [:]), dialect: .sqlite)

  /// See `HistorySelects.transactions`.
  package static func transactions(later: Bool) -> String {
    later ? selects.laterTransactions : selects.transactions
  }

  /// As `transactions`, with NULL for every text, so that no other table is read.
  package static var transactionsWithoutTexts: String { selectsWithoutTexts.transactions }

  /// See `HistorySelects.changedRows`.
  package static var changedRows: String { selects.changedRows }

  /// See `HistorySelects.changes`.
  package static func changes(tombstones: Int, hasBits: Bool = true) -> String {
    selects.changes(tombstones: tombstones, hasBits: hasBits)
  }

  /// The distinct Z_ENTs and bits of updates that this framework did not write.
  package static let foreignBits =
    "SELECT DISTINCT ZENTITY, ZCOLUMNS FROM ACHANGE WHERE Z_OPT IS NOT \(HistoryColumns.ownVersion) AND ZCOLUMNS IS NOT NULL"

  /// The number of the newest transaction, even if it was purged.
  package static let newestTransaction = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002"
}

/// Purging.
extension HistoryWriter {
  /// The number of the last among the `?2` oldest transactions before `?1`; NULL if no transaction is before it.
  package static let sliceEnd =
    "SELECT max(Z_PK) FROM (SELECT Z_PK FROM ATRANSACTION WHERE Z_PK < ?1 ORDER BY Z_PK LIMIT ?2)"
  /// The changes of the transactions up to `?1`.
  package static let deleteChanges = "DELETE FROM ACHANGE WHERE ZTRANSACTIONID <= ?1"
  /// The transactions up to `?1`.
  package static let deleteTransactions = "DELETE FROM ATRANSACTION WHERE Z_PK <= ?1"
  /// See `HistorySelects.firstSince`.
  package static var firstSince: String { selects.firstSince }
}
