import StrataManagedModel
import StrataPostgreSQLEngine
import StrataPostgreSQLText
import StrataRowStore
import StrataSQLText

/// One commit, in two round trips: all that depends on the rows, then the history and COMMIT. A batch whose rows are not
/// as they must be is rolled back, and only then does it matter which rows those are.
///
/// Deletions come before updates and updates before insertions, so that a unique value can move from one row to another
/// within a batch.
final class Commit {
  let store: PostgreSQLStore
  let connection: ServerConnection
  let batch: ChangeBatch
  /// The program's metadata to write along, if any.
  private let metadata: [String: any Sendable]?
  /// The permanent ids of the inserted rows, in batch order.
  let inserted: [RowID]
  private let newNames: IDChanges
  /// The values of deleted rows that the history keeps, by index in the batch.
  var tombstones: [Int: [StoredValue]] = [:]

  /// - Parameter connection: one without a transaction.
  init(
    of batch: ChangeBatch, to store: PostgreSQLStore, on connection: ServerConnection,
    metadata: [String: any Sendable]? = nil
  ) throws {
    (self.batch, self.store, self.connection, self.metadata) = (batch, store, connection, metadata)
    inserted = try Self.ids(of: batch.inserted, in: store, connection)
    var names = IDChanges(capacity: inserted.count)
    for (row, id) in zip(batch.inserted, inserted) { names.set(row.id, to: id) }
    newNames = names
  }

  private static func ids(of rows: [Row], in store: PostgreSQLStore, _ connection: ServerConnection) throws -> [RowID] {
    func needsID(_ row: Row) -> Bool { row.id.isTemporary || row.id.store != store.number }
    let layouts = rows.compactMap { needsID($0) ? $0.layout : nil }
    if layouts.isEmpty { return rows.map(\.id) }
    var new = try store.keys.ids(for: layouts, in: store.schema, store: store.number, on: connection)[...]
    return rows.map { needsID($0) ? new.popFirst() ?? .none : $0.id }
  }

  /// How often a commit is attempted that collided with another one.
  private static let mostAttempts = 5

  func run() throws -> CommitReceipt {
    for attempt in 1... {
      let collision: StoreError
      do {
        return try write()
      } catch is UnequalRows {
        collision = StoreError(
          .busy, "Cannot write the store '\(store.address)': its rows change too fast for this batch; try again.")
      } catch let error as StoreError where error.isCollision {
        collision = error
      } catch {
        connection.rollBack()
        throw error
      }
      connection.rollBack()
      // Of a moment after the collision, with the rows that were in the way, unless they are gone again.
      try connection.transaction(.reading) { try refuseConflicts() }
      if attempt == Self.mostAttempts { throw collision }
    }
    preconditionFailure("The last attempt returns or throws.")
  }

  /// Rows were not at the versions that the batch expects.
  struct UnequalRows: Error {}

  private func write() throws -> CommitReceipt {
    try writeRows(after: SQLStatement(TransactionKind.writing.rawValue))
    if let metadata { try connection.addMetadata(metadata) }
    // As the triggers leave them, before others can change them.
    let derived = (inserted + batch.updated.map(\.row.id)).filter { store.derivingEntities.contains($0.entity) }
    let derivedRows = derived.isEmpty ? RowList() : try store.reader(on: connection).rows(with: derived)
    let transaction = try HistoryRecord(of: batch, inserted: inserted, tombstones: tombstones, store: store)
      .commit(on: connection, to: store)
    var receipt = CommitReceipt(
      inserted: inserted, updatedVersions: batch.updated.map { $0.row.version &+ 1 }, transaction: transaction)
    (receipt.triggered, receipt.triggeredRows) = (derived, derivedRows)
    return receipt
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

  /// The permanent id behind a reference in the batch.
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
    return failure.isUniqueness || failure.isTransient || failure.isStalePlan
  }
}

/// Statements that are sent together, with what is done with their answers. More than a pipeline takes go in several.
struct RoundTrip {
  private var statements: [ServerStatement] = []
  private var readers: [(ServerResult) throws -> Void] = []

  mutating func add(_ statement: SQLStatement) { add(ServerStatement(statement)) }

  mutating func add(_ statement: ServerStatement, reading read: @escaping (ServerResult) throws -> Void = { _ in }) {
    statements.append(statement)
    readers.append(read)
  }

  func run(on connection: ServerConnection) throws {
    var start = 0
    while start < statements.count {
      let end = min(start + ServerConnection.mostInPipeline, statements.count)
      let results = try connection.run(Array(statements[start..<end]))
      for (read, result) in zip(readers[start..<end], results) { try read(result) }
      start = end
    }
  }
}
