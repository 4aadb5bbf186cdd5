import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataSampleStores
import StrataTestSupport
import Testing

/// The model of most tests: regions have quakes, quakes have tags.
enum Quakes {
  static let model = makeModel(
    makeEntity(
      "Quake",
      [
        attribute("code", optional: false, default: "?"), attribute("magnitude", .double), attribute("place"),
        attribute("time", .date), attribute("felt", .integer32), attribute("reviewed", .boolean),
        attribute("wave", .binaryData), attribute("uuid", .uuid), attribute("page", .uri), attribute("cost", .decimal),
      ]),
    makeEntity("Region", [attribute("name")]), makeEntity("Tag", [attribute("name")])
  )
  .relate("Region", "quakes", .many, "Quake", "region", .one, rule: .cascadeDeleteRule)
  .relate("Quake", "tags", .many, "Tag", "quakes", .many)
}

/// The back ends that the tests run on.
enum Store: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case sqlite = "SQLite"
  case memory = "InMemory"
  case postgreSQL = "PostgreSQL"
  /// Stores that a program implements.
  case atomic = "PropertyList"
  case incremental = "Server"

  /// The framework's stores, which support every kind of request.
  static let allCases: [Store] = [.sqlite, .memory, .postgreSQL]

  /// All stores, including those that programs implement.
  static let every: [Store] = {
    PropertyListStore.register()
    ServerStore.register()
    return allCases + [.atomic, .incremental]
  }()

  var testDescription: String { rawValue }

  /// A container with the store at a URL, or with a new empty store.
  func container(
    of model: NSManagedObjectModel = Quakes.model, at url: URL? = nil, history: Bool = false
  ) throws -> NSPersistentContainer {
    let description = NSPersistentStoreDescription(url: try url ?? self.url("Quakes"))
    description.type = rawValue
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: model)
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }

  /// A URL at which a store can be created.
  func url(_ name: String) throws -> URL {
    guard self == .postgreSQL else { return try TemporaryFolder.make().appendingPathComponent("\(name).sqlite") }
    precondition(NSPostgreSQLStoreType == rawValue)
    return try PostgreSQLServer.shared.get().freshURL()
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
  func child(_ type: NSManagedObjectContextConcurrencyType = .mainQueueConcurrencyType) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: type)
    child.parent = self
    return child
  }

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
