import CoreData

/// The notes of one user, in a folder that every process of the program shares.
final class NotesContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is.

  override class func defaultDirectoryURL() -> URL {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.notes")
      ?? super.defaultDirectoryURL()
  }

  /// Opens the store, with a history for the other processes.
  func loadStore() throws {
    let description = persistentStoreDescriptions.first
    description?.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    viewContext.automaticallyMergesChangesFromParent = true
  }
}
