import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A failed migration reports the reason and leaves the store unchanged.
@Suite struct MigrationFailureTests {
  private func person(_ properties: [NSPropertyDescription], unique: [String] = []) -> NSManagedObjectModel {
    let person = makeEntity("Person", [attribute("name")] + properties)
    if !unique.isEmpty { person.uniquenessConstraints = [unique] }
    return makeModel([person])
  }

  private func refusal(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> (property: String?, reason: String?, text: String) {
    let error = #expect(throws: CocoaError.self) {
      try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    }
    #expect(error?.errorCode == NSInferredMappingModelError && error?.userInfo["entity"] as? String == "Person")
    return (
      error?.userInfo["property"] as? String, error?.userInfo["reason"] as? String, error?.localizedDescription ?? ""
    )
  }

  @Test func `an attribute cannot change from a string to an integer`() throws {
    let found = try refusal(person([attribute("age")]), person([attribute("age", .integer16)]))
    #expect(found.property == "age" && found.reason == "Source and destination attribute types are incompatible")
  }

  @Test(
    arguments: [
      (NSAttributeDescription.AttributeType.integer32, NSAttributeDescription.AttributeType.integer16),
      (.integer64, .integer32),
    ])
  func `an integer attribute cannot become narrower`(
    _ old: NSAttributeDescription.AttributeType, _ new: NSAttributeDescription.AttributeType
  ) throws {
    let found = try refusal(person([attribute("age", old)]), person([attribute("age", new)]))
    #expect(found.property == "age" && found.reason == "Source and destination attribute types are incompatible")
  }

  @Test func `a new mandatory attribute needs a default value`() throws {
    let found = try refusal(person([]), person([attribute("age", optional: false)]))
    #expect(found.property == "age")
    #expect(found.reason == "Validation error missing attribute values on mandatory destination attribute")
    #expect(found.text.contains("Give the attribute a default value, make it optional, or migrate with"))
  }

