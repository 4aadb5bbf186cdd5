import CoreData

/// The container of programs that share a store: each opens it in the folder of their group.
public final class TripsContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is Sendable.

  public override class func defaultDirectoryURL() -> URL {
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.trips") else {
      fatalError("The folder of the group cannot be used.")
    }
    return folder
  }

  /// Opens the store.
  /// - Parameter author: the name of this process in the history.
  public static func open(as author: String) throws -> TripsContainer {
    let container = TripsContainer(name: "Trips")
    let description = container.persistentStoreDescriptions.first
    description?.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description?.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.transactionAuthor = author
    return container
  }
}
