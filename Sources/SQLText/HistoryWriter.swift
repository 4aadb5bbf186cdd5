import ManagedModel
import RowStore

/// The tables in which a store remembers its transactions: what is declared, written and read there.
///
/// The `Z_PK` of a transaction is its number. Numbers of transactions, changes and strings are counted in Z_PRIMARYKEY,
/// so that none is used twice.
package struct HistoryWriter: Sendable {
  /// The Z_ENT of ACHANGE.
  package static let changeNumber = 16_001
  /// The Z_ENT of ATRANSACTION.
  package static let transactionNumber = 16_002
  /// The Z_ENT of ATRANSACTIONSTRING.
  package static let stringNumber = 16_003

  /// How many columns keep values of deleted rows.
  package let tombstoneCount: Int
  let schema: StoreSchema
  /// By the entity's number in the model, from 1.
  private let columns: [HistoryColumns]

  /// Works out the bits of every entity's properties.
  package init(schema: StoreSchema) {
    self.schema = schema
    columns = schema.model.layouts.map(HistoryColumns.init)
    tombstoneCount = columns.map(\.tombstones.count).max() ?? 0
  }

  /// The names, bits and tombstones of an entity's properties.
  package func columns(of layout: EntityLayout) -> HistoryColumns { columns[layout.number - 1] }
}

/// Declarations.
extension HistoryWriter {
  /// The tables, their indexes and their rows in Z_PRIMARYKEY.
  package static func create(tombstones: Int) -> [SQLStatement] {
    let tombstones = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return [
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )
      """,
      """
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
      ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
      ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )
      """,
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
      "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
      "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
      "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      SchemaWriter.primaryKey(changeNumber, "CHANGE", parent: 0),
      SchemaWriter.primaryKey(transactionNumber, "TRANSACTION", parent: 0),
      SchemaWriter.primaryKey(stringNumber, "TRANSACTIONSTRING", parent: 0),
    ]
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
    INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
    VALUES (?1, 16001, ?2, ?3, ?4, ?5, ?6)
    """

  /// The change of a deleted row with kept values: as `insertChange`, whose `?2` is 2 and whose `?6` is NULL, and from
  /// `?7` the values of `HistoryColumns.tombstones`.
  package static func insertDeletion(tombstones: Int) -> String {
    let names = (0..<tombstones).map { ", ZTOMBSTONE\($0)" }.joined()
    let values = (0..<tombstones).map { ", ?\(7 + $0)" }.joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) \
      VALUES (?1, 16001, ?2, ?3, ?4, ?5, ?6\(values))
      """
  }

  /// The values of the row with the key `?1` that are kept when it is deleted; nil of an entity without.
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
  /// The numbers of the oldest transaction (one more than the newest if none is kept) and of the newest, as far as it was
  /// counted: a purge does not take it back. Then the timestamp of the transaction `?1`.
  package static let bounds = """
    SELECT IFNULL((SELECT min(Z_PK) FROM ATRANSACTION), Z_MAX + 1), Z_MAX, \
    (SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?1) FROM Z_PRIMARYKEY WHERE Z_ENT = 16002
    """

  /// Number, timestamp, author, context name, bundle and process of the transactions after the number `?1` up to `?2`, at
  /// most `?3` of them (-1: all), in their order. Stores of before 2019 keep the strings in the transaction itself.
  /// - Parameter later: whether they are later than `?4`, too.
  package static func transactions(later: Bool) -> String {
    """
    SELECT t0.Z_PK, t0.ZTIMESTAMP, IFNULL(t1.ZNAME, t0.ZAUTHOR), IFNULL(t2.ZNAME, t0.ZCONTEXTNAME), \
    IFNULL(t3.ZNAME, t0.ZBUNDLEID), IFNULL(t4.ZNAME, t0.ZPROCESSID) FROM ATRANSACTION t0 \
    LEFT JOIN ATRANSACTIONSTRING t1 ON t1.Z_PK = t0.ZAUTHORTS \
    LEFT JOIN ATRANSACTIONSTRING t2 ON t2.Z_PK = t0.ZCONTEXTNAMETS \
    LEFT JOIN ATRANSACTIONSTRING t3 ON t3.Z_PK = t0.ZBUNDLEIDTS \
    LEFT JOIN ATRANSACTIONSTRING t4 ON t4.Z_PK = t0.ZPROCESSIDTS \
    WHERE t0.Z_PK > ?1 AND t0.Z_PK <= ?2\(later ? " AND t0.ZTIMESTAMP > ?4" : "") ORDER BY t0.Z_PK LIMIT ?3
    """
  }

  /// Transaction, number, kind, Z_ENT and Z_PK of the row of the changes in the transactions after `?1` up to `?2`, in
  /// their order.
  package static let changedRows = """
    SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK FROM ACHANGE \
    WHERE ZTRANSACTIONID > ?1 AND ZTRANSACTIONID <= ?2 ORDER BY ZTRANSACTIONID, Z_PK
    """

  /// The same with the bits of changed properties and a number of columns of kept values.
  package static func changes(tombstones: Int) -> String {
    let kept = (0..<tombstones).map { ", ZTOMBSTONE\($0)" }.joined()
    return """
      SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(kept) FROM ACHANGE \
      WHERE ZTRANSACTIONID > ?1 AND ZTRANSACTIONID <= ?2 ORDER BY ZTRANSACTIONID, Z_PK
      """
  }

  /// How many columns of kept values the table has: a store that another model made may have fewer than this one needs.
  package static let tombstoneColumns =
    "SELECT count(*) FROM pragma_table_info('ACHANGE') WHERE name LIKE 'ZTOMBSTONE%'"

  /// The number of the newest transaction, as far as it was counted; a purge does not take it back.
  package static let newestTransaction = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002"
}

/// Forgetting.
extension HistoryWriter {
  /// The number of the last of the `?2` oldest transactions below `?1`; NULL if there is none.
  package static let sliceEnd =
    "SELECT max(Z_PK) FROM (SELECT Z_PK FROM ATRANSACTION WHERE Z_PK < ?1 ORDER BY Z_PK LIMIT ?2)"
  /// The changes of the transactions up to `?1`.
  package static let deleteChanges = "DELETE FROM ACHANGE WHERE ZTRANSACTIONID <= ?1"
  /// The transactions up to `?1`.
  package static let deleteTransactions = "DELETE FROM ATRANSACTION WHERE Z_PK <= ?1"
  /// The number of the first transaction that is not earlier than `?1`; NULL if all are.
  package static let firstSince = "SELECT min(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= ?1"
}
