import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// In-place lightweight migration of an older store.
@Suite struct MigrationTests {
  private func person(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
    makeModel([makeEntity("Person", [attribute("name")] + properties)])
  }

  @Test func `attributes can be added, removed and renamed`() throws {
    let store = try MigratedStore()
    try store.open(person([attribute("age", .integer16), attribute("gone")])) {
      $0.make("Person", ["name": "Ada", "age": 36, "gone": "x"])
    }
    let new = person([
      attribute("years", .integer16, was: "age"), attribute("rank", .integer32, optional: false, default: 7),
      attribute("note"),
    ])
    try store.open(new) { context in
      let ada = try #require(try context.all("Person").first)
      #expect(ada.storedText() == "Ada" && ada.value(forKey: "years") as? Int == 36)
      #expect(ada.value(forKey: "rank") as? Int == 7 && ada.value(forKey: "note") == nil)
      context.make("Person", ["name": "Bob", "years": 1, "rank": 2])
    }
    try store.open(new) { try #expect($0.texts("Person") == ["Ada", "Bob"]) }
  }

  @Test(
    arguments: [
      (NSAttributeDescription.AttributeType.integer16, NSAttributeDescription.AttributeType.integer32, 32_767),
      (.integer16, .integer64, -32_768),
      (.integer32, .integer64, 2_147_483_647),
    ])
  func `an integer attribute can become wider`(
    _ old: NSAttributeDescription.AttributeType, _ new: NSAttributeDescription.AttributeType, _ value: Int
  ) throws {
    let store = try MigratedStore(history: true)
    try store.open(person([attribute("age", old), attribute("rank", old, optional: false, default: 1)])) {
      $0.make("Person", ["name": "Ada", "age": value])
      $0.make("Person", ["name": "Bob"])
    }
    let large = new == .integer32 ? Int(Int32.max) : Int.max
    let wide = person([attribute("years", new, was: "age"), attribute("rank", new, optional: false, default: 2)])
    try store.open(wide) { context in
      let ages = try context.all("Person").map { $0.value(forKey: "years") as? Int }
      #expect(Set(ages) == [value, nil])
      try #expect(context.all("Person").allSatisfy { $0.value(forKey: "rank") as? Int == 1 })
      context.make("Person", ["name": "Eve", "years": large])
    }
    try store.open(wide) {
      try #expect($0.all("Person").contains { $0.value(forKey: "years") as? Int == large })
    }
  }

  @Test func `a newly mandatory attribute gets its default where it had no value`() throws {
    let store = try MigratedStore()
    try store.open(person([attribute("city")])) {
      $0.make("Person", ["name": "Ada", "city": "London"])
      $0.make("Person", ["name": "Bob"])
    }
    try store.open(person([attribute("city", optional: false, default: "nowhere")])) {
      try #expect($0.all("Person").map { $0.storedText("city") } == ["London", "nowhere"])
    }
  }

  @Test func `entities can be added, removed and renamed`() throws {
    let store = try MigratedStore(history: true)
    let old = makeModel([
      makeEntity("Cat", [attribute("name")]), makeEntity("Dog", [attribute("name")]),
      makeEntity("Gnu", [attribute("name")]),
    ])
    try store.open(old) { context in
      for name in ["Cat", "Dog", "Gnu"] { context.make(name, ["name": "a \(name)"]) }
    }
    let new = makeModel([
      makeEntity("Ape", [attribute("name")]), makeEntity("Hound", was: "Dog", [attribute("name")]),
      makeEntity("Gnu", [attribute("name")]),
    ])
    try store.open(new) { context in
      let names = try ["Ape", "Hound", "Gnu"].map { try context.texts($0) }
      #expect(names == [[], ["a Dog"], ["a Gnu"]])
      context.make("Ape", ["name": "an Ape"])
      context.make("Hound", ["name": "b Dog"])
    }
    try store.open(new) { try #expect($0.texts("Hound") == ["a Dog", "b Dog"]) }
  }

  @Test func `an entity can leave a hierarchy or get a parent entity`() throws {
    let store = try MigratedStore()
    let old = makeModel(
      { (child: NSEntityDescription) in
        [
          makeEntity("Animal", [attribute("name")], subentities: [child]), child,
          makeEntity("Zoo", [attribute("name")]),
        ]
      }(makeEntity("Bird", [attribute("song")])))
    try store.open(old) {
      $0.make("Animal", ["name": "Rex"])
      $0.make("Bird", ["name": "Tweety", "song": "la"])
      $0.make("Zoo", ["name": "Berlin"])
    }
    // Bird leaves the hierarchy, and Zoo gets a parent entity.
    let zoo = makeEntity("Zoo")
    let new = makeModel([
      makeEntity("Animal", [attribute("name")]), makeEntity("Bird", [attribute("name"), attribute("song")]),
      makeEntity("Place", [attribute("name")], subentities: [zoo]), zoo,
    ])
    try store.open(new) { context in
      let names = try ["Animal", "Bird", "Place"].flatMap { try context.texts($0) }
      #expect(names == ["Rex", "Tweety", "Berlin"])
      try #expect(context.all("Bird").first?.storedText("song") == "la")
    }
  }

  @Test func `properties can move up and down in a hierarchy`() throws {
    func family(up: Bool) -> NSManagedObjectModel {
      let shared = { attribute("note") }
      let (ash, oak) = (makeEntity("Ash", up ? [] : [shared()]), makeEntity("Oak", up ? [] : [shared()]))
      return makeModel([
        makeEntity("Tree", [attribute("name")] + (up ? [shared()] : []), subentities: [ash, oak]), ash, oak,
      ])
    }
    let store = try MigratedStore()
    try store.open(family(up: false)) {
      $0.make("Ash", ["name": "a", "note": "1"])
      $0.make("Oak", ["name": "b", "note": "2"])
    }
    for (release, up) in [true, false, true].enumerated() {
      try store.open(family(up: up).later(release)) { context in
        let notes = try ["Ash", "Oak"].flatMap { try context.all($0).map { $0.storedText("note") } }
        #expect(notes == ["1", "2"])
      }
    }
  }

  @Test func `a store is not migrated without the migration options`() throws {
    let store = try MigratedStore()
    try store.open(person([])) { $0.make("Person", ["name": "Ada"]) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: person([attribute("age")]))
    let error = #expect(throws: CocoaError.self) { try coordinator.addPersistentStore(type: .sqlite, at: store.url) }
    #expect(error?.errorCode == 134100)
    try store.open(person([])) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `a migrated store keeps its UUID and matches the new model`() throws {
    let store = try MigratedStore(history: true)
    try store.open(person([])) { $0.make("Person", ["name": "Ada"]) }
    let new = person([attribute("age", .integer16)])
    let before = try store.open(person([])) { $0.persistentStoreCoordinator?.persistentStores[0].identifier }
    let after = try store.open(new) { context in
      let found = context.persistentStoreCoordinator?.persistentStores[0]
      #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: found?.metadata ?? [:]))
      return found?.identifier
    }
    #expect(before == after)
  }

  @Test func `a migration considers only the entities of the store configuration`() throws {
    func model(_ isNew: Bool) -> NSManagedObjectModel {
      // The change in the other configuration could not be inferred.
      let other = attribute("value", isNew ? .integer16 : .string)
      let (cat, dog) = (makeEntity("Cat", [other]), makeEntity("Dog", [attribute("name")]))
      if isNew { dog.properties.append(attribute("age", .integer16)) }
      let model = makeModel([cat, dog])
      model.setEntities([cat], forConfigurationName: "Cats")
      model.setEntities([dog], forConfigurationName: "Dogs")
      return model
    }
    let store = try MigratedStore()
    func names(_ isNew: Bool, adding name: String) throws -> [String] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(isNew))
      try coordinator.addPersistentStore(type: .sqlite, configuration: "Dogs", at: store.url, options: store.options)
      let context = coordinator.context(.privateQueueConcurrencyType)
      return try context.performAndWait {
        context.make("Dog", ["name": name])
        try context.save()
        return try context.texts("Dog")
      }
    }
    try #expect(names(false, adding: "Rex") == ["Rex"])
    try #expect(names(true, adding: "Tom") == ["Rex", "Tom"])
  }
}
