import CoreData

/// The container of a program whose versions run side by side on one store, in the folder of their group.
public final class VisitorsContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is.

  public override class func defaultDirectoryURL() -> URL {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.visitors")
      ?? super.defaultDirectoryURL()
  }

  /// Opens the store, and migrates it if an older version of the program wrote it.
  /// - Parameter bundle: the bundle with this version's model.
  public static func open(modelIn bundle: Bundle) throws -> VisitorsContainer {
    guard let url = bundle.url(forResource: "Visitors", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileNoSuchFile) }
    let container = VisitorsContainer(name: "Visitors", managedObjectModel: model)
    let description = container.persistentStoreDescriptions.first
    description?.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    // A process that follows the others is notified of a migration while it is idle.
    container.viewContext.automaticallyMergesChangesFromParent = true
    return container
  }

  /// Calls `end` when a newer version of the program has migrated the store: this one can neither read nor save from then
  /// on. What it has not saved by then is lost, so it saves often.
  public func whenMigrated(_ end: @escaping @Sendable () -> Void) {
    // It is observed for as long as the process runs.
    _ = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoreWasMigrated, object: persistentStoreCoordinator, queue: nil
    ) { _ in end() }
  }

  /// Saves a visit, and returns how many there are.
  public func addVisit(_ values: [String: Any] = [:]) throws -> Int {
    let visit = NSEntityDescription.insertNewObject(forEntityName: "Visit", into: viewContext)
    visit.setValue(Date(), forKey: "time")
    for (key, value) in values { visit.setValue(value, forKey: key) }
    try viewContext.save()
    return try viewContext.count(for: NSFetchRequest<any NSFetchRequestResult>(entityName: "Visit"))
  }
}
