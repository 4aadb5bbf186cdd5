import Foundation
import StrataCoreDataErrors
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

extension HistoryFollower {
  /// The transactions of a store as they come.
  public struct Transactions: AsyncSequence, Sendable {
    public typealias Element = NSPersistentHistoryTransaction

    fileprivate let follower: HistoryFollower
    init(follower: HistoryFollower) { self.follower = follower }

    public func makeAsyncIterator() -> Iterator {
      follower.begin()
      return Iterator(follower: follower)
    }

    /// Asking for the next transaction says that the one before is done with.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let follower: HistoryFollower

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

  /// Forgets the history of a store up to a date, as far as everybody has read it: every process that merges the commits
  /// of others by itself, every follower that lives, and every follower with a name whose place moved in the last week,
  /// whether it lives or not. `NSPersistentHistoryChangeRequest.deleteHistory(before:)` asks the living alone.
  ///
  /// It holds the writer lock for some milliseconds at a time; others write in between.
  /// - Returns: how many transactions were forgotten.
  /// - Throws: `CocoaError` 134091 for a store without a history, 513 for one that is read only, 134090 if another process
  ///   keeps the writer lock; what stands in the way on the disk.
  @discardableResult
  public static func purgeHistory(of store: NSPersistentStore, before date: Date = .distantFuture) throws -> Int {
    guard store.follower != nil, let backEnd = store.backEnd as? SQLStore else {
      throw CocoaError.coreData(
        .unsupported, "The store '\(store.url?.path ?? store.type)' has no history that could be purged.")
    }
    return try storeErrors(saving: true) {
      let first = try backEnd.firstTransaction(since: date.timeIntervalSinceReferenceDate)
      return try backEnd.purgeHistory(before: first, sparingSleepers: true)
    }
  }

  /// Forgets the place of a name, which then holds no purge back any more. A follower that lives keeps it.
  /// - Throws: `CocoaError` 256…640 if it cannot be written.
  public static func forget(name: String, of store: NSPersistentStore) throws {
    guard let backEnd = store.backEnd as? SQLStore else { return }
    try storeErrors { try HistoryReaders(of: backEnd).forget(name: name) }
  }
}

extension HistoryReaders {
  init(of store: SQLStore) {
    self.init(ofStore: store.path, identifier: store.identifier)
  }
}
