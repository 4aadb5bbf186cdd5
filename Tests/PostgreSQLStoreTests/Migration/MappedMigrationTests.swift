import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataSQLText
import StrataStoreCoordination
import StrataTestSupport
import Testing

/// Splits a person's name in two.
final class SplittingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let new = manager.destinationInstances(forEntityMappingName: mapping.name ?? "", sourceInstances: [sInstance])[0]
    let parts = sInstance.storedName.split(separator: " ").map(String.init)
    if parts.isEmpty { throw CocoaError(.coderInvalidValue) }
    new.setValue(parts.first, forKey: "name")
    new.setValue(parts.last, forKey: "surname")
  }
}

/// Migration of a store on a server by a mapping model, and in stages.
@Suite(.waitsForProcesses, .serialized) struct MappedMigrationTests {
  private func model(_ isNew: Bool) -> NSManagedObjectModel {
    let (person, pet) = (makeEntity("Person"), makeEntity("Pet"))
    let (pets, owner) = (relationship("pets", to: pet, max: 0), relationship("owner", to: person))
    join(pets, owner)
    person.properties = [attribute("name"), pets] + (isNew ? [attribute("surname")] : [])
    pet.properties = [attribute("name"), owner]
    return makeModel([person, pet])
  }

  private func filled(_ name: String = "Ada Lovelace") throws -> VersionedStore {
    let store = try VersionedStore.onServer()
    try store.open(model(false)) { context in
      let ada = context.make("Person", ["name": name])
      for name in ["Rex", "Tom"] { context.make("Pet", ["name": name, "owner": ada]) }
    }
    return store
  }

  private func mapping(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) throws -> NSMappingModel {
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let person = mapping.entityMappingsByName["IEM_Transform_Person"]
    person?.mappingType = .customEntityMappingType
    person?.entityMigrationPolicyClassName = String(reflecting: SplittingPolicy.self)
    return mapping
  }

  private static let migrated = [
    "Person Ada pets=[\"Rex\", \"Tom\"] surname=Lovelace", "Pet Rex owner=Person.Ada", "Pet Tom owner=Person.Ada",
  ]

  @Test func `a migration manager migrates into another schema`() throws {
    let (old, new) = (try filled(), try VersionedStore.onServer())
    let manager = NSMigrationManager(sourceModel: model(false), destinationModel: model(true))
    let mapping = try mapping(manager.sourceModel, manager.destinationModel)
    try manager.migrateStore(from: old.url, type: .postgreSQL, mapping: mapping, to: new.url, type: .postgreSQL)
    try new.open(model(true)) { try #expect($0.everything() == Self.migrated) }
    try old.open(model(false)) { try #expect($0.names("Person") == ["Ada Lovelace"]) }
  }

  private func rebuild(_ store: VersionedStore) throws -> Bool {
    let (old, new) = (model(false), model(true))
    return try NSPersistentStoreCoordinator.migrateStore(
      at: store.url, type: .postgreSQL, configuration: nil, to: new, by: mapping(old, new), options: store.options)
  }

  @Test func `a store is rebuilt in place`() throws {
    let store = try filled()
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    try connection.run("GRANT SELECT ON zperson TO PUBLIC")
    let token = try store.open(model(false)) { context in
      let stores = context.persistentStoreCoordinator?.persistentStores ?? []
      return (
        stores[0].identifier, context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: stores)
      )
    }
    try NSPersistentStoreCoordinator.setMetadata(["mine": "kept"], type: .postgreSQL, at: store.url)
    try #expect(rebuild(store))
    // A second migration has no effect.
    try #expect(rebuild(store))
    try store.open(model(true)) { context in
      try #expect(context.everything() == Self.migrated)
      let opened = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      #expect(opened.identifier == token.0 && opened.metadata["mine"] as? String == "kept")
      // The history does not include the migration: readers with an older token must read everything again.
      let error = #expect(throws: CocoaError.self) {
        try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token.1))
      }
      #expect(error?.errorCode == 134301)
      context.make("Person", ["name": "Bob"])
    }
    #expect(store.refusal(of: model(false)) == 134130)
    let left = try connection.run(
      """
      SELECT (SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'strata\\_%'), \
      (SELECT bool_or(relacl::text LIKE '%=r/%') FROM pg_class WHERE oid = 'zperson'::regclass)
      """)
    #expect(left.integer(0, 0) == 0 && left.integer(0, 1) != 0)
  }

  @Test func `a failed migration policy leaves the store unchanged`() throws {
    let store = try filled(" ")
    #expect(throws: CocoaError.self) { try rebuild(store) }
    try store.open(model(false)) { try #expect($0.names("Pet") == ["Rex", "Tom"]) }
  }

  @Test func `migration stages run once`() throws {
    let store = try filled()
    let (old, new) = (model(false), model(true))
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
      to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for person in try context.all("Person") {
          let parts = person.storedName.split(separator: " ").map(String.init)
          person.setValue(parts.first, forKey: "name")
          person.setValue(parts.last, forKey: "surname")
        }
        try context.save()
      }
    }
    var options = store.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(true))
    let opened = try coordinator.addPersistentStore(type: .postgreSQL, at: store.url, options: options)
    try coordinator.remove(opened)
    try store.open(model(true)) { try #expect($0.everything() == Self.migrated) }
  }

  /// A subclass of the container, as in books.
  private final class LibraryContainer: NSPersistentContainer, @unchecked Sendable {}

  @Test func `a container migrates its store`() throws {
    let store = try filled()
    let container = LibraryContainer(name: "Library", managedObjectModel: model(true))
    let description = NSPersistentStoreDescription(url: store.url)
    description.type = NSPostgreSQLStoreType
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try #expect(
        context.everything() == [
          "Person Ada Lovelace pets=[\"Rex\", \"Tom\"] surname=nil", "Pet Rex owner=Person.Ada Lovelace",
          "Pet Tom owner=Person.Ada Lovelace",
        ])
    }
  }
}
