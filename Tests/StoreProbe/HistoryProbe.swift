import CoreData
import Foundation

/// Commands that use the store's history.
enum HistoryProbe {
  /// Follows the history under a name for COUNT transactions, and prints each one's number and changes.
  static func trace(_ count: Int, as name: String, _ container: NSPersistentContainer) async throws {
    let follower = try HistoryFollower(of: container.persistentStoreCoordinator.persistentStores[0], name: name)
    StoreProbe.printLine("ready")
    for try await transaction in follower.transactions {
      let changes = (transaction.changes ?? []).map { "\($0.changeType)" }.joined(separator: ",")
      StoreProbe.printLine("\(transaction.transactionNumber) \(changes)")
      if transaction.transactionNumber >= count { break }
    }
    // Marks the last transaction as processed, too.
    try follower.catchUp { _ in }
  }

  /// Purges the transactions that all readers have read, and prints the number of deleted transactions.
  static func purge(_ container: NSPersistentContainer) throws {
    let store = container.persistentStoreCoordinator.persistentStores[0]
    StoreProbe.printLine("\(try HistoryFollower.purgeHistory(of: store))")
  }
}
