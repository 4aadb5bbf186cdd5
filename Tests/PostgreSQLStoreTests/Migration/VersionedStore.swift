import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataTestSupport
import Testing

/// A store that is opened with several versions of its model, one after the other.
struct VersionedStore {
  let url: URL
  let type: NSPersistentStore.StoreType

  static func onServer() throws -> VersionedStore {
    VersionedStore(url: try PostgreSQLServer.shared.get().freshURL(), type: .postgreSQL)
  }

  static func inFile() throws -> VersionedStore {
    VersionedStore(url: try TemporaryFolder.make().appendingPathComponent("Store.sqlite"), type: .sqlite)
  }

  var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
      NSInferMappingModelAutomaticallyOption: true as NSNumber, NSPersistentHistoryTrackingKey: true as NSNumber,
    ]
  }

  /// Opens the store with a model, runs `body` with a context of it, saves and closes.
  @discardableResult
  func open<T>(
    _ model: NSManagedObjectModel, migrating: Bool = true, _ body: (NSManagedObjectContext) throws -> T
  ) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: type, at: url, options: migrating ? options : [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
    try coordinator.remove(store)
    return result
  }

  /// The code of the error when opening the store with a model, or nil if the store opens.
  func refusal(of model: NSManagedObjectModel, migrating: Bool = true) -> Int? {
    do {
      try open(model, migrating: migrating) { _ in }
      return nil
    } catch {
      return (error as? CocoaError)?.errorCode ?? -1
    }
  }
}

/// Migrates the same rows through several versions on the server and in a file, and compares them.
/// - Returns: all objects in the last version, as texts.
@discardableResult
func migrated(
  _ versions: [() -> NSManagedObjectModel], between change: (Int, NSManagedObjectContext) throws -> Void = { _, _ in },
  filling fill: (NSManagedObjectContext) throws -> Void
) throws -> [String] {
  func run(_ store: VersionedStore) throws -> [[String]] {
    try versions.enumerated().map { number, version in
      try store.open(version()) { context in
        if number == 0 { try fill(context) } else { try change(number, context) }
        if context.hasChanges { try context.save() }
        return try context.everything()
      }
    }
  }
  let (server, file) = (try run(.onServer()), try run(.inFile()))
  #expect(server == file)
  return server.last ?? []
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try fetch(request)
  }

  func names(_ entity: String) throws -> [String] { try all(entity).map(\.storedName) }

  /// All objects with their values, each object named by its attribute `name`.
  func everything() throws -> [String] {
    let model = persistentStoreCoordinator?.managedObjectModel.entities ?? []
    return try model.filter { $0.superentity == nil }.sorted { $0.name ?? "" < $1.name ?? "" }
      .flatMap { try all($0.name ?? "").map(\.inFull) }
  }
}

extension NSManagedObject {
  var storedName: String { value(forKey: "name") as? String ?? "nil" }

  fileprivate var inFull: String {
    let values = entity.propertiesByName.sorted { $0.key < $1.key }.filter { $0.key != "name" && !$0.value.isTransient }
      .map { "\($0.key)=\(text($0.key))" }
    return (["\(entity.name ?? "") \(storedName)"] + values).joined(separator: " ")
  }

  private func text(_ key: String) -> String {
    switch value(forKey: key) {
    case nil: "nil"
    case let object as NSManagedObject: "\(object.entity.name ?? "").\(object.storedName)"
    case let objects as NSOrderedSet: "\(objects.array.compactMap { ($0 as? NSManagedObject)?.storedName })"
    case let objects as Set<NSManagedObject>: "\(objects.map(\.storedName).sorted())"
    case let data as Data: data.base64EncodedString()
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let value?: "\(value)"
    }
  }
}
