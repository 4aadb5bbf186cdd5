import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// The history of a commit, and the COMMIT itself, in one round trip (invariant 1).
///
/// The changes have a number of their own, so that the counter is locked only for the last statements and the flush,
/// however large the commit is. It assigns numbers in commit order, and no reader sees a transaction before those with
/// smaller numbers (invariants 2 and 3).
struct ServerHistoryRecord {
  private let author: String?
  private let contextName: String?
  private let positions = ServerColumn(of: .integer64)
  private let kinds = ServerColumn(of: .integer64)
  private let entities = ServerColumn(of: .integer64)
  private let keys = ServerColumn(of: .integer64)
  private let properties = ServerColumn(of: .text)
  private let tombstones = ServerColumn(of: .bytes)
  private let schema: StoreSchema
  private let tombstoneSlots: TombstoneSlots

  /// The slots whose values the history keeps, cached for the last entity: rows of an entity are deleted in runs.
  private final class TombstoneSlots {
    private var entity = 0
    private var slots: [Int] = []

    func of(_ entity: Int, in schema: StoreSchema) -> [Int] {
      if entity != self.entity {
        (self.entity, slots) = (entity, schema.tombstoneSlots(of: schema.model.layout(number: entity)))
      }
      return slots
    }
  }

  init(author: String?, contextName: String?, in schema: StoreSchema) {
    (self.author, self.contextName, self.schema) = (author, contextName, schema)
    tombstoneSlots = TombstoneSlots()
  }

  init(of batch: ChangeBatch, inserted: [RowID], tombstones: Tombstones, store: PostgreSQLStore) throws {
    self.init(author: batch.author, contextName: batch.contextName, in: store.schema)
    guard store.keepsHistory else { return }
    for id in inserted { append(.insert, id) }
    append(batch.updated)
    for (index, deletion) in batch.deleted.enumerated() {
      guard let values = tombstones[index] else { continue }
      try append(.delete, deletion.id, keeping: values)
    }
  }

  /// Most changes are like the one before.
  private func append(_ updates: [RowUpdate]) {
    var (entity, slots, toMany, names) = (0, [UInt64](), [Int](), "")
    for update in updates {
      let id = update.row.id
      if id.entity != entity || update.slots != slots || update.toMany != toMany {
        (entity, slots, toMany) = (id.entity, update.slots, update.toMany)
        names = update.propertyNames.joined(separator: ",")
      }
      append(.update, id, properties: names)
    }
  }

  /// - Parameter names: separated by commas.
  func append(_ kind: HistoryChange.Kind, _ id: RowID, properties names: String = "") {
    begin(kind, id)
    if names.isEmpty { properties.values.appendNull() } else { properties.values.append(names) }
    tombstones.values.appendNull()
  }

  /// - Parameter values: of the slots of `StoreSchema.tombstoneSlots(of:)`.
  func append(_ kind: HistoryChange.Kind, _ id: RowID, keeping values: [StoredValue]) throws {
    begin(kind, id)
    properties.values.appendNull()
    if values.isEmpty { return tombstones.values.appendNull() }
    let layout = schema.model.layout(number: id.entity)
    var kept: [String: any Sendable] = [:]
    for (slot, value) in zip(tombstoneSlots.of(id.entity, in: schema), values) {
      kept[layout.slots[slot].name] = value.listed
    }
    guard !kept.isEmpty else { return tombstones.values.appendNull() }
    try StoreMetadata.bytes(of: kept).withUnsafeBytes { tombstones.values.append($0) }
  }

  private func begin(_ kind: HistoryChange.Kind, _ id: RowID) {
    positions.values.append(Int64(positions.values.count + 1))
    kinds.values.append(kind.rawValue)
    entities.values.append(Int64(schema.storedNumber(of: id.entity)))
    keys.values.append(id.key)
  }

  private static let transactionColumns = """
    atransaction (z_pk, zbatch, zauthor, zbundleid, zcontextname, zprocessid, ztimestamp, zorigin) \
    SELECT last, $1, $2, $3, $4, $5, $6, encode($7, 'hex')::uuid
    """
  private static let changeColumns =
    "achange (zbatch, zplace, zchangetype, zentity, zentitypk, zproperties, ztombstone)"

  /// The end of a statement with changes, like `countWithChanges`. Parameters are those of `PostgreSQLStore.transactionTypes`.
  /// - Parameters:
  ///   - part: a part of the statement that returns the one row that it wrote: if it returns none, nothing happens.
  ///   - changes: a query for the changes.
  static func count(ifOne part: String, changes: String) -> String {
    """
    n AS (\(nextNumber(if: "(SELECT count(*) FROM \(part)) = 1"))), \
    t AS (INSERT INTO \(transactionColumns) FROM n), \
    c AS (INSERT INTO achange (zbatch, zplace, zchangetype, zentity, zentitypk, zproperties) \(changes)) \
    SELECT last, pg_notify($8, '') FROM n
    """
  }

