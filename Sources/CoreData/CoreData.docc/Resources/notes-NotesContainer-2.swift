import CoreData

/// The notes of one user, in a folder that every process of the program shares.
final class NotesContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is.

  override class func defaultDirectoryURL() -> URL {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.notes")
      ?? super.defaultDirectoryURL()
  }

  /// Opens the store.
  func loadStore() throws {
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }
}
