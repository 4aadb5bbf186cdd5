import CoreData

/// Three layers of contexts. The lowest one writes to the store in the background, its child belongs to the user interface,
/// and the children of that context import. A save moves changes one layer down.
public final class RecipeStack: Sendable {
  public let container: NSPersistentContainer
  /// The context that writes to the store, with a private queue.
  public let writerContext: NSManagedObjectContext
  /// The context of the user interface.
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

  /// Saves the changes of the main context into the writer, and from there into the store.
  @MainActor public func save() async throws {
    guard mainContext.hasChanges else { return }
    try mainContext.save()
    let writer = writerContext
    try await writer.perform { try writer.save() }
  }
}