  @Test func `separate entities cannot be merged into a hierarchy`() throws {
    func model(together: Bool) -> NSManagedObjectModel {
      let (person, place) = (makeEntity("Person"), makeEntity("Place"))
      let parent = makeEntity("Named", subentities: together ? [person, place] : [])
      return makeModel([person, place, parent])
    }
    let error = #expect(throws: CocoaError.self) {
      try NSMappingModel.inferredMappingModel(
        forSourceModel: model(together: false), destinationModel: model(together: true))
    }
    #expect(error?.errorCode == NSInferredMappingModelError)
  }

  @Test func `a migration that cannot be inferred names the property and keeps the rows`() throws {
    let store = try MigratedStore()
    try store.open(person([attribute("age")])) { $0.make("Person", ["name": "Ada", "age": "36"]) }
    let error = #expect(throws: CocoaError.self) {
      try store.open(person([attribute("age", .integer16)])) { _ in }
    }
    #expect(error?.errorCode == NSMigrationMissingMappingModelError)
    #expect((error?.userInfo[NSUnderlyingErrorKey] as? CocoaError)?.errorCode == NSInferredMappingModelError)
    #expect(error?.localizedDescription.contains("Person.age") == true)
    try store.open(person([attribute("age")])) { try #expect($0.texts("Person", "age") == ["36"]) }
  }

  @Test func `a store with unrelated entities is refused and keeps its rows`() throws {
    let store = try MigratedStore()
    let old = person([])
    try store.open(old) { $0.make("Person", ["name": "Ada"]) }
    let error = #expect(throws: CocoaError.self) {
      try store.open(makeModel([makeEntity("City", [attribute("name")])])) { _ in }
    }
    #expect(error?.errorCode == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error?.localizedDescription.contains("Person") == true)
    #expect(error?.localizedDescription.contains("City") == true)
    try store.open(old) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `a removed entity is removed with its rows`() throws {
    let store = try MigratedStore()
    try store.open(makeModel([makeEntity("Person", [attribute("name")]), makeEntity("City", [attribute("name")])])) {
      $0.make("Person", ["name": "Ada"])
      $0.make("City", ["name": "London"])
    }
    let human = makeEntity("Human", was: "Person", [attribute("name")])
    try store.open(makeModel([human])) { try #expect($0.texts("Human") == ["Ada"]) }
    try store.open(makeModel([human, makeEntity("City", [attribute("name")])])) {
      try #expect($0.texts("City") == [])
    }
  }

  @Test func `duplicates under a new uniqueness constraint leave the store unchanged`() throws {
    let store = try MigratedStore(history: true)
    let old = person([attribute("gone")])
    try store.open(old) { context in
      for gone in ["1", "2"] { context.make("Person", ["name": "Ada", "gone": gone]) }
    }
    let error = #expect(throws: CocoaError.self) {
      try store.open(person([attribute("age")], unique: ["name"])) { _ in }
    }
    #expect(error?.errorCode == NSMigrationConstraintViolationError)
    #expect(error?.localizedDescription.contains("Z_Person_UNIQUE_name") == true)
    try store.open(old) { try #expect($0.texts("Person", "gone") == ["1", "2"]) }
  }

  /// The disk fills up one page later in each attempt.
  @Test func `a full disk at any statement leaves the store unchanged`() throws {
    func family(_ isOne: Bool) -> NSManagedObjectModel {
      let child = makeEntity("Swarm", isOne ? [attribute("note")] : [attribute("name"), attribute("note")])
      return makeModel([makeEntity("Quake", [attribute("name")], subentities: isOne ? [child] : []), child])
    }
    let store = try MigratedStore()
    let names = (1000..<1300).map { "\($0) of some length that fills a page after a while" }
    try store.open(family(true)) { context in
      for (number, name) in names.enumerated() { context.make(number % 2 == 0 ? "Quake" : "Swarm", ["name": name]) }
    }
    var failures = 0
    for pages in 1..<400 {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: family(false))
      var options = store.options
      options[NSSQLitePragmasOption] = ["max_page_count": "\(pages)"]
      do {
        try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: options)
        break
      } catch let error as CocoaError {
        #expect(error.errorCode == CocoaError.fileWriteOutOfSpace.rawValue)
        failures += 1
        if failures % 10 == 1 { try store.open(family(true)) { try #expect($0.texts("Quake") == names) } }
      }
    }
    #expect(failures > 10)
    try store.open(family(false)) { try #expect($0.texts("Quake").count == 150 && $0.texts("Swarm").count == 150) }
  }

  @Test func `a context with the old model can neither read nor write`() throws {
    let store = try MigratedStore(history: true)
    let old = person([])
    try store.open(old) { $0.make("Person", ["name": "Ada"]) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
    _ = try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: store.options)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      context.make("Person", ["name": "Bob"])
      try context.save()
    }
    let new = person([attribute("age", .integer16)])
    try store.open(new) { try #expect($0.texts("Person") == ["Ada", "Bob"]) }
    let error = #expect(throws: CocoaError.self) {
      try context.performAndWait {
        context.make("Person", ["name": "Eve"])
        try context.save()
      }
    }
    #expect(error?.errorCode == NSPersistentStoreIncompatibleVersionHashError)
    let unread = #expect(throws: CocoaError.self) { try context.performAndWait { try context.texts("Person") } }
    #expect(unread?.errorCode == NSPersistentStoreIncompatibleVersionHashError)
    try store.open(new) { try #expect($0.texts("Person") == ["Ada", "Bob"]) }
  }

  @Test func `tasks that open an old store concurrently all see it migrated`() async throws {
    let store = try MigratedStore(history: true)
    try store.open(person([])) { context in
      for number in 0..<200 { context.make("Person", ["name": "\(1000 + number)"]) }
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try store.open(person([attribute("age", .integer16, optional: false, default: 3)])) {
            try $0.all("Person").filter { $0.value(forKey: "age") as? Int == 3 }.count
          }
        }
      }
      for try await count in group { #expect(count == 200) }
    }
  }
}
