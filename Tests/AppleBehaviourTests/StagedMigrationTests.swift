import CoreData
import Foundation
import Testing

private typealias V = Version

/// An older store goes through its versions stage by stage.
@Suite struct StagedMigrationTests {
  private struct Interruption: Error {}

  /// 1: a full name. 2: a first and a last name beside it. 3: no full name any more. 4: a note.
  private func model(_ version: Int) -> NSManagedObjectModel {
    let names = version < 3 ? [V.attribute("name")] : []
    let parts = version > 1 ? [V.attribute("first"), V.attribute("last")] : []
    return V.model([V.entity("Person", names + parts + (version > 3 ? [V.attribute("note")] : []))])
  }

  private func reference(_ version: Int) -> NSManagedObjectModelReference {
    let model = model(version)
    return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  private func split(_ manager: NSStagedMigrationManager) throws {
    let context = try #require(manager.container).newBackgroundContext()
    try context.performAndWait {
      for person in try context.all("Person") {
        let parts = person.storedText()?.split(separator: " ").map(String.init) ?? []
        person.setValue(parts.first, forKey: "first")
        person.setValue(parts.last, forKey: "last")
      }
      try context.save()
    }
  }

  private func stages() -> (NSStagedMigrationManager, NSCustomMigrationStage) {
    let custom = NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
    custom.didMigrateHandler = { manager, _ in try split(manager) }
    let light = NSLightweightMigrationStage((2...4).map { model($0).versionChecksum })
    return (NSStagedMigrationManager([custom, light]), custom)
  }

  private func add(_ store: MigratedStore, _ version: Int, _ manager: NSStagedMigrationManager) throws -> [String?] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(version))
    var options = store.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
    try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      try context.all("Person", by: "last").flatMap { [$0.storedText("first"), $0.storedText("last")] }
    }
  }

  private func filled() throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(model(1)) { $0.make("Person", ["name": "Ada Lovelace"]) }
    return store
  }

  @Test func theOldestStoreGoesThroughAllStages() throws {
    try #expect(add(filled(), 4, stages().0) == ["Ada", "Lovelace"])
  }

  @Test func aStoreJoinsAtItsOwnVersion() throws {
    let store = try filled()
    try store.open(model(2)) { try $0.all("Person")[0].setValue("Augusta", forKey: "first") }
    try #expect(add(store, 4, stages().0) == ["Augusta", nil])
  }

  @Test func anInterruptedMigrationGoesOn() throws {
    let store = try filled()
    let (manager, custom) = stages()
    custom.willMigrateHandler = { _, _ in throw Interruption() }
    #expect(throws: Interruption.self) { try add(store, 4, manager) }
    try store.open(model(1)) { try #expect($0.texts("Person") == ["Ada Lovelace"]) }
    try #expect(add(store, 4, stages().0) == ["Ada", "Lovelace"])
  }

  @Test func aNewerStoreIsNotBroughtBack() throws {
    let store = try filled()
    _ = try add(store, 4, stages().0)
    let error = #expect(throws: CocoaError.self) { try add(store, 2, stages().0) }
    #expect(error?.errorCode == NSStagedMigrationBackwardMigrationError)
  }

  @Test func aModelThatIsNotThereStopsTheMigration() throws {
    let store = try filled()
    let missing = NSManagedObjectModelReference(name: "NoSuchModel", in: nil, versionChecksum: "x")
    let manager = NSStagedMigrationManager([NSCustomMigrationStage(migratingFrom: reference(1), to: missing)])
    let error = #expect(throws: CocoaError.self) { try add(store, 4, manager) }
    #expect(error?.errorCode == NSManagedObjectModelReferenceNotFoundError)
    try store.open(model(1)) { try #expect($0.texts("Person") == ["Ada Lovelace"]) }
  }
}
