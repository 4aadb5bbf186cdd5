import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// A class of the program, which a migration must not instantiate for either version.
final class MigratedPerson: NSManagedObject {
  static let awakened = Mutex(0)

  override func awakeFromInsert() {
    super.awakeFromInsert()
    Self.awakened.withLock { $0 += 1 }
    // The old version lacks this attribute.
    setValue("new", forKey: "nickname")
  }
}

/// Records the objects that it receives, and a transformable value.
final class RecordingPolicy: NSEntityMigrationPolicy {
  static let seen = Mutex<[String]>([])

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let new = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    Self.seen.withLock { $0 += ([sInstance] + new).map { "\(type(of: $0))" } }
  }

  override func answer(toMessage name: String, arguments: [Any?]) throws -> Any? {
    guard name == "textOfTags:" else { return try super.answer(toMessage: name, arguments: arguments) }
    return (arguments[0] as? [String])?.joined(separator: "+")
  }
}

/// The objects and values that a migration manager creates.
@Suite(.serialized) struct MigratedObjectTests {
  private func model(
    _ isNew: Bool, tags transformer: String? = nil, class name: String? = nil,
    text: NSAttributeDescription.AttributeType = .string
  ) -> NSManagedObjectModel {
    let (person, club) = (makeEntity("Person"), makeEntity("Club"))
    let tags = attribute("tags", .transformable)
    tags.valueTransformerName = transformer
    let clubs = relationship("clubs", to: club, max: 0, ordered: true)
    let members = relationship("members", to: person, max: 0)
    join(clubs, members)
    person.properties = [attribute("name"), tags, attribute("text", text), clubs]
    if isNew { person.properties.append(attribute("nickname")) }
    club.properties = [attribute("name"), members]
    if let name { person.managedObjectClassName = name }
    return makeModel([person, club])
  }

