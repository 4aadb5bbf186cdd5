import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Batch requests.
extension SQLStore {
  /// Rows and their history are written in one COMMIT (invariant 1), as the only writer of all processes.
  package func execute(_ change: BulkChange) throws -> BulkReceipt {
    let writer = try writableStore()
    // A request without rows, or whose first rows are invalid, needs no lock.
    let first: BulkPage? = if case .insert(let insertion) = change.work { try insertion.rows.next() } else { nil }
    if case .insert = change.work, first == nil { return BulkReceipt() }
    return try writer.write { connection, statements in
      let commit = BulkCommit(of: change, in: self, on: connection, with: statements)
      guard hasOwnCacheSize else { return try commit.run(startingWith: first) }
      return try GrowingCache.withMaximum(on: connection) { try commit.run(startingWith: first) }
    }
  }
}

/// One batch request, from BEGIN to COMMIT.
final class BulkCommit {
  let store: SQLStore
  let connection: Connection
  let change: BulkChange
  let statements: WriteStatements
  let writer: BulkWriter
  var receipt = BulkReceipt()
  /// The number of the last change in the history, read once: the writer lock excludes other writers.
  private var lastChange: Int64 = 0
  private var changesBefore: Int64 = 0

  init(of change: BulkChange, in store: SQLStore, on connection: Connection, with statements: WriteStatements) {
    self.change = change
    self.store = store
    self.connection = connection
    self.statements = statements
    writer = BulkWriter(selects: store.selects)
  }

  func run(startingWith first: BulkPage?) throws -> BulkReceipt {
    var isAnnounced = false
    do {
      try connection.writing {
        try beginHistory()
        switch change.work {
        case .insert(let insertion): try insert(insertion, startingWith: first)
        case .update(let update): try self.update(update)
        case .delete(let deletion): try delete(deletion)
        }
        // A request that changed nothing leaves no transaction.
        if receipt.isEmpty { throw Nothing() }
        try endHistory()
        guard let number = receipt.transaction else { return }
        store.observer?.willCommit(transaction: number)
        isAnnounced = true
      }
    } catch is Nothing {
      receipt.transaction = nil
    } catch {
      if isAnnounced, let number = receipt.transaction { store.endCommit(number, after: error) }
      throw error
    }
    return receipt
  }

  private struct Nothing: Error {}
}

/// History.
extension BulkCommit {
  private func beginHistory() throws {
    guard store.keepsHistory else { return }
    receipt.transaction = try store.insertTransaction(
      author: change.author, contextName: change.contextName, on: connection)
    changesBefore = try PrimaryKeyAllocator(of: store, on: connection).allocate(0, of: HistoryWriter.changeNumber) - 1
    lastChange = changesBefore
  }

  private func endHistory() throws {
    guard lastChange > changesBefore else { return }
    _ = try PrimaryKeyAllocator(of: store, on: connection).allocate(
      Int(lastChange - changesBefore), of: HistoryWriter.changeNumber)
  }

  /// Records the change of many rows. Returns how many there are; nil without history.
  @discardableResult
  func record(
    _ kind: HistoryChange.Kind, from source: SQLStatement, columns: String = "NULL", tombstones: [String] = []
  ) throws -> Int? {
    guard let transaction = receipt.transaction else { return nil }
    try connection.run(
      writer.record(
        kind, from: source, columns: columns, tombstones: tombstones, transaction: transaction, after: lastChange))
    let count = connection.changes
    lastChange += Int64(count)
    return count
  }

  func recordUpdate(of id: RowID, columns: [UInt8]) throws {
    guard let transaction = receipt.transaction else { return }
    lastChange += 1
    let statement = try connection.statement(HistoryWriter.insertChange)
    statement.bind(lastChange, at: 1)
    statement.bind(HistoryChange.Kind.update.rawValue, at: 2)
    statement.bind(Int64(store.schema.storedNumber(of: id.entity)), at: 3)
    statement.bind(id.key, at: 4)
    statement.bind(transaction, at: 5)
    try statement.bind(.blob(columns), at: 6)
    try statement.run()
  }

  func ids(_ text: String, bindings: [StoredValue] = []) throws -> [RowID] {
    let statement = try connection.statement(text)
    try statement.bind(bindings)
    return try store.ids(of: statement)
  }

  func uniquenessError(_ failure: SQLiteFailure, operation what: String) -> StoreError {
    guard failure.isUniqueness else { return failure.storeError("write", path: store.path) }
    return StoreError(
      .constraint,
      "Cannot write the store '\(store.path)': \(what) has values that another row already has and that must be unique "
        + "(\(failure.message)). Nothing was changed.", cause: failure)
  }
}
