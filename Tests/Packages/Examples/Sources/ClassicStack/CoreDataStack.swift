import CoreData

/// A stack without a container: one coordinator, a context for the user interface and one for work in the background.
/// Each merges the other's saves.
public final class CoreDataStack {
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  public let mainContext: NSManagedObjectContext
  public let backgroundContext: NSManagedObjectContext
  private var observers: [any NSObjectProtocol] = []

  /// Opens the store at a URL, creating or migrating it if necessary.
  public init(storeURL: URL) throws {
    guard let modelURL = Bundle.module.url(forResource: "Contacts", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: modelURL)
    else { fatalError("The program has no model named Contacts.") }
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try persistentStoreCoordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL,
      options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])

    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    backgroundContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    for context in [mainContext, backgroundContext] {
      context.persistentStoreCoordinator = persistentStoreCoordinator
      // Changes of this context take precedence, attribute by attribute, over those that the other has saved.
      context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }
    merge(savesOf: backgroundContext, into: mainContext)
    merge(savesOf: mainContext, into: backgroundContext)
  }

  deinit { observers.forEach(NotificationCenter.default.removeObserver(_:)) }

  private func merge(savesOf source: NSManagedObjectContext, into target: NSManagedObjectContext) {
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: source, queue: nil
    ) { [weak target] notification in
      target?.perform { target?.mergeChanges(fromContextDidSave: notification) }
    }
    observers.append(observer)
  }
}
