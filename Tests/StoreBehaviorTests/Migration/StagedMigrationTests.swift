import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// An older store is migrated through its versions stage by stage.
@Suite struct StagedMigrationTests {
  private struct Interruption: Error {}

  /// Version 1 has a full name. Version 2 adds a first and a last name, version 3 removes the full name, and version 4
  /// adds a note.
  private func model(_ version: Int) -> NSManagedObjectModel {
    let names = version < 3 ? [attribute("name")] : []
    let parts = version > 1 ? [attribute("first"), attribute("last")] : []
    return makeModel([makeEntity("Person", names + parts + (version > 3 ? [attribute("note")] : []))])
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
    let context = coordinator.context(.privateQueueConcurrencyType)
    return try context.performAndWait {
      try context.all("Person", by: "last").flatMap { [$0.storedText("first"), $0.storedText("last")] }
    }
  }

  private func filled() throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(model(1)) { $0.make("Person", ["name": "Ada Lovelace"]) }
    return store
  }

  @Test func `the oldest store passes through all stages`() throws {
    try #expect(add(filled(), 4, stages().0) == ["Ada", "Lovelace"])
  }

  @Test func `a store starts at the stage of its own version`() throws {
    let store = try filled()
    try store.open(model(2)) { try $0.all("Person")[0].setValue("Augusta", forKey: "first") }
    try #expect(add(store, 4, stages().0) == ["Augusta", nil])
  }

  @Test func `an interrupted migration leaves the store unchanged and can be repeated`() throws {
    let store = try filled()
    let (manager, custom) = stages()
    custom.willMigrateHandler = { _, _ in throw Interruption() }
    #expect(throws: Interruption.self) { try add(store, 4, manager) }
    try store.open(model(1)) { try #expect($0.texts("Person") == ["Ada Lovelace"]) }
    try #expect(add(store, 4, stages().0) == ["Ada", "Lovelace"])
  }

  /// The second version of the model with a mandatory name, and a stage that leads to it.
  private func mandatoryName(
    filling: String?
  ) -> (model: NSManagedObjectModel, manager: NSStagedMigrationManager) {
    let name = attribute("name")
    name.isOptional = false
    let strict = makeModel([makeEntity("Person", [name])])
    let custom = NSCustomMigrationStage(
      migratingFrom: reference(1),
      to: NSManagedObjectModelReference(model: strict, versionChecksum: strict.versionChecksum))
    custom.willMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for person in try context.all("Person") where person.storedText() == nil {
          person.setValue(filling, forKey: "name")
        }
        try context.save()
      }
    }
    return (strict, NSStagedMigrationManager([custom]))
  }

  @Test func `an attribute becomes mandatory once a handler has filled it in`() throws {
    let store = try filled()
    try store.open(model(1)) { _ = $0.make("Person") }
    for filling in [nil, "unknown"] {
      let (strict, manager) = mandatoryName(filling: filling)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: strict)
      var options = store.options
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
      if filling == nil {
        let error = #expect(throws: CocoaError.self) {
          try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
        }
        #expect(error?.errorCode == NSMigrationMissingMappingModelError)
        #expect(error?.localizedDescription.contains("Person.name") == true)
        let count = try store.open(model(1)) { try $0.all("Person").count }
        #expect(count == 2)
        continue
      }
      try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
      let context = coordinator.context(.privateQueueConcurrencyType)
      let names = try context.performAndWait { try context.all("Person", by: "name").map { $0.storedText() } }
      #expect(names == ["Ada Lovelace", "unknown"])
    }
  }

  @Test func `an element becomes mandatory where its composite attribute has a value`() throws {
    func model(elementIsMandatory: Bool) -> NSManagedObjectModel {
      let city = attribute("city")
      city.isOptional = !elementIsMandatory
      let home = NSCompositeAttributeDescription()
      (home.name, home.isOptional, home.elements) = ("home", true, [attribute("street"), city])
      return makeModel([makeEntity("Person", [attribute("name"), home])])
    }
    let (loose, strict) = (model(elementIsMandatory: false), model(elementIsMandatory: true))
    func references() -> [NSManagedObjectModelReference] {
      [loose, strict].map { NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
    }
    for (home, isAccepted) in [(nil, true), (["street": "St. James"], false), (["city": "London"], true)] {
      let store = try MigratedStore()
      try store.open(loose) { $0.make("Person", ["name": "Ada"]).setValue(home, forKey: "home") }
      let versions = references()
      let manager = NSStagedMigrationManager([NSCustomMigrationStage(migratingFrom: versions[0], to: versions[1])])
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: strict)
      var options = store.options
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
      let result = Result { try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options) }
      #expect(((try? result.get()) != nil) == isAccepted, "\(home ?? [:])")
      if case .failure(let error) = result { #expect("\(error)".contains("home.city")) }
    }
  }

  @Test func `a newer store is not migrated back`() throws {
    let store = try filled()
    _ = try add(store, 4, stages().0)
    let error = #expect(throws: CocoaError.self) { try add(store, 2, stages().0) }
    #expect(error?.errorCode == NSStagedMigrationBackwardMigrationError)
  }

  @Test func `a missing model stops the migration`() throws {
    let store = try filled()
    let missing = NSManagedObjectModelReference(name: "NoSuchModel", in: nil, versionChecksum: "x")
    let manager = NSStagedMigrationManager([NSCustomMigrationStage(migratingFrom: reference(1), to: missing)])
    let error = #expect(throws: CocoaError.self) { try add(store, 4, manager) }
    #expect(error?.errorCode == NSManagedObjectModelReferenceNotFoundError)
    try store.open(model(1)) { try #expect($0.texts("Person") == ["Ada Lovelace"]) }
  }
}

