import Foundation
import StrataManagedModel
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText

/// The history of a commit, and the COMMIT itself, in one round trip (invariant 1).
///
/// The changes have a number of their own, so that the counter is locked only for the last statements and the flush,
/// however large the commit is. It gives numbers in the order of commits, and nobody sees a transaction before those
/// with smaller numbers (invariants 2 and 3).
struct HistoryRecord {
  private let author: String?
  private let contextName: String?
  private let places = ServerColumn(.integers)
  private let kinds = ServerColumn(.integers)
  private let entities = ServerColumn(.integers)
  private let keys = ServerColumn(.integers)
  private let properties = ServerColumn(.texts)
  private let tombstones = ServerColumn(.bytes)
  private let schema: StoreSchema

  init(author: String?, contextName: String?, in schema: StoreSchema) {
    (self.author, self.contextName, self.schema) = (author, contextName, schema)
  }

  init(of batch: ChangeBatch, inserted: [RowID], tombstones: [Int: [StoredValue]], store: PostgreSQLStore) throws {
    self.init(author: batch.author, contextName: batch.contextName, in: store.schema)
    guard store.keepsHistory else { return }
    for id in inserted { append(.insert, id) }
    for update in batch.updated {
      append(.update, update.row.id, properties: update.propertyNames)
    }
    for (index, deletion) in batch.deleted.enumerated() {
      guard let values = tombstones[index] else { continue }
      try append(.delete, deletion.id, keeping: values)
    }
  }

  func append(_ kind: HistoryChange.Kind, _ id: RowID, properties names: [String] = []) {
    begin(kind, id)
    if names.isEmpty { properties.appendNull() } else { properties.append(names.joined(separator: ",")) }
    tombstones.appendNull()
  }

  /// - Parameter values: of the slots of `StoreSchema.tombstoneSlots(of:)`.
  func append(_ kind: HistoryChange.Kind, _ id: RowID, keeping values: [StoredValue]) throws {
    begin(kind, id)
    properties.appendNull()
    let layout = schema.model.layout(number: id.entity)
    var kept: [String: any Sendable] = [:]
    for (slot, value) in zip(schema.tombstoneSlots(of: layout), values) { kept[layout.slots[slot].name] = value.listed }
    guard !kept.isEmpty else { return tombstones.appendNull() }
    try StoreMetadata.bytes(of: kept).withUnsafeBytes { tombstones.append($0) }
  }

  private func begin(_ kind: HistoryChange.Kind, _ id: RowID) {
    places.append(Int64(places.count + 1))
    kinds.append(kind.rawValue)
    entities.append(Int64(schema.storedNumber(of: id.entity)))
    keys.append(id.key)
  }

  private static let transactionColumns = """
    atransaction (z_pk, zbatch, zauthor, zbundleid, zcontextname, zprocessid, ztimestamp, zorigin) \
    SELECT last, $1, $2, $3, $4, $5, $6, encode($7, 'hex')::uuid
    """
  private static let changeColumns =
    "achange (zbatch, zplace, zchangetype, zentity, zentitypk, zproperties, ztombstone)"

  /// Takes the next number. Fails if the store was migrated since it was opened: the column takes no NULL.
  private static let nextNumber = """
    UPDATE strata_counter SET last = last + 1, migrations = CASE migrations WHEN $9 THEN migrations END RETURNING last
    """

  /// The statement that takes the transaction's number, writes the transaction, and notifies the others.
  private static let count = """
    WITH n AS (\(nextNumber)), \
    t AS (INSERT INTO \(transactionColumns) FROM n) SELECT last, pg_notify($8, '') FROM n
    """
  /// The same with the changes.
  private static let countWithChanges = """
    WITH n AS (\(nextNumber)), \
    t AS (INSERT INTO \(transactionColumns) FROM n), \
    c AS (INSERT INTO \(changeColumns) SELECT $1, v.* FROM unnest($10, $11, $12, $13, $14, $15) AS v) \
    SELECT last, pg_notify($8, '') FROM n
    """
  private static let insertChanges = """
    INSERT INTO \(changeColumns) SELECT $1, v.* FROM unnest($2, $3, $4, $5, $6, $7) AS v
    """

  /// The counter is locked while this many changes are written, but not while more are.
  private static let mostChangesWithCounter = 100

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
    // No answer of a sequence can be missed, and the number need not be gapless.
    let batch = try store.batches.next(on: connection)
    let changes = [places, kinds, entities, keys, properties, tombstones].map(ServerParameter.column)
    var transaction = [ServerParameter.value(.integer(batch))] + store.words(author, contextName: contextName)
    var statements: [ServerStatement] = []
    if places.count > 0, places.count <= Self.mostChangesWithCounter {
      transaction += changes
      statements.append(ServerStatement(Self.countWithChanges, transaction))
    } else {
      if places.count > 0 {
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
  /// What a transaction tells of itself, from author to origin, the channel of its notification, and the number of
  /// migrations that it expects.
  fileprivate func words(_ author: String?, contextName: String?) -> [ServerParameter] {
    func text(_ text: String?) -> StoredValue { text.map { .text($0.withoutNull) } ?? .null }
    let words = [
      text(author), text(options.bundleID), text(contextName), text(options.processID),
      .real(Date().timeIntervalSinceReferenceDate), .blob(originBytes), .text(channel),
      .integer(migrations),
    ]
    return words.map(ServerParameter.value)
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