  /// Takes the next number. Fails if the store was migrated since it was opened: the column takes no NULL.
  private static func nextNumber(if condition: String = "TRUE") -> String {
    """
    UPDATE strata_counter SET last = last + 1, migrations = CASE migrations WHEN $9 THEN migrations END \
    WHERE \(condition) RETURNING last
    """
  }

  /// The statement that takes the transaction's number, writes the transaction, and notifies the others.
  private static let count = """
    WITH n AS (\(nextNumber())), \
    t AS (INSERT INTO \(transactionColumns) FROM n) SELECT last, pg_notify($8, '') FROM n
    """
  /// The same with the changes.
  private static let countWithChanges = """
    WITH n AS (\(nextNumber())), \
    t AS (INSERT INTO \(transactionColumns) FROM n), \
    c AS (INSERT INTO \(changeColumns) SELECT $1, v.* FROM unnest($10, $11, $12, $13, $14, $15) AS v) \
    SELECT last, pg_notify($8, '') FROM n
    """
  private static let insertChanges = """
    INSERT INTO \(changeColumns) SELECT $1, v.* FROM unnest($2, $3, $4, $5, $6, $7) AS v
    """

  /// The counter is locked while this many changes are written, but not while more are.
  private static let maximumChangesWithCounter = 100

  /// Ends the open transaction of a connection.
  /// - Returns: the transaction's number in the history; nil if the store keeps none.
  /// - Throws: what the server says; nothing is changed then.
  func commit(on connection: ServerConnection, to store: PostgreSQLStore) throws -> Int64? {
    guard store.keepsHistory else {
      guard try connection.migrations() == store.migrations else { throw store.migrated() }
      do {
        try connection.run("COMMIT")
      } catch let error as StoreError where error.isLostConnection {
        // Nothing tells what became of it, so it must not be made once more.
        throw UnknownCommit(cause: error)
      }
      return nil
    }
    // A lost result of a sequence only leaves a gap, and the numbers need not be gapless.
    let batch = try store.batches.next(on: connection)
    let changes = [positions, kinds, entities, keys, properties, tombstones].map(ServerParameter.column)
    var transaction =
      [ServerParameter.value(.integer(batch))] + store.transactionParameters(author, contextName: contextName)
    var statements: [ServerStatement] = []
    if positions.values.count > 0, positions.values.count <= Self.maximumChangesWithCounter {
      transaction += changes
      statements.append(ServerStatement(Self.countWithChanges, transaction))
    } else {
      if positions.values.count > 0 {
        statements.append(ServerStatement(Self.insertChanges, [.value(.integer(batch))] + changes))
      }
      statements.append(ServerStatement(Self.count, transaction))
    }
    let counted = statements.count - 1
    statements.append(ServerStatement("COMMIT"))
    do {
      return try connection.run(statements)[counted].integer(0, 0)
    } catch let error as StoreError where error.isLostConnection {
      return try store.outcome(of: batch, on: connection, after: error)
    }
  }
}

extension PostgreSQLStore {
  /// The parameters of a transaction: from author to origin, the channel of its notification, and the number of
  /// migrations that it expects.
  fileprivate func transactionParameters(_ author: String?, contextName: String?) -> [ServerParameter] {
    func text(_ text: String?) -> StoredValue { text.map { .text($0.withoutNull) } ?? .null }
    let values = [
      text(author), text(options.bundleID), text(contextName), text(options.processID),
      .real(Date().timeIntervalSinceReferenceDate), .blob(originBytes), .text(channel),
      .integer(migrations),
    ]
    return values.map(ServerParameter.value)
  }

  /// The types of what `appendTransaction` appends.
  static var transactionTypes: [ServerFields.ValueType] {
    [.integer64, .text, .text, .text, .text, .real, .bytes, .text, .integer64]
  }

  /// The same behind the number of a batch of changes.
  func appendTransaction(of batch: Int64, author: String?, contextName: String?, to values: ServerFields) {
    values.append(batch)
    for text in [author, options.bundleID, contextName, options.processID] { values.append(text?.withoutNull) }
    values.append(Date().timeIntervalSinceReferenceDate)
    withUnsafeBytes(of: origin.uuid) { values.append($0) }
    values.append(channel)
    values.append(migrations)
  }
}

extension String {
  /// The server keeps no text with U+0000.
  fileprivate var withoutNull: String { utf8.contains(0) ? replacing("\0", with: "") : self }
}

extension StoredValue {
  /// The value in a property list; nil for NULL.
  fileprivate var listed: (any Sendable)? {
    switch self {
    case .null, .list: nil
    case .integer(let integer): Int(integer)
    case .real(let real): real
    case .text(let text): text
    case .blob(let bytes): Data(bytes)
    }
  }
}
