import CoreData
import Foundation

/// What processes do with the history of the store.
enum HistoryProbe {
  /// Follows under a name until it has seen COUNT transactions, and prints the number of each and what was changed.
  static func trace(_ count: Int, as name: String, _ container: NSPersistentContainer) async throws {
    let follower = try HistoryFollower(of: container.persistentStoreCoordinator.persistentStores[0], name: name)
    StoreProbe.say("ready")
    for try await transaction in follower.transactions {
      let changes = (transaction.changes ?? []).map { "\($0.changeType)" }.joined(separator: ",")
      StoreProbe.say("\(transaction.transactionNumber) \(changes)")
      if transaction.transactionNumber >= count { break }
    }
    // The last one is done with, too.
    try follower.catchUp { _ in }
  }

  /// Purges what everybody has read, and prints how many transactions that were.
  static func purge(_ container: NSPersistentContainer) throws {
    let store = container.persistentStoreCoordinator.persistentStores[0]
    StoreProbe.say("\(try HistoryFollower.purgeHistory(of: store))")
  }
}
