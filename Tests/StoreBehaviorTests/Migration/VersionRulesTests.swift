import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// An object that logs its creation, awakening and validation.
final class WatchedPerson: NSManagedObject {
  static let log = Mutex<[String]>([])
  private func note(_ text: String) { Self.log.withLock { $0.append(text) } }
  override func awakeFromInsert() { note("inserted") }
  override func awakeFromFetch() { note("fetched") }
  override func validateForUpdate() throws { note("checked") }
}

/// Changes that a newer version may make, and the effects of a migration.
@Suite struct VersionRulesTests {
  private func person(_ properties: [NSPropertyDescription], class name: String? = nil) -> NSManagedObjectModel {
    let person = makeEntity("Person", [attribute("name")] + properties)
    if let name { person.managedObjectClassName = name }
    return makeModel([person])
  }

  // MARK: Inferable changes

  @Test func `a mandatory attribute can become optional`() throws {
    let store = try MigratedStore()
    try store.open(person([attribute("city", optional: false, default: "here")])) {
      $0.make("Person", ["name": "Ada"])
    }
    try store.open(person([attribute("city")])) { context in
      #expect(try context.texts("Person", "city") == ["here"])
      try context.all("Person")[0].setValue(nil, forKey: "city")
    }
    try store.open(person([attribute("city")])) { try #expect($0.all("Person")[0].value(forKey: "city") == nil) }
  }

  @Test func `relationships can be added and removed`() throws {
    func model(_ isLinked: Bool) -> NSManagedObjectModel {
      let (person, pet) = (makeEntity("Person", [attribute("name")]), makeEntity("Pet", [attribute("name")]))
      guard isLinked else { return makeModel([person, pet]) }
      let (pets, owner) = (relationship("pets", to: pet, max: 0), relationship("owner", to: person))
      let (friends, admirers) = (relationship("friends", to: pet, max: 0), relationship("admirers", to: person, max: 0))
      join(pets, owner)
      join(friends, admirers)
      person.properties += [pets, friends]
      pet.properties += [owner, admirers]
      return makeModel([person, pet])
    }
    let store = try MigratedStore(history: true)
    try store.open(model(false)) {
      $0.make("Person", ["name": "Ada"])
      $0.make("Pet", ["name": "Rex"])
    }
    for release in 0..<2 {
      try store.open(model(true).later(release)) { context in
        let (ada, rex) = (try context.all("Person")[0], try context.all("Pet")[0])
        #expect(ada.storedNames("pets") == [] && ada.storedNames("friends") == [])
        rex.setValue(ada, forKey: "owner")
        rex.setValue([ada] as Set<NSManagedObject>, forKey: "admirers")
      }
      let again = model(true).later(release)
      try store.open(again) { try #expect($0.all("Person")[0].storedNames("friends") == ["Rex"]) }
      try store.open(model(false).later(release)) { try #expect($0.texts("Pet") == ["Rex"]) }
    }
  }

  /// Each version gives the name used in the first one as renaming identifier.
  @Test(arguments: [true, false])
  func `a relationship replaces an attribute with its renaming identifier`(_ keepsName: Bool) throws {
    func model(_ isLinked: Bool) -> NSManagedObjectModel {
      let (person, pet) = (makeEntity("Person", [attribute("name")]), makeEntity("Pet", [attribute("name")]))
      let favorite = relationship(keepsName ? "favorite" : "animal", to: pet)
      let owners = relationship("owners", to: person, max: 0)
      favorite.renamingIdentifier = "favorite"
      join(favorite, owners)
      person.properties += isLinked ? [favorite] : [attribute("favorite")]
      if isLinked { pet.properties += [owners] }
      return makeModel([person, pet])
    }
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: model(false), destinationModel: model(true))
    let people = try #require(mapping.entityMappingsByName["IEM_Transform_Person"])
    #expect(people.attributeMappings?.map(\.name) == ["name"])
    #expect(people.relationshipMappings?.map(\.valueExpression) == [nil])
    #expect(people.userInfo?["removedProperties"] as? Set<String> == ["favorite"])
    let key = keepsName ? "favorite" : "animal"
    let store = try MigratedStore(history: true)
    try store.open(model(false)) {
      $0.make("Person", ["name": "Ada", "favorite": "Rex"])
      $0.make("Pet", ["name": "Rex"])
    }
    try store.open(model(true)) { context in
      let ada = try context.all("Person")[0]
      #expect(ada.storedText() == "Ada" && ada.value(forKey: key) == nil)
      ada.setValue(try context.all("Pet")[0], forKey: key)
    }
    try store.open(model(true)) { context in
      let rex = try context.all("Pet")[0]
      let ada = try context.all("Person")[0]
      #expect(rex.storedNames("owners") == ["Ada"] && ada.value(forKey: key) as? NSObject == rex)
    }
    try store.open(model(false).later(1)) { try #expect($0.all("Person")[0].value(forKey: "favorite") == nil) }
  }

  @Test(arguments: [[1, 2, 3], [1, 3], [2, 3], [3, 1], [3, 2, 1]])
  func `a renaming identifier from the first version works between any two versions`(versions: [Int]) throws {
    func model(_ version: Int) -> NSManagedObjectModel {
      let name = attribute(["name", "title", "label"][version - 1], was: version == 1 ? nil : "name")
      return makeModel([
        makeEntity(["Person", "Human", "Being"][version - 1], was: version == 1 ? nil : "Person", [name])
      ])
    }
    func names(_ version: Int) -> (String, String) {
      (["Person", "Human", "Being"][version - 1], ["name", "title", "label"][version - 1])
    }
    let store = try MigratedStore()
    let (entity, key) = names(versions[0])
    try store.open(model(versions[0])) { $0.make(entity, [key: "Ada"]) }
    for version in versions.dropFirst() {
      let (entity, key) = names(version)
      try store.open(model(version)) { try #expect($0.texts(entity, key) == ["Ada"]) }
    }
  }

  @Test func `a to-many relationship cannot become to-one`() throws {
    func model(_ maximumCount: Int) -> NSManagedObjectModel {
      let (person, pet) = (makeEntity("Person", [attribute("name")]), makeEntity("Pet"))
      person.properties.append(relationship("pets", to: pet, max: maximumCount))
      return makeModel([person, pet])
    }
    let error = #expect(throws: CocoaError.self) {
      try NSMappingModel.inferredMappingModel(forSourceModel: model(0), destinationModel: model(1))
    }
    #expect(error?.errorCode == NSInferredMappingModelError)
    let store = try MigratedStore()
    try store.open(model(0)) { $0.make("Person", ["name": "Ada"]) }
    #expect(throws: CocoaError.self) { try store.open(model(1)) { _ in } }
    try store.open(model(0)) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  // MARK: Version identity

  @Test func `version identifiers do not affect compatibility`() throws {
    let (one, other) = (person([]), person([]))
    (one.versionIdentifiers, other.versionIdentifiers) = (["1"], ["2"])
    let store = try MigratedStore()
    try store.open(one) { $0.make("Person", ["name": "Ada"]) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
    try coordinator.addPersistentStore(type: .sqlite, at: store.url)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada"]) }
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary, .init(rawValue: Store.atomic.rawValue)])
  func `an incompatible-version error contains the reason and the metadata`(type: NSPersistentStore.StoreType) throws {
    _ = Store.every
    let url = try TemporaryFolder.make().appendingPathComponent("Store")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: person([]))
    let store = try coordinator.addPersistentStore(type: type, at: url)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      context.make("Person", ["name": "Ada"])
      try context.save()
    }
    try coordinator.remove(store)
    let newer = NSPersistentStoreCoordinator(managedObjectModel: person([attribute("age")]))
    let error = #expect(throws: CocoaError.self) { try newer.addPersistentStore(type: type, at: url) }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    let metadata = error?.userInfo["metadata"] as? [String: Any]
    #expect(metadata?[NSStoreUUIDKey] as? String == store.identifier)
    #expect(
      error?.userInfo["reason"] as? String
        == "The model used to open the store is incompatible with the one used to create the store")
  }

  @Test func `a missing-mapping error contains both models`() throws {
    let store = try MigratedStore()
    let (old, new) = (person([attribute("age")]), person([attribute("age", .integer16)]))
    try store.open(old) { $0.make("Person", ["name": "Ada"]) }
    let error = #expect(throws: CocoaError.self) { try store.open(new) { _ in } }
    #expect(error?.code == .migrationMissingMappingModel)
    let source = error?.userInfo["sourceModel"] as? NSManagedObjectModel
    #expect(source?.entityVersionHashesByName == old.entityVersionHashesByName)
    #expect(error?.userInfo["destinationModel"] as? NSManagedObjectModel === new)
    #expect(
      error?.userInfo["reason"] as? String == "Can't find or automatically infer mapping model for migration")
  }

