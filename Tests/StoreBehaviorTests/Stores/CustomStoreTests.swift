import CoreData
import Foundation
import StrataSampleStores
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Custom stores that a program implements, used like the framework's own.
@MainActor @Suite struct CustomStoreTests {
  private let folder: URL

  init() throws {
    folder = try TemporaryFolder.make()
    _ = Store.every
  }

  private func url(_ name: String = "Store") -> URL { folder.appendingPathComponent(name) }

  private func open(_ store: Store, _ model: NSManagedObjectModel = Quakes.model) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: store.rawValue, configurationName: nil, at: url())
    return coordinator.context()
  }

  // MARK: Types

  @Test func `store types can be registered and unregistered`() throws {
    let types = NSPersistentStoreCoordinator.registeredStoreTypes.keys
    #expect(types.contains(NSSQLiteStoreType) && types.contains(NSInMemoryStoreType))
    #expect(types.contains(PropertyListStore.type) && types.contains(ServerStore.type))
    NSPersistentStoreCoordinator.registerStoreClass(ServerStore.self, type: .init(rawValue: "Other"))
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Other"] != nil)
    NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Other")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    let error = try #require(throws: CocoaError.self) {
      try coordinator.addPersistentStore(ofType: "Other", configurationName: nil, at: url())
    }
    #expect(error.code.rawValue == NSPersistentStoreInvalidTypeError)
  }

  @Test(arguments: [Store.atomic, .incremental])
  func `an added store has its class, URL and metadata`(_ store: Store) throws {
    let coordinator = try #require(try open(store).persistentStoreCoordinator)
    let opened = try #require(coordinator.persistentStore(for: url()))
    #expect(opened is PropertyListStore || opened is ServerStore)
    #expect(opened.type == store.rawValue && opened.url == url() && !opened.isReadOnly)
    #expect(opened.identifier == opened.metadata[NSStoreUUIDKey] as? String)
    #expect(opened.metadata[NSStoreTypeKey] as? String == store.rawValue)
    let hashes = opened.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes == Quakes.model.entityVersionHashesByName)
    try coordinator.remove(opened)
    #expect(coordinator.persistentStores.isEmpty)
  }

  // MARK: Objects

  @Test(arguments: [Store.atomic, .incremental])
  func `objects are read back under their IDs`(_ store: Store) throws {
    let context = try open(store)
    let region = context.insert("Region", ["name": "Tonga"])
    let values: [String: Any] = [
      "code": "a", "magnitude": 7.5, "felt": 3, "reviewed": true, "time": Date(timeIntervalSinceReferenceDate: 0.5),
      "wave": Data([1, 2]), "uuid": UUID(), "page": try #require(URL(string: "https://example.org")),
      "cost": NSDecimalNumber(string: "12.75"), "region": region,
    ]
    let quake = context.insert("Quake", values)
    quake.setValue(NSSet(array: ["x", "y"].map { context.insert("Tag", ["name": $0]) }), forKey: "tags")
    try context.save()
    #expect(!quake.objectID.isTemporaryID)
    let uri = quake.objectID.uriRepresentation()

    let again = try open(store)
    let id = try #require(again.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
    #expect(id == quake.objectID && id.uriRepresentation() == uri)
    let same = try again.existingObject(with: id)
    for (key, value) in values where key != "region" {
      #expect(same.value(forKey: key) as? NSObject == value as? NSObject, "\(key)")
    }
    #expect(same.object("region")?.text("name") == "Tonga")
    #expect(
      (same.value(forKey: "tags") as? Set<NSManagedObject>)?.compactMap { $0.text("name") }.sorted() == ["x", "y"])
    again.delete(same)
    try again.save()
    #expect(try open(store).fetch("Quake").isEmpty)
    #expect(try open(store).fetch("Tag", "ANY quakes != nil").isEmpty)
  }

  @Test(arguments: [Store.atomic, .incremental])
  func `the next save writes the metadata`(_ store: Store) throws {
    let context = try open(store)
    let opened = try #require(context.persistentStoreCoordinator?.persistentStores.first)
    context.persistentStoreCoordinator?.setMetadata(["note": "seen"], for: opened)
    _ = context.insert("Tag")
    try context.save()
    let again = try #require(try open(store).persistentStoreCoordinator?.persistentStores.first)
    #expect(again.metadata["note"] as? String == "seen" && again.identifier == opened.identifier)
  }

  @Test func `a store of another model is refused`() throws {
    let context = try open(.atomic)
    _ = context.insert("Tag")
    try context.save()
    let error = try #require(throws: CocoaError.self) { try open(.atomic, People.model) }
    #expect(error.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: PropertyListStore.type, at: url())
    #expect(Quakes.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  // MARK: Failures and conflicts

  @Test func `a failed commit fails the save, which can be repeated`() throws {
    struct Broken: Error {}
    let context = try open(.incremental)
    let tag = context.insert("Tag", ["name": "x"])
    Server.at(url()).nextFailure = Broken()
    #expect(throws: (any Error).self) { try context.save() }
    #expect(tag.isInserted && context.hasChanges)
    #expect(try open(.incremental).fetch("Tag").isEmpty)
    try context.save()
    #expect(try open(.incremental).fetch("Tag").count == 1)
  }

  @Test func `an unwritable file fails the save`() throws {
    let context = try open(.atomic)
    let tag = context.insert("Tag", ["name": "x"])
    try FileManager.default.createDirectory(at: url(), withIntermediateDirectories: false)
    #expect(throws: (any Error).self) { try context.save() }
    #expect(tag.isInserted)
    try FileManager.default.removeItem(at: url())
    tag.setValue("y", forKey: "name")
    try context.save()
    #expect(try open(.atomic).fetch("Tag").map { $0.text("name") } == ["y"])
  }

  @Test func `a commit by another coordinator causes a merge conflict`() throws {
    let (mine, other) = (try open(.incremental), try open(.incremental))
    _ = mine.insert("Tag", ["name": "old"])
    try mine.save()
    let theirs = try #require(try other.fetch("Tag").first)
    let tag = try #require(try mine.fetch("Tag").first)
    theirs.setValue("theirs", forKey: "name")
    try other.save()
    tag.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try mine.save() }
    #expect(error.code.rawValue == NSManagedObjectMergeError)
    mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try mine.save()
    #expect(try open(.incremental).fetch("Tag").map { $0.text("name") } == ["mine"])
  }

  @Test func `an object whose row was deleted elsewhere cannot be fetched`() throws {
    let (mine, other) = (try open(.incremental), try open(.incremental))
    let tag = mine.insert("Tag", ["name": "x"])
    try mine.save()
    try other.fetch("Tag").forEach(other.delete)
    try other.save()
    mine.refresh(tag, mergeChanges: false)
    let error = try #require(throws: CocoaError.self) { try mine.existingObject(with: tag.objectID) }
    #expect(error.code.rawValue == NSManagedObjectReferentialIntegrityError)
  }

  @Test(arguments: [Store.atomic, .incremental])
  func `batch requests are refused`(_ store: Store) throws {
    let context = try open(store)
    let error = try #require(throws: CocoaError.self) {
      try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag")))
    }
    #expect(error.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
  }

  // MARK: Several stores

  /// Quakes in SQLite and regions in a custom store, connected by a fetched property.
  @Test(arguments: [Store.atomic, .incremental])
  func `configurations can use stores of different types`(_ store: Store) throws {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let (quake, region, tag) = (
      try #require(model.entitiesByName["Quake"]), try #require(model.entitiesByName["Region"]),
      try #require(model.entitiesByName["Tag"])
    )
    quake.properties.removeAll { $0.name == "region" }
    region.properties.removeAll { $0.name == "quakes" }
    let property = NSFetchedPropertyDescription()
    property.name = "quakesThere"
    property.fetchRequest = NSFetchRequest(entityName: "Quake")
    property.fetchRequest?.predicate = NSPredicate(format: "place == $FETCH_SOURCE.name")
    region.properties.append(property)
    model.setEntities([quake, tag], forConfigurationName: "Catalog")
    model.setEntities([region], forConfigurationName: "Places")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let catalog = try coordinator.addPersistentStore(type: .sqlite, configuration: "Catalog", at: url("Catalog.sqlite"))
    let places = try coordinator.addPersistentStore(
      type: .init(rawValue: store.rawValue), configuration: "Places", at: url())
    let context = coordinator.context()
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, place) in [("a", "Tonga"), ("b", "Fiji"), ("c", "Tonga")] {
      _ = context.insert("Quake", ["code": code, "place": place])
    }
    try context.save()
    #expect(tonga.objectID.persistentStore === places)
    #expect(try context.fetch("Quake").allSatisfy { $0.objectID.persistentStore === catalog })
    let found = tonga.value(forKey: "quakesThere") as? [NSManagedObject]
    #expect(found?.compactMap { $0.text("code") }.sorted() == ["a", "c"])
    #expect(try coordinator.context().fetch("Region", "name BEGINSWITH 'T'").map(\.objectID) == [tonga.objectID])
  }

  @Test func `a custom store can be migrated to SQLite`() throws {
    let context = try open(.atomic)
    let region = context.insert("Region", ["name": "Tonga"])
    _ = context.insert("Quake", ["code": "a", "region": region])
    try context.save()
    let coordinator = try #require(context.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    let copy = try coordinator.migratePersistentStore(store, to: url("Copy.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores == [copy])
    #expect(try coordinator.context().fetch("Quake", "region.name == 'Tonga'").map { $0.text("code") } == ["a"])
  }

  @Test(arguments: [Store.atomic, .incremental])
  func `a container loads a custom store`(_ store: Store) throws {
    let container = NSPersistentContainer(name: "World", managedObjectModel: Quakes.model)
    let description = NSPersistentStoreDescription(url: url())
    description.type = store.rawValue
    container.persistentStoreDescriptions = [description]
    try container.load()
    _ = container.viewContext.insert("Tag", ["name": "x"])
    try container.viewContext.save()
    #expect(
      try container.viewContext.persistentStoreCoordinator?.context().count(
        for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 1)
  }
}
