import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Sets what the mapping omits, once all objects and relationships exist.
final class LatePolicy: NSEntityMigrationPolicy {
  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    guard manager.userInfo?["gives"] as? Bool == true else { return }
    for person in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil) {
      person.setValue("late", forKey: "must")
    }
  }
}

/// Object-by-object migrations: their destination, the validation of values, and the objects that handlers receive.
@Suite struct ManagedMigrationTests {
  private func person(_ properties: [NSPropertyDescription] = []) -> NSManagedObjectModel {
    makeModel([makeEntity("Person", [attribute("name")] + properties)])
  }

  private func filled(_ name: String) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(person()) { $0.make("Person", ["name": name]) }
    return store
  }

  private func mapping(to destination: NSManagedObjectModel) -> NSMappingModel {
    let person = NSEntityMapping()
    (person.sourceEntityName, person.destinationEntityName) = ("Person", "Person")
    person.mappingType = .customEntityMappingType
    let name = NSPropertyMapping()
    (name.name, name.valueExpression) = ("name", NSExpression(format: "$source.name"))
    person.attributeMappings = [name]
    let mapping = NSMappingModel()
    mapping.entityMappings = [person]
    return mapping
  }

  @Test func `an entity mapping without a name is named for its entities`() throws {
    let mapping = NSEntityMapping()
    (mapping.sourceEntityName, mapping.destinationEntityName) = ("Person", "Human")
    #expect(mapping.name == "Person->Human")
    mapping.name = "people"
    #expect(mapping.name == "people")
    let model = NSMappingModel()
    let other = NSEntityMapping()
    (other.sourceEntityName, other.destinationEntityName) = ("Pet", "Animal")
    model.entityMappings = [mapping, other]
    #expect(model.entityMappingsByName.keys.sorted() == ["Pet->Animal", "people"])
  }

  @Test func `the error for a missing mapping contains both models`() throws {
    let (old, new) = (person(), person([attribute("note")]))
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    let error = #expect(throws: CocoaError.self) {
      try manager.migrateStore(
        from: filled("Ada").url, sourceType: NSSQLiteStoreType, with: nil, toDestinationURL: MigratedStore().url,
        destinationType: NSSQLiteStoreType)
    }
    #expect(error?.code == .migrationMissingMappingModel)
    #expect(error?.userInfo["sourceModel"] as? NSManagedObjectModel === old)
    #expect(error?.userInfo["destinationModel"] as? NSManagedObjectModel === new)
  }

  @Test func `a migration into a store keeps its existing rows`() throws {
    let target = try MigratedStore()
    let new = person([attribute("note")])
    try target.open(new) { $0.make("Person", ["name": "Zoe"]) }
    for name in ["Ada", "Eve"] {
      try NSMigrationManager(sourceModel: person(), destinationModel: new).migrateStore(
        from: filled(name).url, type: .sqlite, mapping: mapping(to: new), to: target.url, type: .sqlite)
    }
    try target.open(new) { try #expect($0.texts("Person") == ["Ada", "Eve", "Zoe"]) }
  }

  /// Nothing is validated before the last pass.
  @Test(arguments: [false, true])
  func `values are validated in the last pass`(gives: Bool) throws {
    let (old, target) = (try filled("Ada"), try MigratedStore())
    let new = person([attribute("must", optional: false)])
    let manager = NSMigrationManager(sourceModel: person(), destinationModel: new)
    manager.userInfo = ["gives": gives]
    let mapping = mapping(to: new)
    mapping.entityMappings[0].entityMigrationPolicyClassName = NSStringFromClass(LatePolicy.self)
    func migrate() throws {
      try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: target.url, type: .sqlite)
    }
    if gives {
      try migrate()
      try target.open(new) { try #expect($0.texts("Person", "must") == ["late"]) }
    } else {
      let error = #expect(throws: CocoaError.self) { try migrate() }
      #expect(error?.code == .validationMissingMandatoryProperty)
      try target.open(new) { try #expect($0.texts("Person") == []) }
    }
    try old.open(person()) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `value expressions can refer to the destination object and the mapping`() throws {
    let (old, target) = (try filled("Ada"), try MigratedStore())
    let new = person([attribute("note"), attribute("kind")])
    let mapping = mapping(to: new)
    let parts = ["note": "$destination.name", "kind": "$entityMapping.name"].map { name, text in
      let property = NSPropertyMapping()
      (property.name, property.valueExpression) = (name, NSExpression(format: text))
      return property
    }
    mapping.entityMappings[0].attributeMappings? += parts
    try NSMigrationManager(sourceModel: person(), destinationModel: new).migrateStore(
      from: old.url, type: .sqlite, mapping: mapping, to: target.url, type: .sqlite)
    try target.open(new) { context in
      let ada = try context.all("Person")[0]
      #expect(ada.storedText("note") == "Ada" && ada.storedText("kind") == "Person->Person")
    }
  }

  // MARK: Stages

  private func add(
    _ store: MigratedStore, _ model: NSManagedObjectModel, _ stages: [NSMigrationStage],
    _ change: (inout [AnyHashable: Any]) -> Void = { _ in }
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var options = store.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
    change(&options)
    try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
  }

  @Test(arguments: [NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption])
  func `staged migration requires both automatic migration options`(option: String) throws {
    let (store, new) = (try filled("Ada"), person([attribute("note")]))
    let stages = [NSLightweightMigrationStage([person().versionChecksum, new.versionChecksum])]
    let error = #expect(throws: CocoaError.self) { try add(store, new, stages) { $0[option] = nil } }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    try store.open(person()) { try #expect($0.texts("Person") == ["Ada"]) }
    try add(store, new, stages)
  }

  @Test func `a model reference with a wrong checksum is refused`() throws {
    let (store, new) = (try filled("Ada"), person([attribute("note")]))
    let references = [
      NSManagedObjectModelReference(model: person(), versionChecksum: person().versionChecksum),
      NSManagedObjectModelReference(model: new, versionChecksum: person().versionChecksum + "x"),
    ]
    let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    let error = #expect(throws: CocoaError.self) { try add(store, new, [stage]) }
    #expect(error?.code.rawValue == 134504)
    try store.open(person()) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `stage handlers see plain managed objects`() throws {
    let store = try filled("Ada")
    func model(_ version: Int) -> NSManagedObjectModel {
      let model = person(version == 1 ? [] : [attribute("nickname")])
      model.entitiesByName["Person"]?.managedObjectClassName = NSStringFromClass(MigratedPerson.self)
      return model
    }
    let seen = Mutex<[String]>([])
    func recordClasses(_ manager: NSStagedMigrationManager) throws {
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for person in try context.all("Person") { seen.withLock { $0.append("\(type(of: person))") } }
      }
    }
    let references = [1, 2].map {
      NSManagedObjectModelReference(model: model($0), versionChecksum: model($0).versionChecksum)
    }
    let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    stage.willMigrateHandler = { manager, _ in try recordClasses(manager) }
    stage.didMigrateHandler = { manager, _ in try recordClasses(manager) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(2))
    var options = store.options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
    try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
    #expect(seen.withLock { $0 } == ["NSManagedObject", "NSManagedObject"])
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait { try #expect(context.all("Person")[0] is MigratedPerson) }
  }
}
