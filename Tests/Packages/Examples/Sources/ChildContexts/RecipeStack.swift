import CoreData

/// Three layers of contexts. The one on top of the store writes in the background; its child shows; the children of that
/// one import. A save goes one layer down.
public final class RecipeStack: Sendable {
  public let container: NSPersistentContainer
  /// Writes, on a queue of its own.
  public let writerContext: NSManagedObjectContext
  /// What the user interface shows, before it is in the store.
  public let mainContext: NSManagedObjectContext

  public init(storeURL: URL) throws {
    container = NSPersistentContainer(name: "Recipes")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    writerContext = container.newBackgroundContext()
    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    mainContext.parent = writerContext
  }

  /// Saves what the main context has into the writer, and from there into the store.
  @MainActor public func save() async throws {
    guard mainContext.hasChanges else { return }
    try mainContext.save()
    let writer = writerContext
    try await writer.perform { try writer.save() }
  }
}
