import CoreData
import Foundation
import StrataTestSupport

/// A store with values of all types, relationships and history, whose files tests damage.
struct DamagedStore {
  private let folder: TemporaryFolder
  var url: URL { folder.url("Damaged.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  static func model() -> NSManagedObjectModel {
    makeModel(
      makeEntity(
        "Quake",
        [
          attribute("code", preserved: true), attribute("depth", .double, preserved: true),
          attribute("time", .date, preserved: true), attribute("amount", .decimal, preserved: true),
          attribute("mark", .uuid, preserved: true), attribute("link", .uri, preserved: true),
          attribute("photo", .binaryData, external: true, preserved: true),
          attribute("felt", .integer32, preserved: true),
        ]), makeEntity("Region")
    )
    .relate("Quake", "region", .one, "Region", "quakes", .many)
    .relate("Quake", "near", .ordered, "Region", "around", .many)
  }

  /// - Parameter listens: whether the process becomes a reader of the history, which polls the store.
  func open<T>(listens: Bool = true, _ body: (NSManagedObjectContext) throws -> T) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentHistoryTrackingKey: true])
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.automaticallyMergesChangesFromParent = listens
    return try context.performAndWait { try body(context) }
  }

  func fill() throws {
    try open(listens: false) { context in
      let regions = (0..<3).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Region", into: context) }
      for number in 0..<30 {
        let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
        let values: [String: Any] = [
          "code": "quake \(number)", "depth": Double(number), "time": Date(timeIntervalSinceReferenceDate: 7e8),
          "amount": NSDecimalNumber(value: number), "mark": UUID(), "felt": number,
          "photo": Data(repeating: 7, count: 40), "region": regions[number % 3],
          "near": NSOrderedSet(array: [regions[0], regions[number % 2 + 1]]),
        ]
        for (key, value) in values { quake.setValue(value, forKey: key) }
        quake.setValue(URL(string: "https://example.org/\(number)"), forKey: "link")
      }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      for quake in try context.fetch(request).prefix(5) { context.delete(quake) }
      try context.save()
    }
  }

  /// Reads everything that can be read, and writes.
  func useAll() throws { try open { try useAll(of: $0) } }

  func useAll(of context: NSManagedObjectContext) throws {
    for (name, prefetches) in [("Quake", true), ("Region", true), ("Quake", false), ("Region", false)] {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesPropertyValues = prefetches
      request.returnsObjectsAsFaults = !prefetches
      if prefetches { request.relationshipKeyPathsForPrefetching = name == "Quake" ? ["near"] : ["quakes", "around"] }
      if !prefetches { context.reset() }
      for object in (try? context.fetch(request)) ?? [] {
        for key in object.entity.propertiesByName.keys {
          if let members = object.value(forKey: key) as? Set<NSManagedObject> { _ = members.map(\.objectID) }
        }
      }
    }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
      for change in transaction.changes ?? [] {
        _ = (change.tombstone, change.updatedProperties, change.changedObjectID.uriRepresentation())
      }
    }
    _ = NSEntityDescription.insertNewObject(forEntityName: "Region", into: context)
    try context.save()
  }
}
