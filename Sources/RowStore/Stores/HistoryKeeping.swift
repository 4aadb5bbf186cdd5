// THE INVARIANTS of a store that several processes share. Code and tests cite them by number: "invariant 3".
//
// (1) Rows and their history are written in one COMMIT.
// (2) A signal is sent after the COMMIT is visible to other connections, never before. It carries no data; it may be lost,
//     duplicated or combined with others.
// (3) A process that wakes reads the history after its own position, applies the transactions in commit order, each
//     exactly once, and skips those it wrote itself.
// (4) A lost signal costs time, never a change: every opener reads the history at the start, and a safety net below the
//     signal notices unsignaled changes, including those of foreign writers.
// (5) A position is never reused. History is purged only below the oldest position that a living process still needs.
// (6) A process that dies at any instant leaves a store that opens, holds all that was committed and nothing that was not.
// (7) Readers never need the writer lock; a writer never waits for a reader.

/// A store that records its commits, so that all processes that have it open can follow them.
package protocol HistoryKeeping: CommitSignaling {
  /// Learns the numbers of this store's own transactions before a reader of the history can see them.
  var observer: (any TransactionObserver)? { get set }

  /// Records the position of each reader of the history.
  var historyReaders: any HistoryReaderRegistry { get }

  /// The number of the oldest transaction still kept; if none is, one more than the newest.
  func oldestTransaction() throws -> Int64

  /// The number of the first transaction at or after a time; one more than the newest if all are before it.
  /// - Parameter time: seconds since 2001-01-01 00:00 UTC, by the writers' clocks.
  func firstTransaction(since time: Double) throws -> Int64

  /// Purges transactions with smaller numbers, except those that a reader still needs (invariant 5).
  /// - Parameter keepingInactive: whether named readers count that no process runs at the moment.
  /// - Returns: the number of transactions purged.
  func purgeHistory(before transaction: Int64, keepingInactive: Bool) throws -> Int

  /// Records the current state, from which `nextTransactions` continues.
  /// - Returns: the number of the newest transaction.
  func startFollowing() throws -> Int64

  /// Reads the next transactions, with the IDs of what they changed, and notices commits that left none.
  /// - Parameters:
  ///   - number: the last transaction that is known.
  ///   - limit: the maximum number of transactions.
  func nextTransactions(after number: Int64, limit: Int) throws -> HistoryBatch

  /// The origin of the newest commits; nil if the store cannot determine it without reading.
  var commitOrigin: CommitOrigin? { get }

  /// Notices when the store is no longer where it was opened. Reading and writing then fail until it is back.
  func checkFileLocation()
}

extension HistoryKeeping {
  package func startFollowing() throws -> Int64 { try newestTransaction() }

  package func nextTransactions(after number: Int64, limit: Int) throws -> HistoryBatch {
    HistoryBatch(try history(HistoryQuery(after: number, limit: limit, changes: .ids)), after: number)
  }

  package var commitOrigin: CommitOrigin? { nil }

  package func checkFileLocation() {}
}

/// The origin of the newest commits to a store: its own, or those of others, which are all other connections of any process.
///
/// Others have not committed since a read of the history if `others` is the same as before that read, and the newest commit is
/// the store's own.
package struct CommitOrigin: Sendable {
  /// How often the store has found, at the beginning or the end of one of its own commits, that others have committed since its
  /// previous one.
  package var others: Int
  /// Whether the newest commit is the store's own.
  package var isNewestOwn: Bool

  package init(others: Int, isNewestOwn: Bool) {
    (self.others, self.isNewestOwn) = (others, isNewestOwn)
  }
}

/// Learns the numbers of a store's own transactions before a reader of the history can see them, so that the reader
/// knows which transactions are its own (invariant 3). A back end that marks them in its history
/// (`HistoryTransaction.isOwn`) need not call it.
///
/// Called on the committing thread, under the writer lock: it must not ask the store anything.
package protocol TransactionObserver: AnyObject, Sendable {
  /// COMMIT of the transaction comes next.
  func willCommit(transaction: Int64)

  /// COMMIT failed: the store contains nothing of the transaction, and another writer may get its number.
  func didNotCommit(transaction: Int64)

  /// The outcome of a commit is unknown. If it succeeded, it arrives through the history like another process's commit.
  func mayHaveCommitted()
}

extension TransactionObserver {
  package func mayHaveCommitted() {}
}
