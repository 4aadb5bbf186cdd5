import CoreData
import Foundation
import StrataTestSupport
import Testing

/// One store that is opened with several versions of its model, one after the other.
struct MigratedStore {
  let url: URL
  var history = false

  init(history: Bool = false) throws {
    url = try TemporaryFolder.make().appendingPathComponent("Store.sqlite")
    self.history = history
  }

  var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
      NSInferMappingModelAutomaticallyOption: true as NSNumber, NSPersistentHistoryTrackingKey: history as NSNumber,
    ]
  }

  /// Opens the store with a model, runs `body` with a context, saves and closes.
  @discardableResult
  func open<T>(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> T) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let context = coordinator.context(.privateQueueConcurrencyType)
    let result = try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
    try coordinator.remove(store)
    return result
  }

  func bytes() throws -> Data { try Data(contentsOf: url) }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String, by key: String = "name") throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request)
  }

  func texts(_ entity: String, _ key: String = "name") throws -> [String] {
    try all(entity, by: key).map { $0.value(forKey: key) as? String ?? "nil" }
  }
}

extension NSManagedObject {
  func storedText(_ key: String = "name") -> String? { value(forKey: key) as? String }
  func storedNames(_ key: String) -> [String] {
    if let ordered = value(forKey: key) as? NSOrderedSet {
      return ordered.array.compactMap { ($0 as? NSManagedObject)?.storedText() }
    }
    return ((value(forKey: key) as? Set<NSManagedObject>) ?? []).compactMap { $0.storedText() }.sorted()
  }
}
