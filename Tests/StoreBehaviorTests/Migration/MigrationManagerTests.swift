import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Splits a person's name in two, and logs its calls.
final class NamePolicy: NSEntityMigrationPolicy {
  private func note(_ text: String, _ manager: NSMigrationManager) {
    let steps = manager.userInfo?["steps"] as? [String] ?? []
    manager.userInfo?["steps"] = steps + [text]
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { note("begin", manager) }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    note("create", manager)
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let new = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
    let parts = sInstance.storedText()?.split(separator: " ").map(String.init) ?? []
    new.setValue(parts.first, forKey: "name")
    new.setValue(parts.last, forKey: "surname")
    if let stop = manager.userInfo?["stop"] as? any Error { manager.cancelMigrationWithError(stop) }
  }

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    note("created", manager)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    note("relate", manager)
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
  }

  override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    note("related", manager)
  }

  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    note("validate", manager)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { note("end", manager) }
}

/// Migrating a store object by object.
@Suite struct MigrationManagerTests {
  private struct Stop: Error {}

  private func model(_ isNew: Bool) -> NSManagedObjectModel {
    let person = makeEntity("Person")
    let pet = makeEntity("Pet")
    let pets = relationship("pets", to: pet, max: 0)
    let owner = relationship("owner", to: person)
    join(pets, owner)
    person.properties =
      [attribute("name"), attribute("age", .integer16), pets] + (isNew ? [attribute("surname")] : [])
    pet.properties = [attribute("name"), owner]
    return makeModel([person, pet])
  }

  private func filled() throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(model(false)) { context in
      let ada = context.make("Person", ["name": "Ada Lovelace", "age": 36])
      context.make("Pet", ["name": "Rex", "owner": ada])
      context.make("Pet", ["name": "Tom", "owner": ada])
    }
    return store
  }

  private func manager(_ mapping: (NSMappingModel) -> Void) throws -> (NSMigrationManager, NSMappingModel) {
    let manager = NSMigrationManager(sourceModel: model(false), destinationModel: model(true))
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel)
    mapping(inferred)
    return (manager, inferred)
  }

  @Test func `an inferred mapping migrates values and relationships`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { _ in }
    #expect(mapping.entityMappings.map(\.name) == ["IEM_Transform_Person", "IEM_Copy_Pet"])
    try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    #expect(manager.migrationProgress == 1)
    try new.open(model(true)) { context in
      let ada = try #require(try context.all("Person").first)
      #expect(ada.storedText() == "Ada Lovelace" && ada.value(forKey: "age") as? Int == 36)
      #expect(ada.storedNames("pets") == ["Rex", "Tom"])
    }
    try old.open(model(false)) { try #expect($0.texts("Person") == ["Ada Lovelace"]) }
  }

  @Test func `migration progress can be observed`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { _ in }
    var steps: [(old: Float?, new: Float?)] = []
    var (kinds, plain, ended) = ([String](), 0, 0)
    let observations = [
      manager.observe(\.migrationProgress, options: [.old, .new]) { observed, change in
        #expect(observed === manager && observed.migrationProgress == change.newValue && change.kind == .setting)
        steps.append((change.oldValue, change.newValue))
      },
      manager.observe(\.migrationProgress, options: [.initial, .prior]) { _, change in
        #expect(change.oldValue == nil && change.newValue == nil)
        kinds.append(change.isPrior ? "prior" : "change")
      },
      manager.observe(\.migrationProgress) { _, _ in plain += 1 },
    ]
    manager.observe(\.migrationProgress) { _, _ in ended += 1 }.invalidate()
    try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    #expect(steps.first?.old == 0 && steps.last?.new == 1 && steps.count > 2)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.new == $1.old && ($0.new ?? 0) <= ($1.new ?? 0) })
    #expect(kinds.first == "change" && kinds.dropFirst().prefix(2) == ["prior", "change"])
    #expect(plain == steps.count && kinds.count == 1 + 2 * plain && ended == 0)
    for observation in observations { observation.invalidate() }
    manager.reset()
    #expect(plain == steps.count && steps.last?.new == 1)
  }

  @Test func `invalidating an observation can release another one`() {
    final class Observer { var observation: NSKeyValueObservation? }
    let manager = NSMigrationManager(sourceModel: model(false), destinationModel: model(true))
    weak var released: Observer?
    var outer: NSKeyValueObservation?
    do {
      let observer = Observer()
      observer.observation = manager.observe(\.migrationProgress) { _, _ in }
      outer = manager.observe(\.migrationProgress) { _, _ in withExtendedLifetime(observer) {} }
      released = observer
    }
    outer?.invalidate()
    #expect(released == nil)
  }

  /// The keys are those of Apple's framework, because tools that display migrations read them.
  @Test func `an inferred mapping lists mapped, added and removed properties`() throws {
    let (old, new) = (model(false), model(true))
    new.entitiesByName["Person"]?.properties.removeAll { $0.name == "age" }
    new.entitiesByName["Person"]?.propertiesByName["name"]?.renamingIdentifier = "name"
    new.entitiesByName["Person"]?.propertiesByName["name"]?.name = "title"
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let notes = try #require(mapping.entityMappingsByName["IEM_Transform_Person"]?.userInfo)
    #expect(notes["mappedProperties"] as? Set<String> == ["title", "pets"])
    #expect(notes["addedProperties"] as? Set<String> == ["surname"])
    #expect(notes["removedProperties"] as? Set<String> == ["age"])
  }

  @Test func `a policy is called in the documented order`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { mapping in
      let person = mapping.entityMappingsByName["IEM_Transform_Person"]
      person?.mappingType = .customEntityMappingType
      person?.entityMigrationPolicyClassName = String(reflecting: NamePolicy.self)
    }
    manager.userInfo = [:]
    try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    let steps = manager.userInfo?["steps"] as? [String]
    #expect(steps == ["begin", "create", "created", "relate", "related", "validate", "end"])
    try new.open(model(true)) { context in
      let ada = try #require(try context.all("Person").first)
      #expect(
        ada.storedText() == "Ada" && ada.storedText("surname") == "Lovelace"
          && ada.storedNames("pets") == ["Rex", "Tom"])
    }
  }

  @Test func `a custom expression provides the value`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { mapping in
      let age = mapping.entityMappingsByName["IEM_Transform_Person"]?.attributeMappings?.first { $0.name == "age" }
      age?.valueExpression = NSExpression(format: "$source.age + 1")
    }
    try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    try new.open(model(true)) { try #expect($0.all("Person").first?.value(forKey: "age") as? Int == 37) }
  }

  @Test func `a canceled migration saves nothing`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { mapping in
      mapping.entityMappingsByName["IEM_Transform_Person"]?.entityMigrationPolicyClassName = String(
        reflecting: NamePolicy.self)
    }
    manager.userInfo = ["stop": Stop()]
    let error = #expect(throws: CocoaError.self) {
      try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    }
    #expect(error?.code == .migrationCancelled && error?.userInfo[NSUnderlyingErrorKey] is Stop)
    try new.open(model(true)) { try #expect($0.texts("Person") == []) }
  }

  @Test func `a missing policy class fails the migration`() throws {
    let (old, new) = (try filled(), try MigratedStore())
    let (manager, mapping) = try manager { $0.entityMappings[0].entityMigrationPolicyClassName = "NoSuchPolicy" }
    let error = #expect(throws: CocoaError.self) {
      try manager.migrateStore(from: old.url, type: .sqlite, mapping: mapping, to: new.url, type: .sqlite)
    }
    #expect(error?.code == .entityMigrationPolicy)
  }
}
