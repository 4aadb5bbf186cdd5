import CoreData

/// The notes of one user.
final class NotesContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is.

  /// Opens the store.
  func loadStore() throws {
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }
}
