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
  private var (places, kinds, entities, keys) = (
    ServerColumn(.integers), ServerColumn(.integers), ServerColumn(.integers), ServerColumn(.integers)
  )
  private var (properties, tombstones) = (ServerColumn(.texts), ServerColumn(.bytes))
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

  mutating func append(_ kind: HistoryChange.Kind, _ id: RowID, properties names: [String] = []) {
    begin(kind, id)
    if names.isEmpty { properties.appendNull() } else { properties.append(names.joined(separator: ",")) }
    tombstones.appendNull()
  }

  /// - Parameter values: of the slots of `StoreSchema.tombstoneSlots(of:)`.
  mutating func append(_ kind: HistoryChange.Kind, _ id: RowID, keeping values: [StoredValue]) throws {
    begin(kind, id)
    properties.appendNull()
    let layout = schema.model.layout(number: id.entity)
    var kept: [String: any Sendable] = [:]
    for (slot, value) in zip(schema.tombstoneSlots(of: layout), values) { kept[layout.slots[slot].name] = value.listed }
    guard !kept.isEmpty else { return tombstones.appendNull() }
    try StoreMetadata.bytes(of: kept).withUnsafeBytes { tombstones.append($0) }
  }

  private mutating func begin(_ kind: HistoryChange.Kind, _ id: RowID) {
    places.append(Int64(places.count + 1))
    kinds.append(kind.rawValue)
    entities.append(Int64(schema.storedNumber(of: id.entity)))
    keys.append(id.key)
  }

  private static let insertChanges = """
    INSERT INTO achange (zbatch, zplace, zchangetype, zentity, zentitypk, zproperties, ztombstone) \
    SELECT $1, v.* FROM unnest($2, $3, $4, $5, $6, $7) AS v
    """
  /// Fails if the store was migrated since it was opened: the column takes no NULL.
  private static let count = """
    UPDATE strata_counter SET last = last + 1, migrations = CASE migrations WHEN $1 THEN migrations END RETURNING last
    """
  private static let insertTransaction = """
    INSERT INTO atransaction (z_pk, zbatch, zauthor, zbundleid, zcontextname, zprocessid, ztimestamp, zorigin) \
    SELECT last, $1, $2, $3, $4, $5, $6, encode($7, 'hex')::uuid FROM strata_counter
    """

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
    var statements: [ServerStatement] = []
    if places.count > 0 {
      statements.append(
        ServerStatement(
          Self.insertChanges,
          [.value(.integer(batch))]
            + [places, kinds, entities, keys, properties, tombstones].map(ServerParameter.column)))
    }
    let texts = [author, store.options.bundleID, contextName, store.options.processID]
      .map { $0.map { StoredValue.text($0.withoutNull) } ?? .null }
    let time = StoredValue.real(Date().timeIntervalSinceReferenceDate)
    let origin = StoredValue.blob(withUnsafeBytes(of: store.origin.uuid) { Array($0) })
    let counted = statements.count
    statements.append(ServerStatement(SQLStatement(Self.count, [.integer(store.migrations)])))
    statements.append(
      ServerStatement(
        SQLStatement(Self.insertTransaction, [.integer(batch)] + texts + [time, origin])))
    statements.append(ServerStatement(SQLStatement("SELECT pg_notify($1, '')", [.text(store.address.channel)])))
    statements.append(ServerStatement("COMMIT"))
    do {
      return try connection.run(statements)[counted].integer(0, 0)
    } catch let error as StoreError where error.isLostConnection {
      return try store.outcome(of: batch, on: connection, after: error)
    }
  }
}

extension String {
  /// The server keeps no text with U+0000.
  fileprivate var withoutNull: String { contains("\0") ? replacing("\0", with: "") : self }
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
