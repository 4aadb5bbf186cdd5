import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// One commit, in two round trips: all that depends on the rows, then the history and COMMIT; with many new rows, which are
/// copied, in more, and with one row or two in one: see `SmallCommit`. A batch with invalid rows is rolled back, and
/// only then are these rows determined.
///
/// Deletions come before updates and updates before insertions, so that a unique value can move from one row to another
/// within a batch.
final class ServerCommit {
  let store: PostgreSQLStore
  let connection: ServerConnection
  let batch: ChangeBatch
  /// The program's metadata to write along.
  private let metadata: [String: any Sendable]
  /// The permanent IDs of the inserted rows, in batch order.
  let inserted: [RowID]
  private let newNames: IDChanges
  var tombstones: Tombstones

  /// - Parameter connection: one without a transaction.
  init(
    of batch: ChangeBatch, to store: PostgreSQLStore, on connection: ServerConnection,
    metadata: [String: any Sendable] = [:]
  ) throws {
    (self.batch, self.store, self.connection, self.metadata) = (batch, store, connection, metadata)
    inserted = try Self.ids(of: batch.inserted, in: store, connection)
    let temporary = batch.inserted.indices.filter { batch.inserted[$0].id.isTemporary }
    var names = IDChanges(capacity: temporary.count)
    for index in temporary { names.set(batch.inserted[index].id, to: inserted[index]) }
    newNames = names
    tombstones = Tombstones(count: batch.deleted.count)
  }

  private static func ids(of rows: [Row], in store: PostgreSQLStore, _ connection: ServerConnection) throws -> [RowID] {
    func needsID(_ id: RowID) -> Bool { id.isTemporary || id.store != store.number }
    var ids = rows.map(\.id)
    if rows.count == 1, needsID(ids[0]) {
      let layout = rows[0].page.layout
      let root = store.schema.storedNumber(of: layout.rootNumber)
      let key = try store.keys.take(1, of: root, on: connection)[0]
      return [RowID(store: store.number, entity: layout.number, key: key)]
    }
    let new = ids.indices.filter { needsID(ids[$0]) }
    // The entities of their hierarchies, in the order of the rows.
    var keys = try store.keys.take(for: new.map { rows[$0].page.layout }, in: store.schema, on: connection)
    for index in new {
      let layout = rows[index].page.layout
      ids[index] = RowID(store: store.number, entity: layout.number, key: keys.next(of: layout.rootNumber))
    }
    return ids
  }

  /// The maximum number of attempts at a commit that collides with others.
  private static let maximumAttempts = 5

  func run() throws -> CommitReceipt {
    for attempt in 1... {
      let collision: StoreError
      do {
        return try write()
      } catch is UnequalRows {
        collision = StoreError(
          .busy, "Cannot write the store '\(store.address)': other writers keep changing its rows. Try again.")
      } catch let error as StoreError where error.isCollision {
        collision = error
      } catch {
        connection.rollBack()
        throw error
      }
      connection.rollBack()
      // Of a moment after the collision, with the rows that were in the way, unless they are gone again.
      try connection.transaction(.reading) { try refuseConflicts() }
      if attempt == Self.maximumAttempts { throw collision }
    }
    preconditionFailure("The last attempt returns or throws.")
  }

  /// Rows were not at the versions that the batch expects.
  struct UnequalRows: Error {}

  private func write() throws -> CommitReceipt {
    let versions = batch.updated.map { $0.row.version &+ 1 }
    let derived = store.derivingEntities.isEmpty ? [] : derivingRows
    if metadata.isEmpty, derived.isEmpty, let small = SmallCommit(batch, in: store) {
      let number = try refusing { try small.run(on: connection, inserted: inserted, permanent: permanent) }
      guard let number else { throw UnequalRows() }
      return CommitReceipt(inserted: inserted, updatedVersions: versions, transaction: number)
    }
    try writeRows(after: SQLStatement(TransactionKind.writing.rawValue))
    if !metadata.isEmpty { try connection.addMetadata(metadata) }
    // As the triggers leave them, before others can change them.
    let derivedRows = derived.isEmpty ? RowList() : try store.reader(on: connection).rows(with: derived)
    let transaction = try ServerHistoryRecord(of: batch, inserted: inserted, tombstones: tombstones, store: store)
      .commit(on: connection, to: store)
    var receipt = CommitReceipt(inserted: inserted, updatedVersions: versions, transaction: transaction)
    (receipt.triggered, receipt.triggeredRows) = (derived, derivedRows)
    return receipt
  }

  /// The new and changed rows with derived attributes.
  private var derivingRows: [RowID] {
    (inserted + batch.updated.map(\.row.id)).filter { store.derivingEntities.contains($0.entity) }
  }

  /// Writes all but the history.
  /// - Parameter begin: the beginning of the transaction; nil within an open one, as of a batch request.
  /// - Throws: `UnequalRows`, and what the server says.
  func writeRows(after begin: SQLStatement? = nil) throws {
    var trip = RoundTrip()
    if let begin { trip.add(begin) }
    checkRows(in: &trip)
    try deleteRows(in: &trip)
    freeUniqueValues(in: &trip)
    try updateRows(in: &trip)
    try insertRows(in: &trip)
    try changeLinks(in: &trip)
    try trip.run(on: connection)
    try changeOrderedLinks()
  }

  /// Turns what the server would have refused into its error.
  func refusing<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let failure as ServerFailure { throw failure.storeError("write", store.address) }
  }

  /// The permanent ID behind a reference in the batch.
  func permanent(_ id: RowID) throws -> RowID {
    guard id.isTemporary else { return id }
    guard let permanent = newNames[id] else {
      throw StoreError(
        .unsupported,
        "Cannot write the store '\(store.address)': a relationship leads to a new "
          + "'\(store.schema.model.layout(number: id.entity).name)' that is not among the new objects of this save.")
    }
    return permanent
  }
}

extension StoreError {
  /// Whether the transaction met another one, so that it may succeed if it is run again.
  var isCollision: Bool {
    guard let failure = cause as? ServerFailure else { return false }
    return failure.isUniqueness || failure.isTransient || failure.isStalePlan || failure.isUncopyable
  }
}

/// Statements that are sent together, with handlers of their results. More than a pipeline takes are split into
/// several.
struct RoundTrip {
  private var statements: [ServerStatement] = []
  private var readers: [(ServerResult) throws -> Void] = []

  mutating func add(_ statement: SQLStatement) { add(ServerStatement(statement)) }

  mutating func add(_ statement: ServerStatement, reading read: @escaping (ServerResult) throws -> Void = { _ in }) {
    statements.append(statement)
    readers.append(read)
  }

  /// Sends what there is so far.
  mutating func run(on connection: ServerConnection) throws {
    defer { (statements, readers) = ([], []) }
    var start = 0
    while start < statements.count {
      let end = min(start + ServerConnection.maximumPipelineLength, statements.count)
      let results = try connection.run(Array(statements[start..<end]))
      for (read, result) in zip(readers[start..<end], results) { try read(result) }
      start = end
    }
  }
}