  // MARK: In place

  @Test func `an in-place migration creates no objects`() throws {
    let name = NSStringFromClass(WatchedPerson.self)
    let store = try MigratedStore()
    // The new version requires three letters, which the row does not have.
    let new = person([attribute("age", .integer16)], class: name)
    try store.open(person([])) { $0.make("Person", ["name": "A"]) }
    new.entitiesByName["Person"]?.attributesByName["name"]?.setValidationPredicates(
      [NSPredicate(format: "length >= 3")], withValidationWarnings: nil)
    WatchedPerson.log.withLock { $0 = [] }
    try store.open(new) { _ in #expect(WatchedPerson.log.withLock { $0 }.isEmpty) }
    try store.open(new) { try #expect($0.texts("Person") == ["A"]) }
    #expect(WatchedPerson.log.withLock { $0 } == ["fetched"])
  }

  @Test(arguments: [false, true])
  func `steps that rows do not need can be deferred`(all: Bool) throws {
    let store = try MigratedStore()
    try store.open(person([attribute("old"), attribute("older")])) { $0.make("Person", ["name": "Ada"]) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: person([attribute("new")]))
    let options = store.options.merging([NSPersistentStoreDeferredLightweightMigrationOptionKey: true]) { _, new in new
    }
    let opened = try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
    func isLeft() -> Bool { opened.metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil }
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada"]) }
    #expect(isLeft())
    var steps = 0
    while isLeft(), steps < 10 {
      steps += 1
      if all {
        try coordinator.finishDeferredLightweightMigration()
      } else {
        try coordinator.finishDeferredLightweightMigrationTask()
      }
    }
    #expect(all ? steps == 1 : (2..<10).contains(steps))
    try coordinator.finishDeferredLightweightMigration()
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada"]) }
  }
}
