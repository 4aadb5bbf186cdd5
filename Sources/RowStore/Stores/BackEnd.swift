import Foundation
import StrataManagedModel

/// A store: a source that persists what is committed.
package protocol BackEnd: RowSource {
  /// The store's number in its rows' IDs, 1…255.
  var number: Int { get }

  /// The store's UUID in upper case: the host of its objects' URIs.
  var identifier: String { get }

  /// The store's metadata: property list values by key.
  var metadata: [String: any Sendable] { get throws }

  /// Sets the program's own metadata by key, immediately; type and UUID stay.
  func setMetadata(_ metadata: [String: any Sendable]) throws

  /// `commit` and `setMetadata` in one transaction or, if the store cannot do that, in sequence.
  func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt

  /// The history of commits, in order, from one snapshot; empty if the store keeps no history.
  func history(_ query: HistoryQuery) throws -> HistoryRange

  /// Deletes the transactions with smaller numbers. The numbers are not reused.
  /// - Returns: how many were deleted.
  func purgeHistory(before transaction: Int64) throws -> Int

  /// The number of the newest transaction; 0 without a history.
  func newestTransaction() throws -> Int64

  /// A snapshot of the store, held while the returned view lives. nil if the store does not support snapshots. Once the
  /// store is closed, the view throws `.notOpen` too.
  func pinned() throws -> (any RowView)?

  /// Reserves permanent IDs for new rows, in order. nil if the store assigns none before saving.
  func reserveIDs(for rows: [Row]) throws -> [RowID]?

  /// Closes the store. Later calls throw `.notOpen`.
  func close()

  // MARK: Optional capabilities: by default a store lacks them

  /// This store, if others can commit to it while it is open here; nil otherwise.
  var commitSignaling: (any CommitSignaling)? { get }

  /// This store, if it keeps a history; nil otherwise.
  var historyKeeping: (any HistoryKeeping)? { get }

  /// Reports a migration of the store while it is open here; nil for a store that no other process opens.
  var migrationNotice: MigrationNotice? { get }

  /// The reason the store is read-only; nil if it can be written.
  var readOnlyReason: ReadOnlyReason? { get }

  /// Whether the store must be reopened to move to another URL.
  var isBoundToURL: Bool { get }

  /// Adopts another URL. Not called if the store is bound to its URL.
  func urlDidChange(to url: URL)

  /// Copies this store as a whole, without looking at objects, over the one at a URL.
  /// - Parameters:
  ///   - identifier: the UUID of the copy.
  ///   - timeout: how many seconds to wait for a writer there.
  /// - Returns: false, with nothing done, if the store cannot be copied that way, or not to that URL.
  func copy(to url: URL, identifier: String, timeout: Double) throws -> Bool

  /// Checks that all large values stored outside the rows are readable, before the rows are recreated elsewhere: an
  /// unreadable value would become nil there, and the reference to it would be lost.
  /// - Throws: `.corrupt` for the first unreadable value.
  func checkExternalData() throws

  /// Finishes deferred migration, in transactions that others can write between.
  /// - Parameter all: false performs only one task.
  func finishMigration(all: Bool) throws
}

/// The reason an open store is read-only.
package enum ReadOnlyReason: Sendable {
  /// The options asked for it.
  case requested
  /// The store has a history that the options did not ask for: commits would be missing from it, and its readers would
  /// never see them.
  case historyNotTracked
}

extension BackEnd {
  package var commitSignaling: (any CommitSignaling)? { nil }
  package var historyKeeping: (any HistoryKeeping)? { nil }
  package var migrationNotice: MigrationNotice? { nil }
  package var readOnlyReason: ReadOnlyReason? { nil }
  package var isBoundToURL: Bool { false }
  package func urlDidChange(to url: URL) {}
  package func copy(to url: URL, identifier: String, timeout: Double) throws -> Bool { false }
  package func checkExternalData() throws {}
  package func finishMigration(all: Bool) throws {}

  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    try setMetadata(metadata)
    return try commit(batch)
  }

  /// Most stores need only the entities.
  package func reserveIDs(for rows: [Row]) throws -> [RowID]? { try reserveIDs(for: rows.map(\.layout)) }

  /// The transactions after a number, in commit order.
  /// - Parameter limit: the maximum number of transactions; 0 for all.
  package func history(after transaction: Int64, limit: Int) throws -> [HistoryTransaction] {
    try history(HistoryQuery(after: transaction, limit: limit)).transactions
  }
}
