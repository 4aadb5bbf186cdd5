import CoreData
import Foundation
import StrataFormats
import StrataPredicates
import StrataSupport
import StrataTestSupport
import Testing

@testable import StrataStoreCoordination

/// A policy that receives messages from a mapping model's expression.
final class AgePolicy: NSEntityMigrationPolicy {
  override func answer(toMessage name: String, arguments: [Any?]) throws -> Any? {
    guard name == "ageFromText:" else { return try super.answer(toMessage: name, arguments: arguments) }
    return (arguments[0] as? String).flatMap { Int($0) }
  }
}

/// Mapping models in files.
@Suite struct MappingFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mapping-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A person's age is text in the old version and a number in the new one, which cannot be inferred.
  private static func model(_ age: NSAttributeDescription.AttributeType) -> NSManagedObjectModel {
    makeModel(makeEntity("Person", [attribute("name"), attribute("age", age)]), makeEntity("Pet", [attribute("name")]))
      .relate("Person", "pets", .many, "Pet", "owner", .one)
  }

  private let old = Self.model(.string)
  private let new = Self.model(.integer32)

  private func mapping(message: String = "ageFromText:") -> Data {
    var archive = MappingArchive()
    let age = archive.message(message, to: "entityPolicy", [archive.source("age")])
    let owner = archive.message(
      "destinationInstancesForEntityMappingNamed:sourceInstances:", to: "manager",
      [archive.text("PersonToPerson"), archive.source("owner")])
    let pets = archive.message(
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:", to: "manager",
      [archive.text("pets"), archive.source("pets")])
    let (oldNames, newNames) = (old.entitiesByName, new.entitiesByName)
    archive.add(
      MappingArchive.Entity(
        old: oldNames["Person"], new: newNames["Person"], policy: String(reflecting: AgePolicy.self),
        attributes: [("name", archive.source("name")), ("age", age)], relationships: [("pets", pets)]))
    archive.add(
      MappingArchive.Entity(
        old: oldNames["Pet"], new: newNames["Pet"], attributes: [("name", archive.source("name"))],
        relationships: [("owner", owner)]),
      where: "name != \"Ghost\"")
    return archive.bytes()
  }

  private func write(_ data: Data, _ name: String = "People.cdm") throws -> URL {
    let url = folder.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  private func open<T>(
    _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = [:], _ body: (NSManagedObjectContext) throws -> T
  ) throws -> T {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = folder.appendingPathComponent("People.sqlite")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    defer { try? coordinator.remove(store) }
    return try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }

  private func fill() throws {
    try open(old) { context in
      let ada = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      ada.setValue("Ada", forKey: "name")
      ada.setValue("36", forKey: "age")
      for name in ["Rex", "Tom", "Ghost", "Stray"] {
        let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
        pet.setValue(name, forKey: "name")
        if name != "Stray" { pet.setValue(ada, forKey: "owner") }
      }
    }
  }

  private func check(_ context: NSManagedObjectContext) throws {
    let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    #expect(people.map { $0.value(forKey: "age") as? Int } == [36])
    let pets = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Pet"))
    let owned = pets.filter { $0.value(forKey: "owner") != nil }.compactMap { $0.value(forKey: "name") as? String }
    #expect(pets.count == 3 && owned.sorted() == ["Rex", "Tom"])
    #expect((people.first?.value(forKey: "pets") as? Set<NSManagedObject>)?.count == 2)
  }

  @Test func `a compiled file is read with its expressions`() throws {
    let model = try #require(NSMappingModel(contentsOf: try write(mapping())))
    let person = try #require(model.entityMappingsByName["PersonToPerson"])
    #expect(person.mappingType == .customEntityMappingType && person.sourceEntityName == "Person")
    #expect(person.sourceEntityVersionHash == old.entityVersionHashesByName["Person"])
    #expect(person.destinationEntityVersionHash == new.entityVersionHashesByName["Person"])
    let age = person.attributeMappings?.last?.valueExpression
    #expect("\(try #require(age))" == #"FUNCTION($entityPolicy, "ageFromText:", $source.age)"#)
    #expect(age?.expressionType == .function && age?.function == "ageFromText:" && age?.arguments?.count == 1)
    let objects = try #require(model.entityMappingsByName["PetToPet"]?.sourceExpression)
    #expect("\(objects)".contains(#""fetchRequestForSourceEntityNamed:predicateString:", "Pet", "name != "#))
    #expect("\(objects)".hasSuffix("$manager.sourceContext, NO)"))
  }

  @Test func `a migration evaluates the expressions of a file`() throws {
    try fill()
    let model = try #require(NSMappingModel(contentsOf: try write(mapping())))
    let target = folder.appendingPathComponent("New.sqlite")
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    try manager.migrateStore(
      from: folder.appendingPathComponent("People.sqlite"), type: .sqlite, mapping: model, to: target, type: .sqlite)
    try FileManager.default.moveItem(
      at: folder.appendingPathComponent("People.sqlite"), to: folder.appendingPathComponent("Old.sqlite"))
    try FileManager.default.moveItem(at: target, to: folder.appendingPathComponent("People.sqlite"))
    try open(new) { try check($0) }
  }

  @Test func `the description of an expression can be parsed`() throws {
    let model = try #require(NSMappingModel(contentsOf: try write(mapping())))
    for mapping in model.entityMappings {
      for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
        let expression = try #require(property.valueExpression)
        #expect(StrataPredicates.NSExpression(format: "\(expression)") == expression)
      }
    }
  }

  @Test func `a file is found by the version hashes of both models`() throws {
    _ = try write(mapping())
    let bundle = try #require(Bundle(path: folder.path))
    #expect(NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new)?.entityMappings.count == 2)
    #expect(NSMappingModel(from: [bundle], forSourceModel: new, destinationModel: old) == nil)
    #expect(NSMappingModel(from: [], forSourceModel: old, destinationModel: new) == nil)
    #expect(NSMappingModel(from: [bundle], forSourceModel: nil, destinationModel: new) == nil)
  }

  @Test func `a lookup returns a new mapping model from the current file`() throws {
    let url = try write(mapping())
    let bundle = try #require(Bundle(path: folder.path))
    func found() -> NSMappingModel? { NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new) }
    let (first, second) = (try #require(found()), try #require(found()))
    #expect(first == second && first.entityMappings == NSMappingModel(contentsOf: url)?.entityMappings)
    first.entityMappings[0].attributeMappings = nil
    second.entityMappings[0].relationshipMappings?.first?.name = "other"
    #expect(found() != first && found() != second && found() == NSMappingModel(contentsOf: url))
    _ = try write(mapping(message: "yearFromText:"))
    #expect(found() == NSMappingModel(contentsOf: url))
    try Data("nothing".utf8).write(to: url)
    #expect(found() == nil)
    try FileManager.default.removeItem(at: url)
    #expect(found() == nil)
  }

  @Test func `a mapping file migrates a store in place`() throws {
    try fill()
    let url = folder.appendingPathComponent("People.sqlite")
    let bundle = try #require(Bundle(path: folder.path))
    func migrate() throws -> Bool {
      try MappedMigration(
        driver: SQLiteDriver(), url: url, type: .sqlite, configuration: nil, options: StoreOptions(nil), target: new,
        bundles: [bundle]
      ).run()
    }
    #expect(try !migrate())
    _ = try write(mapping())
    try NSPersistentStoreCoordinator.setMetadata(["note": "kept"], type: .sqlite, at: url)
    let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(try migrate())
    try open(new) { try check($0) }
    let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(after[NSStoreUUIDKey] as? String == before[NSStoreUUIDKey] as? String && after["note"] as? String == "kept")
    #expect(try migrate())
    try open(new) { try check($0) }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix(".People.sqlite-") })
    // A program without the new version cannot migrate the store back.
    let inferring = [NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption]
    let error = #expect(throws: CocoaError.self) {
      try open(old, Dictionary(uniqueKeysWithValues: inferring.map { ($0, true as NSNumber) })) { _ in }
    }
    #expect(error?.code == .migrationMissingSourceModel)
    try open(new) { try check($0) }
  }

  @Test func `mapping files next to the program are found`() throws {
    try fill()
    let resources = folder.appendingPathComponent("Shop_People.resources")
    try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: false)
    try mapping().write(to: resources.appendingPathComponent("People.cdm"))
    let url = folder.appendingPathComponent("People.sqlite")
    let bundles = Bundle.resources(beside: folder)
    #expect(
      try MappedMigration(
        driver: SQLiteDriver(), url: url, type: .sqlite, configuration: nil, options: StoreOptions(nil), target: new,
        bundles: bundles
      ).run())
    try open(new) { try check($0) }
    // The bundles that a coordinator searches by default.
    #expect(
      MappedMigration(
        driver: SQLiteDriver(), url: url, type: .sqlite, configuration: nil, options: StoreOptions(nil), target: new
      ).bundles.contains(.main))
  }

  @Test func `a store without a mapping file is rejected and stays unchanged`() throws {
    try fill()
    let options = [NSMigratePersistentStoresAutomaticallyOption: true as NSNumber]
    let error = #expect(throws: CocoaError.self) { try open(new, options) { _ in } }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    let count = try open(old) { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Pet")) }
    #expect(count == 4)
  }

  @Test func `an unknown message ends the migration`() throws {
    try fill()
    let model = try #require(NSMappingModel(contentsOf: try write(mapping(message: "yearFromText:"))))
    let error = #expect(throws: CocoaError.self) {
      try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: folder.appendingPathComponent("People.sqlite"), type: .sqlite, mapping: model,
        to: folder.appendingPathComponent("New.sqlite"), type: .sqlite)
    }
    #expect(error?.code == .migration && error?.localizedDescription.contains("yearFromText:") == true)
  }

  @Test func `an unknown mapping type is undefined`() throws {
    var archive = KeyedArchiveWriter()
    let mapping = archive.add(["NSEntityMapping"], entries: [("NSMappingType", .integer(-1))])
    let list = archive.list(["NSArray"], members: [mapping])
    let root = archive.add(["NSMappingModel"], entries: [("NSEntityMappings", .object(list))])
    let mappings = try NSMappingModel.mappings(in: archive.bytes(root: root), file: "Odd.cdm")
    #expect(mappings.map(\.mappingType) == [.undefinedEntityMappingType])
  }

  @Test func `a function without arguments is rejected`() throws {
    var archive = KeyedArchiveWriter()
    let none = archive.list(["NSArray"], members: [])
    let name = archive.text("canonical:")
    let function = archive.add(
      ["NSFunctionExpression", "NSExpression"],
      entries: [("NSSelectorName", .object(name)), ("NSArguments", .object(none))])
    let property = archive.add(["NSPropertyMapping"], entries: [("NSValueExpression", .object(function))])
    let properties = archive.list(["NSArray"], members: [property])
    let mapping = archive.add(["NSEntityMapping"], entries: [("NSAttributeMappings", .object(properties))])
    let list = archive.list(["NSArray"], members: [mapping])
    let root = archive.add(["NSMappingModel"], entries: [("NSEntityMappings", .object(list))])
    let error = #expect(throws: FileFormatError.self) {
      try NSMappingModel.mappings(in: archive.bytes(root: root), file: "Odd.cdm")
    }
    #expect(error?.problem.contains("canonical: takes 1 argument, given 0") == true, "\(String(describing: error))")
  }

  @Test func `an invalid mapping file returns nil`() throws {
    #expect(NSMappingModel(contentsOf: nil) == nil)
    #expect(NSMappingModel(contentsOf: folder.appendingPathComponent("None.cdm")) == nil)
    #expect(NSMappingModel(contentsOf: try write(Data("text".utf8))) == nil)
    #expect(NSMappingModel(contentsOf: try write(mapping().dropLast(40))) == nil)
  }
}
