import CoreData

/// A stack whose store is opened, and migrated if necessary, while the user interface starts.
public final class DataController: Sendable {
  public let persistentContainer: NSPersistentContainer

  /// Begins to open the store and returns immediately.
  /// - Parameter completion: called on the main queue when the store can be used, or with the error if it cannot.
  public init(storeURL: URL, completion: @escaping @MainActor @Sendable (Result<Void, any Error>) -> Void) {
    persistentContainer = Self.container(storeURL: storeURL)
    persistentContainer.loadPersistentStores { _, error in
      let result: Result<Void, any Error> = if let error { .failure(error) } else { .success(()) }
      Task { @MainActor in completion(result) }
    }
  }

  /// Opens the store. The caller's thread can do other work until then.
  public init(storeURL: URL) async throws {
    let container = Self.container(storeURL: storeURL)
    persistentContainer = container
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      container.loadPersistentStores { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  private static func container(storeURL: URL) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Diary")
    let description = NSPersistentStoreDescription(url: storeURL)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    container.viewContext.automaticallyMergesChangesFromParent = true
    return container
  }
}