  private func filled(_ model: NSManagedObjectModel) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(model) { context in
      let clubs = ["Chess", "Go", "Bridge"].map { context.make("Club", ["name": $0]) }
      for (number, name) in ["Ada", "Grace"].enumerated() {
        context.make(
          "Person",
          [
            "name": name, "tags": ["tag", name] as [Any], "text": "x",
            "clubs": NSOrderedSet(array: number == 0 ? clubs : clubs.reversed()),
          ])
      }
    }
    return store
  }

  private func migrate(
    _ store: MigratedStore, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel,
    _ change: (NSEntityMapping) -> Void = { _ in }
  ) throws -> MigratedStore {
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    try change(#require(mapping.entityMappingsByName["IEM_Transform_Person"]))
    let target = try MigratedStore()
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: store.url, type: .sqlite, mapping: mapping, to: target.url, type: .sqlite)
    return target
  }

  private func people(_ store: MigratedStore, _ model: NSManagedObjectModel) throws -> [String] {
    try store.open(model) { try $0.texts("Person") }
  }

  // MARK: Sources

  @Test(
    arguments: [
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\" , \"Person\", \"name == 'Ada'\"), $manager.sourceContext, NO)",
      "FETCH(FUNCTION($manager ,'fetchRequestForSourceEntityNamed:predicateString:' , 'Person', 'name == \"Ada\"'), FUNCTION($manager, 'sourceContext'), NO)",
      "FETCH(FUNCTION($manager,'fetchRequestForSourceEntityNamed:predicateString:includesSubentities:','Person','name BEGINSWITH \"A\"', YES),$manager.sourceContext,false)",
      "FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Person', 'name == \"Ada\"')",
    ])
  func `the source expression selects the source objects`(text: String) throws {
    let (old, new) = (model(false), model(true))
    let target = try migrate(filled(old), old, new) { $0.sourceExpression = NSExpression(format: text) }
    try #expect(people(target, new) == ["Ada"])
  }

  @Test(arguments: ["name.length > 3", "note == NULL AND name.length > 3"])
  func `a filter that SQL cannot express is evaluated in memory`(filter: String) throws {
    let (old, new) = (model(false), model(true))
    for model in [old, new] {
      let note = attribute("note")
      note.isTransient = true
      model.entitiesByName["Person"]?.properties.append(note)
    }
    let target = try migrate(filled(old), old, new) {
      $0.sourceExpression = NSExpression(
        format:
          "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Person', %@), $manager.sourceContext, NO)",
        filter)
    }
    try #expect(people(target, new) == ["Grace"])
  }

  @Test(
    arguments: [
      ("$manager.migrationProgress", "neither objects nor a fetch request"),
      ("$manager.color", "color"),
      (
        "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Nobody', 'TRUEPREDICATE'), $manager.sourceContext, NO)",
        "no entity 'Nobody'"
      ),
      (
        "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Person', 'name =='), $manager.sourceContext, NO)",
        "column"
      ),
      (
        "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Person', 'size > 1'), $manager.sourceContext, NO)",
        "size"
      ),
    ])
  func `an invalid source expression fails the migration`(text: String, reason: String) throws {
    let (old, new) = (model(false), model(true))
    let store = try filled(old)
    let error = #expect(throws: CocoaError.self) {
      try migrate(store, old, new) { $0.sourceExpression = NSExpression(format: text) }
    }
    #expect(error?.errorCode == NSMigrationError && error?.localizedDescription.contains(reason) == true)
    try #expect(people(store, old) == ["Ada", "Grace"])
  }

  // MARK: Objects

  @Test func `a migration instantiates only plain managed objects`() throws {
    let store = try filled(model(false))
    let name = NSStringFromClass(MigratedPerson.self)
    let (old, new) = (model(false, class: name), model(true, class: name))
    RecordingPolicy.seen.withLock { $0 = [] }
    MigratedPerson.awakened.withLock { $0 = 0 }
    let target = try migrate(store, old, new) {
      $0.entityMigrationPolicyClassName = NSStringFromClass(RecordingPolicy.self)
    }
    #expect(RecordingPolicy.seen.withLock { $0 } == Array(repeating: "NSManagedObject", count: 4))
    #expect(MigratedPerson.awakened.withLock { $0 } == 0)
    try target.open(new) { context in
      let people = try context.all("Person")
      #expect(people.map { $0.storedText("nickname") } == [nil, nil] && people[0] is MigratedPerson)
    }
  }

  @Test(arguments: ["RecordingPolicy", "AnotherProgram.RecordingPolicy"])
  func `a policy class is found without its module name`(name: String) throws {
    let own = NSStringFromClass(MigratedPerson.self)
    let (old, new) = (model(false), model(true, class: own))
    let target = try migrate(filled(old), old, new) {
      $0.entityMigrationPolicyClassName = name
      for property in $0.attributeMappings ?? [] where property.name == "text" {
        property.valueExpression = NSExpression(format: "FUNCTION($entityPolicy, 'textOfTags:', $source.tags)")
      }
    }
    try target.open(new) { try #expect($0.texts("Person", "text") == ["tag+Ada", "tag+Grace"]) }
  }

  @Test func `ordered many-to-many relationships keep their order`() throws {
    let (old, new) = (model(false), model(true))
    let target = try migrate(filled(old), old, new)
    try target.open(new) { context in
      let people = try context.all("Person")
      #expect(people.map { $0.storedNames("clubs") } == [["Chess", "Go", "Bridge"], ["Bridge", "Go", "Chess"]])
      try #expect(
        context.all("Club").map { $0.storedNames("members") } == Array(repeating: ["Ada", "Grace"], count: 3))
    }
  }

  // MARK: Values

  @Test(arguments: [nil, "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData", "NobodysTransformer"])
  func `transformable values are migrated unchanged`(transformer: String?) throws {
    let (old, new) = (model(false, tags: transformer), model(true, tags: transformer))
    let target = try migrate(filled(old), old, new)
    try target.open(new) { context in
      try #expect(
        context.all("Person").map { $0.value(forKey: "tags") as? [String] } == [["tag", "Ada"], ["tag", "Grace"]])
    }
  }

  @Test func `the default policy responds to the messages that older mappings send`() throws {
    let (old, new) = (model(false), model(true))
    new.entitiesByName["Person"]?.attributesByName["nickname"]?.defaultValue = "nick"
    let target = try migrate(filled(old), old, new) { mapping in
      let texts = [
        "text":
          "FUNCTION($entityPolicy, 'attributeMappingOfPropertyMapping:entityMapping:manager:sourceValue:', $propertyMapping, $entityMapping, $manager, $source.name)",
        "nickname":
          "FUNCTION($entityPolicy, 'defaultValueForKey:propertyMapping:entityMapping:manager:', 'nickname', $propertyMapping, $entityMapping, $manager)",
      ]
      for property in mapping.attributeMappings ?? [] {
        if let text = texts[property.name ?? ""] { property.valueExpression = NSExpression(format: text) }
      }
    }
    try target.open(new) { context in
      try #expect(context.all("Person").map { $0.storedText("text") } == ["Ada", "Grace"])
      try #expect(context.all("Person").map { $0.storedText("nickname") } == ["nick", "nick"])
    }
  }

  @Test(
    arguments: [
      ("text", "$source.name", "does not take Ada"), ("color", "$source.name", "no such attribute"),
      ("clubs", "$source", "other than 'Club'"), ("friends", "$source.clubs", "no such relationship"),
    ])
  func `a value that a property does not accept fails the migration`(name: String, text: String, reason: String) throws
  {
    let (old, new) = (model(false), model(true))
    new.entitiesByName["Person"]?.attributesByName["text"]?.type = .integer32
    let store = try filled(old)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: model(true))
    let person = try #require(mapping.entityMappingsByName["IEM_Transform_Person"])
    let property = NSPropertyMapping()
    (property.name, property.valueExpression) = (name, NSExpression(format: text))
    person.attributeMappings = ["clubs", "friends"].contains(name) ? [] : [property]
    person.relationshipMappings = ["clubs", "friends"].contains(name) ? [property] : []
    let error = #expect(throws: CocoaError.self) {
      try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: store.url, type: .sqlite, mapping: mapping, to: MigratedStore().url, type: .sqlite)
    }
    #expect(error?.localizedDescription.contains(reason) == true, "\(String(describing: error))")
    try #expect(people(store, old) == ["Ada", "Grace"])
  }

  @Test func `a mapping of missing entities is refused`() throws {
    let (old, new) = (model(false), model(true))
    let store = try filled(old)
    for change in [
      { (mapping: NSEntityMapping) in mapping.sourceEntityName = "Gone" }, { $0.destinationEntityName = "Gone" },
    ] {
      let error = #expect(throws: CocoaError.self) { try migrate(store, old, new, change) }
      #expect(error?.localizedDescription.contains("no entity 'Gone'") == true)
    }
  }
}
