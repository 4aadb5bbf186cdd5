import CoreData
import StrataQuakes

/// Writes objects to a Reference store, also to one of an earlier version.
enum ReferenceWriter {
  static func write(
    to url: URL, as configuration: String = "Reference", _ fill: (NSManagedObjectContext) -> Void
  ) throws {
    let coordinator = QuakesContainer(name: StoreLocation.storeName).persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url,
      options: [NSSQLitePragmasOption: ["journal_mode": "delete"]])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      fill(context)
      try context.save()
    }
    try coordinator.remove(store)
  }

  /// Adds the outline of a box of land.
  static func addLand(_ box: GeoBox, isDetailed: Bool, to context: NSManagedObjectContext) {
    let (west, south, east, north) = (Float(box.west), Float(box.south), Float(box.east), Float(box.north))
    let land = LandOutline(context: context)
    land.isDetailed = isDetailed
    land.fill([(south, west), (north, west), (north, east), (south, east), (south, west)])
  }
}