/// Stages that lead from a version to the next without naming both.
@Suite struct LightweightStageTests {
  /// The attribute is called `name`, then `first`, then `given`, and the last version adds a note. The third version
  /// does not record the attribute's name in the first.
  private func model(_ version: Int) -> NSManagedObjectModel {
    let names = ["name", "first", "given", "given"]
    let number = version - 1
    let name = attribute(names[number], was: number == 0 ? nil : names[min(number - 1, 1)])
    return makeModel([makeEntity("Person", [name] + (version > 3 ? [attribute("note")] : []))])
  }

  private func light(_ versions: Int...) -> NSMigrationStage {
    NSLightweightMigrationStage(versions.map { model($0).versionChecksum })
  }

  private func custom(_ version: Int) -> NSMigrationStage {
    let references = [version, version + 1].map { version in
      NSManagedObjectModelReference(model: model(version), versionChecksum: model(version).versionChecksum)
    }
    return NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
  }

  private func migrate(_ version: Int, to target: Int, _ stages: [NSMigrationStage]) throws -> [String?] {
    let store = try MigratedStore()
    let names = ["name", "first", "given", "given"]
    try store.open(model(version)) { $0.make("Person", [names[version - 1]: "Ada"]) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(target))
    var options = store.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
    try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
    let context = coordinator.context(.privateQueueConcurrencyType)
    return try context.performAndWait {
      let key = names[target - 1]
      return try context.all("Person", by: key).map { $0.storedText(key) }
    }
  }

  @Test func `a stage with one checksum leads to the next stage`() throws {
    try #expect(migrate(1, to: 3, [light(1), custom(2)]) == ["Ada"])
    try #expect(migrate(1, to: 4, [light(1), custom(2), light(4)]) == ["Ada"])
  }

  @Test func `a stage starts at the version where the previous one ends`() throws {
    try #expect(migrate(1, to: 3, [custom(1), light(3)]) == ["Ada"])
    try #expect(migrate(2, to: 3, [custom(1), light(3)]) == ["Ada"])
    try #expect(migrate(1, to: 4, [custom(1), light(3, 4)]) == ["Ada"])
    try #expect(migrate(3, to: 4, [custom(1), light(3, 4)]) == ["Ada"])
  }

  @Test func `the last stage leads to the current model`() throws {
    try #expect(migrate(1, to: 2, [light(1)]) == ["Ada"])
    try #expect(migrate(1, to: 2, [light(1), light(2)]) == ["Ada"])
    try #expect(migrate(3, to: 4, [custom(1), light(3)]) == ["Ada"])
  }

  @Test func `a store newer than the requested version is not migrated back`() throws {
    for stages in [[light(1, 2, 3)], [light(1), custom(2)], [custom(1), light(3)]] {
      let error = #expect(throws: CocoaError.self) { try migrate(3, to: 1, stages) }
      #expect(error?.errorCode == NSStagedMigrationBackwardMigrationError)
    }
  }

  @Test func `a version that no stage lists is refused`() throws {
    let error = #expect(throws: CocoaError.self) { try migrate(4, to: 3, [light(1), custom(2)]) }
    #expect(error?.errorCode == NSManagedObjectModelReferenceNotFoundError)
    let end = #expect(throws: CocoaError.self) { try migrate(3, to: 4, [light(1), custom(2)]) }
    #expect(end?.errorCode == NSManagedObjectModelReferenceNotFoundError)
  }
}
