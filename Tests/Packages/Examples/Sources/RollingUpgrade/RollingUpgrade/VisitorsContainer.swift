import CoreData

/// The container of a program whose versions use one store at the same time, in the folder of their group.
public final class VisitorsContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it adds nothing to its superclass, which is Sendable.

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

  /// Calls `end` when a newer version of the program has migrated the store, after which this version can neither read nor
  /// save. Unsaved changes are lost, so save often.
  public func whenMigrated(_ end: @escaping @Sendable () -> Void) {
    // The observer stays registered until the process ends.
    _ = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoreWasMigrated, object: persistentStoreCoordinator, queue: nil
    ) { _ in end() }
  }

  /// Saves a visit, and returns the number of visits.
  public func addVisit(_ values: [String: Any] = [:]) throws -> Int {
    let visit = NSEntityDescription.insertNewObject(forEntityName: "Visit", into: viewContext)
    visit.setValue(Date(), forKey: "time")
    for (key, value) in values { visit.setValue(value, forKey: key) }
    try viewContext.save()
    return try viewContext.count(for: NSFetchRequest<any NSFetchRequestResult>(entityName: "Visit"))
  }
}
