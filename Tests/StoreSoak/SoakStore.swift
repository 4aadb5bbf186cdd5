import CoreData
import CoreDataPostgreSQL
import Foundation
import StrataTestSupport

/// The store shared by all processes of a soak: items that are inserted, changed and deleted, and one row per commit.
///
/// Rows of `Commit` are never deleted. In a file their keys are assigned under the writer lock, so their order is that of
/// the commits, and a process that merged the keys 1, 2, 3… merged every commit once and in order. On a server, the
/// history determines their order.
enum SoakStore {
  static let places = 16
  static let tags = 12
  static let keys = 400

  /// Whether the store is on a server.
  static var isOnServer: Bool { getenv(SoakServer.urlKey) != nil }

  static func url(in folder: String) -> URL {
    if let text = getenv(SoakServer.urlKey), let url = URL(string: String(cString: text)) { return url }
    return URL(fileURLWithPath: folder).appendingPathComponent("Soak.sqlite")
  }

  /// Opens the store through the public API, with history.
  static func open(in folder: String) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Soak", managedObjectModel: model())
    let description = NSPersistentStoreDescription(url: url(in: folder))
    if isOnServer { description.type = NSPostgreSQLStoreType }
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  /// Creates the places and tags in a new store.
  static func fill(_ container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      guard try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Place")) == 0 else { return }
      for (entity, count) in [("Place", places), ("Tag", tags)] {
        for number in 0..<count {
          NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(number, forKey: "number")
        }
      }
      try context.save()
    }
  }

  static func close(_ container: NSPersistentContainer) throws {
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  private static func model() -> NSManagedObjectModel {
    makeModel(
      makeEntity("Commit", [attribute("life", .integer64), attribute("number", .integer64)]),
      makeEntity("Item", unique: [["key"]], [attribute("key", .integer64), attribute("value", .integer64)]),
      makeEntity("Place", [attribute("number", .integer64)]), makeEntity("Tag", [attribute("number", .integer64)])
    )
    .relate("Item", "place", .one, "Place", "items", .many)
    .relate("Item", "tags", .many, "Tag", "items", .many)
  }
}

/// An item's state as in the ledgers: `key,value,place,tags`, the tags as bits.
struct ItemState: Hashable {
  var key: Int
  var value: Int
  var place: Int
  var tags: Int

  /// Returns nil if the object's row was deleted.
  init?(_ item: NSManagedObject) {
    guard let key = item.value(forKey: "key") as? Int, let value = item.value(forKey: "value") as? Int else {
      return nil
    }
    self.key = key
    self.value = value
    place = (item.value(forKey: "place") as? NSManagedObject)?.value(forKey: "number") as? Int ?? -1
    tags = (item.value(forKey: "tags") as? Set<NSManagedObject> ?? []).reduce(0) { bits, tag in
      bits | 1 << (tag.value(forKey: "number") as? Int ?? 62)
    }
  }

  init?(_ text: Substring) {
    let numbers = text.split(separator: ",").compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    (key, value, place, tags) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  var text: String { "\(key),\(value),\(place),\(tags)" }

  /// All items of a store as a new context reads them.
  static func all(of container: NSPersistentContainer) throws -> [Int: ItemState] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).compactMap { ItemState($0) }
      return Dictionary(items.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }
}

/// Nanoseconds of the monotonic clock, which all processes of the machine share.
func monotonicNow() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
