import Foundation
import StrataManagedModel
import StrataRowStore
import Synchronization

/// One client of a `TestDatabase`.
final class TestStore: HistoryKeeping {
  private let database: TestDatabase
  private let keepsHistory: Bool
  private let client = UUID()
  private let isOpen = Mutex(true)

  init(_ database: TestDatabase, keepsHistory: Bool, isReadOnly: Bool) {
    (self.database, self.keepsHistory) = (database, keepsHistory)
    let hasHistory = database.state.withLock { !$0.history.isEmpty }
    readOnlyReason = isReadOnly ? .requested : !keepsHistory && hasHistory ? .historyNotTracked : nil
  }

  /// The number with which the database was created: all clients share the rows and their IDs.
  var number: Int { database.rows.number }
  var identifier: String { database.rows.identifier }
  /// Another URL requires another client.
  var isBoundToURL: Bool { true }

  private func opened() throws -> TestDatabase {
    guard isOpen.withLock({ $0 }) else { throw StoreError(.notOpen, "The test database was closed.") }
    return database
  }

  func close() { isOpen.withLock { $0 = false } }

  // MARK: Reading

  func rows(for plan: FetchQuery) throws -> RowList { try opened().rows.rows(for: plan) }
  func ids(for plan: FetchQuery) throws -> [RowID] { try opened().rows.ids(for: plan) }
  func count(for plan: FetchQuery) throws -> Int { try opened().rows.count(for: plan) }
  func values(for plan: AggregateQuery) throws -> ValueTable { try opened().rows.values(for: plan) }
  func rows(with ids: [RowID]) throws -> RowList { try opened().rows.rows(with: ids) }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try opened().rows.related(to: owner, relationship: relationship)
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try opened().rows.related(to: owners, relationship: relationship)
  }
  func pinned() throws -> (any RowView)? { nil }

  // MARK: Writing

  let readOnlyReason: ReadOnlyReason?

  private func writable() throws -> TestDatabase {
    guard readOnlyReason == nil else { throw StoreError(.readOnly, "The test database is open for reading only.") }
    return try opened()
  }

  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { try writable().rows.reserveIDs(for: entities) }

  func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    let database = try writable()
    let updates = batch.updated.map { ($0.row.layout.name, $0.allowsNewerVersion) }
    database.state.withLock { $0.allowsNewerVersion = Dictionary(updates) { $0 && $1 } }
    var receipt = CommitReceipt(inserted: [], updatedVersions: [], transaction: nil)
    let number = try database.commit(by: client, keepingHistory: keepsHistory) {
      receipt = try database.rows.commit(batch)
      return receipt.transaction
    }
    receipt.transaction = number
    return receipt
  }

  func execute(_ change: BulkChange) throws -> BulkReceipt {
    let database = try writable()
    var receipt = BulkReceipt()
    let number = try database.commit(by: client, keepingHistory: keepsHistory) {
      receipt = try database.rows.execute(change)
      return receipt.transaction
    }
    receipt.transaction = number
    return receipt
  }

  var metadata: [String: any Sendable] { get throws { try TestDriver.metadata(of: opened()) } }

  func setMetadata(_ metadata: [String: any Sendable]) throws { try writable().rows.setMetadata(metadata) }

  // MARK: History and commits of others

  var historyKeeping: (any HistoryKeeping)? { keepsHistory ? self : nil }
  var commitSignaling: (any CommitSignaling)? { self }
  var signal: any CommitSignal { TestSignal(database: database) }
  var historyReaders: any HistoryReaderRegistry { TestReaders(database: database) }

  /// Not needed: the history marks the client's own transactions.
  var observer: (any TransactionObserver)? {
    get { nil }
    set {}
  }

  func makeCommitProbe() throws -> any CommitProbe { TestProbe(of: database) }

  func history(_ plan: HistoryQuery) throws -> HistoryRange {
    try opened().history(plan, for: client)
  }

  func newestTransaction() throws -> Int64 {
    try opened().state.withLock { state in
      guard state.failingRequests == 0 else {
        state.failingRequests -= 1
        throw StoreError(.io, "The test database does not respond.")
      }
      return state.newest
    }
  }
  func oldestTransaction() throws -> Int64 { try opened().state.withLock { $0.oldest } }

  func firstTransaction(since time: Double) throws -> Int64 {
    try opened().state.withLock { state in
      state.history.first { $0.transaction.timestamp >= time }?.transaction.number ?? state.newest + 1
    }
  }

  func purgeHistory(before transaction: Int64) throws -> Int { try writable().purge(before: transaction) }

  func purgeHistory(before transaction: Int64, keepingInactive: Bool) throws -> Int {
    let database = try writable()
    return database.registration.withLock {
      let floor = TestReaders(database: database).floor(keepingInactive: keepingInactive)
      return database.purge(before: min(transaction, floor.map { $0 + 1 } ?? .max))
    }
  }
}
