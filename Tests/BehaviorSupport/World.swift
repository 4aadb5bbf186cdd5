import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataSampleStores
import StrataTestSupport
import Testing

/// The small world of these tests: regions have quakes, quakes have tags.
enum World {
  static let model: NSManagedObjectModel = {
    let quake = NSEntityDescription()
    quake.name = "Quake"
    let region = NSEntityDescription()
    region.name = "Region"
    let tag = NSEntityDescription()
    tag.name = "Tag"
    let quakes = relationship("quakes", to: quake, rule: .cascadeDeleteRule)
    let home = relationship("region", to: region, most: 1)
    let tags = relationship("tags", to: tag)
    let tagged = relationship("quakes", to: quake)
    (quakes.inverseRelationship, home.inverseRelationship) = (home, quakes)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    let code = attribute("code", .stringAttributeType)
    code.isOptional = false
    code.defaultValue = "?"
    quake.properties = [
      code, attribute("magnitude", .doubleAttributeType), attribute("place", .stringAttributeType),
      attribute("time", .dateAttributeType), attribute("felt", .integer32AttributeType),
      attribute("reviewed", .booleanAttributeType), attribute("wave", .binaryDataAttributeType),
      attribute("uuid", .UUIDAttributeType), attribute("page", .URIAttributeType),
      attribute("cost", .decimalAttributeType), home, tags,
    ]
    region.properties = [attribute("name", .stringAttributeType), quakes]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    let model = NSManagedObjectModel()
    model.entities = [quake, region, tag]
    return model
  }()

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
}

/// The back ends that the tests run on.
enum Store: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case sqlite = "SQLite"
  case memory = "InMemory"
  case postgreSQL = "PostgreSQL"
  /// Stores that a program wrote.
  case atomic = "PropertyList"
  case incremental = "Server"

  /// The framework's own, which take every kind of request.
  static let allCases: [Store] = [.sqlite, .memory, .postgreSQL]

  /// Those of programs too.
  static let every: [Store] = {
    PropertyListStore.register()
    ServerStore.register()
    return allCases + [.atomic, .incremental]
  }()

  var testDescription: String { rawValue }

  /// A container with an empty store of its own.
  func container(history: Bool = false) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "World", managedObjectModel: World.model)
    container.persistentStoreDescriptions = [try description(history: history)]
    try container.load()
    return container
  }

  /// A place where there is no store yet.
  func url(_ name: String) throws -> URL {
    guard self == .postgreSQL else { return try TemporaryFolder.make().appendingPathComponent("\(name).sqlite") }
    precondition(NSPostgreSQLStoreType == rawValue)
    return try PostgreSQLServer.shared.get().freshURL()
  }

  private func description(history: Bool) throws -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: try url("World"))
    description.type = rawValue
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    return description
  }
}

extension NSPersistentContainer {
  func load() throws {
    var failure: (any Error)?
    loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }
}

extension NSManagedObjectContext {
  func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func fetch(
    _ entity: String, _ format: String? = nil, _ arguments: [Any] = [], sort: [NSSortDescriptor] = [], limit: Int = 0
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
    request.sortDescriptors = sort
    request.fetchLimit = limit
    return try fetch(request)
  }
}
