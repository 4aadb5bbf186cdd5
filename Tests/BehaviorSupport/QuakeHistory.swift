import CoreData
import Foundation
import StrataTestSupport

/// Stores with history, which keeps some attributes of deleted quakes. Great quakes are a subentity.
enum QuakeHistory {
  static let model = makeModel(
    makeEntity(
      "Quake",
      [
        attribute("code", preserved: true), attribute("magnitude", .double, preserved: true),
        attribute("time", .date, preserved: true), attribute("uuid", .uuid, preserved: true),
        attribute("page", .uri, preserved: true), attribute("cost", .decimal, preserved: true),
        attribute("reviewed", .boolean, preserved: true), attribute("place"),
        attribute("wave", .binaryData, external: true, preserved: true),
      ], subentities: [makeEntity("GreatQuake", [attribute("deaths", .integer32, preserved: true)])]),
    makeEntity("Region", [attribute("name")])
  ).relate("Region", "quakes", .many, "Quake", "region", .one, rule: .cascadeDeleteRule)

  /// A separate container for a store, as in another process.
  static func container(
    at url: URL? = nil, history: Bool = true, remote: Bool = false, options: [String: NSObject] = [:]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "History", managedObjectModel: model)
    let url = try url ?? TemporaryFolder.make().appendingPathComponent("History.sqlite")
    let description = NSPersistentStoreDescription(url: url)
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    if remote {
      description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    for (key, value) in options { description.setOption(value, forKey: key) }
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }
}

extension NSPersistentContainer {
  var url: URL { persistentStoreCoordinator.persistentStores[0].url! }

  var token: NSPersistentHistoryToken { persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)! }

  /// Saves a quake with an author and a context name, and returns its ID.
  @discardableResult
  func save(_ code: String, author: String? = nil, context name: String? = nil) throws -> NSManagedObjectID {
    let context = newBackgroundContext()
    (context.transactionAuthor, context.name) = (author, name)
    return try context.performAndWait {
      let quake = context.insert("Quake", ["code": code])
      try context.save()
      return quake.objectID
    }
  }

  func close() throws {
    for store in persistentStoreCoordinator.persistentStores { try persistentStoreCoordinator.remove(store) }
  }

  /// Returns the result of a history request.
  func history<Result>(_ request: NSPersistentHistoryChangeRequest, as type: Result.Type) throws -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      guard let typedResult = result?.result as? Result else { throw Unexpected(result: "\(result?.result ?? "nil")") }
      return typedResult
    }
  }

  struct Unexpected: Error { var result: String }

  func transactions(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
    try history(request, as: [NSPersistentHistoryTransaction].self)
  }

  /// All transactions that a predicate selects.
  func transactions(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryTransaction] {
    guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
    fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try transactions(.fetchHistory(withFetch: fetch))
  }

  /// All changes that a predicate selects.
  func changes(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
    guard let fetch = NSPersistentHistoryChange.fetchRequest else { return [] }
    fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = .changesOnly
    return try history(request, as: [NSPersistentHistoryChange].self)
  }
}
