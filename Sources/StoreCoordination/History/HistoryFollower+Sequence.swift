import Foundation
import StrataObjectGraph
import StrataRowStore

extension HistoryFollower {
  /// The transactions of a store as an asynchronous sequence.
  public struct Transactions: AsyncSequence, Sendable {
    /// The elements are transactions.
    public typealias Element = NSPersistentHistoryTransaction

    fileprivate let follower: HistoryFollower
    init(follower: HistoryFollower) { self.follower = follower }

    /// Returns an iterator that continues from the follower's position.
    public func makeAsyncIterator() -> Iterator {
      follower.begin()
      return Iterator(follower: follower)
    }

    /// Returns transactions one by one. Requesting the next one completes the previous one.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let follower: HistoryFollower

      /// Returns the next transaction, waiting for a commit if necessary; nil once the task is canceled or the
      /// follower has ended.
      /// - Throws: the errors of ``HistoryFollower/catchUp(_:)``.
      public mutating func next() async throws -> NSPersistentHistoryTransaction? {
        while !Task.isCancelled && !follower.isEnded {
          if let transaction = try follower.next() { return transaction }
          if try follower.watch() { continue }
          await follower.sleep()
        }
        return nil
      }
    }
  }

  /// Purges the history of a store up to a date, except for what a reader has not read.
  ///
  /// That means every process that merges commits automatically, every running follower, and every named follower whose
  /// position moved within the last week, running or not. `NSPersistentHistoryChangeRequest.deleteHistory(before:)`
  /// considers only running processes. The writer lock is held for some milliseconds at a time, so that others can
  /// write in between.
  ///
  /// ```swift
  /// let month = Date.now.addingTimeInterval(-30 * 86_400)
  /// try HistoryFollower.purgeHistory(of: store, before: month)
  /// ```
  /// - Returns: the number of transactions that were purged.
  /// - Throws: `CocoaError` 134091 for a store without a history, 513 for a read-only store, 134090 if another process
  ///   keeps the writer lock, and file system errors.
  @discardableResult
  public static func purgeHistory(of store: NSPersistentStore, before date: Date = .distantFuture) throws -> Int {
    guard store.commitMonitor != nil, let backEnd = store.backEnd.historyKeeping else {
      throw CocoaError.coreData(
        .unsupported, "The store '\(store.url?.shown ?? store.type)' has no history that could be purged.")
    }
    return try storeErrors(saving: true) {
      let first = try backEnd.firstTransaction(since: date.timeIntervalSinceReferenceDate)
      return try backEnd.purgeHistory(before: first, keepingInactive: true)
    }
  }

  /// Forgets the position of a named follower, which then no longer delays a purge. A running follower keeps it.
  /// - Throws: `CocoaError` 256…640 if the file cannot be written.
  public static func forget(name: String, of store: NSPersistentStore) throws {
    guard let backEnd = store.backEnd.historyKeeping else { return }
    try storeErrors { try backEnd.historyReaders.forget(name: name) }
  }
}
