import CoreData
import Foundation
import StrataTestSupport

/// Stores with a history: quakes, some of whose attributes the history keeps when they are deleted, and great ones.
enum HistoryWorld {
  static let model: NSManagedObjectModel = {
    let quake = NSEntityDescription()
    quake.name = "Quake"
    let region = NSEntityDescription()
    region.name = "Region"
    let great = NSEntityDescription()
    great.name = "GreatQuake"
    let quakes = relationship("quakes", to: quake, rule: .cascadeDeleteRule)
    let home = relationship("region", to: region, most: 1)
    (quakes.inverseRelationship, home.inverseRelationship) = (home, quakes)
    let wave = attribute("wave", .binaryDataAttributeType, kept: true)
    wave.allowsExternalBinaryDataStorage = true
    quake.properties = [
      attribute("code", .stringAttributeType, kept: true), attribute("magnitude", .doubleAttributeType, kept: true),
      attribute("time", .dateAttributeType, kept: true), attribute("uuid", .UUIDAttributeType, kept: true),
      attribute("page", .URIAttributeType, kept: true), attribute("cost", .decimalAttributeType, kept: true),
      attribute("reviewed", .booleanAttributeType, kept: true), attribute("place", .stringAttributeType), wave, home,
    ]
    region.properties = [attribute("name", .stringAttributeType), quakes]
    great.properties = [attribute("deaths", .integer32AttributeType, kept: true)]
    quake.subentities = [great]
    let model = NSManagedObjectModel()
    model.entities = [quake, region, great]
    return model
  }()

  private static func attribute(_ name: String, _ type: NSAttributeType, kept: Bool = false) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.preservesValueInHistoryOnDeletion = kept
    return attribute
  }

  private static func relationship(
    _ name: String, to entity: NSEntityDescription, most: Int = 0, rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entity
    relationship.maxCount = most
    relationship.deleteRule = rule
    return relationship
  }

  /// A container of its own for a store, as another process has it.
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

  /// Saves one quake, under an author and the name of a context, and answers its id.
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

  /// What a request for history comes to.
  func history<Result>(_ request: NSPersistentHistoryChangeRequest, as type: Result.Type) throws -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      guard let answer = result?.result as? Result else { throw Unexpected(result: "\(result?.result ?? "nil")") }
      return answer
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
