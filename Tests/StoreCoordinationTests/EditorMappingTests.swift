import CoreData
import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

@testable import StrataManagedModel
@testable import StrataStoreCoordination

/// Mapping models in Xcode's source format.
@Suite struct EditorMappingTests {
  private let folder: URL
  private let old = Self.model(isNew: false)
  private let new = Self.model(isNew: true)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("edited-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Moods of countries of continents; in the new version moods refer to their continent too, and `country` is renamed
  /// to `place`.
  private static func model(isNew: Bool) -> NSManagedObjectModel {
    let model = makeModel(["Continent", "Country", "Mood"].map { makeEntity($0, [attribute("name")]) })
      .relate("Country", "continent", .one, "Continent", "countries", .many)
      .relate("Mood", isNew ? "place" : "country", .one, "Country", "moods", .many)
    return isNew ? model.relate("Mood", "continent", .one, "Continent", "moods", .many) : model
  }

  /// A mapping as Xcode writes it, with `sourcekeypath` and `sourcemappingname` instead of an expression.
  private func mapping(_ mood: [String: [String: String]] = [:], extraValues: [String: String] = [:]) throws -> URL {
    var mapping = EditorMapping()
    mapping.add(
      "Mood", "Mood", attributes: ["name"],
      relationships: [
        "continent": ["sourcekeypath": "$source.country.continent", "sourcemappingname": "ContinentToContinent"],
        "place": ["sourcekeypath": "$source.country", "sourcemappingname": "CountryToCountry"],
      ].merging(mood) { $1 }, extraValues: extraValues)
    mapping.add("Country", "Country", attributes: ["name"], relationships: ["moods": [:], "continent": [:]])
    mapping.add(
      "Continent", "Continent", attributes: ["name"],
      relationships: [
        "countries": [:],
        "moods": [
          "sourcekeypath": "$source.countries.@distinctUnionOfSets.moods", "sourcemappingname": "MoodToMood",
        ],
      ])
    return try mapping.write(in: folder, from: old, to: new)
  }

  private func open<T>(_ name: String, _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> T)
    throws -> T
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent(name))
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      return result
    }
  }

  private func migrate(_ url: URL) throws -> [String] {
    try open("Old.sqlite", old) { context in
      func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let asia = make("Continent", ["name": "Asia"])
      for name in ["Japan", "Nepal"] {
        let country = make("Country", ["name": name, "continent": asia])
        for number in 1...2 { _ = make("Mood", ["name": "\(name) \(number)", "country": country]) }
      }
      _ = make("Mood", ["name": "Nowhere"])
    }
    let model = try #require(NSMappingModel(contentsOf: url))
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: folder.appendingPathComponent("Old.sqlite"), type: .sqlite, mapping: model,
      to: folder.appendingPathComponent("New.sqlite"), type: .sqlite)
    return try open("New.sqlite", new) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Mood")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      return try context.fetch(request).map { mood in
        let names = ["name", "place.name", "continent.name"].map { mood.value(forKeyPath: $0) as? String ?? "-" }
        return names.joined(separator: ", ")
      }
    }
  }

  private let migrated = [
    "Japan 1, Japan, Asia", "Japan 2, Japan, Asia", "Nepal 1, Nepal, Asia", "Nepal 2, Nepal, Asia", "Nowhere, -, -",
  ]

  @Test func `relationships are migrated by their key paths and mappings`() throws {
    try #expect(migrate(mapping()) == migrated)
    let moods = try open("New.sqlite", new) { context in
      let asia = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Continent"))[0]
      return (asia.value(forKey: "moods") as? Set<NSManagedObject>)?.count
    }
    #expect(moods == 4)
  }

  @Test func `expressions equal those that the compiler of Apple writes`() throws {
    let model = try #require(NSMappingModel(contentsOf: try mapping()))
    let mood = try #require(model.entityMappingsByName["MoodToMood"])
    let expressions = (mood.relationshipMappings ?? []).map {
      "\($0.name ?? "") \($0.valueExpression?.description ?? "")"
    }
    let message = #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "#
    #expect(
      expressions == [
        "continent \(message)\"ContinentToContinent\", $source.country.continent)",
        "place \(message)\"CountryToCountry\", $source.country)",
      ])
    #expect(mood.attributeMappings?.map { $0.valueExpression?.description } == ["$source.name"])
  }

  @Test(arguments: [["sourcekeypath": "$source.country"], ["sourcekeypath": "country"]])
  func `a key path without a mapping name finds its mapping`(place: [String: String]) throws {
    var changed = place
    changed["sourcemappingname"] = ""
    try #expect(migrate(mapping(["place": changed])) == migrated)
  }

  @Test func `the error for an invalid mapping file names the invalid part`() throws {
    func error(_ url: URL) -> String {
      do {
        let file = url.appendingPathComponent("xcmapping.xml")
        _ = try MappingDocument(Array(Data(contentsOf: file)), file: "File").mappings()
        return ""
      } catch { return "\(error)" }
    }
    try #expect(error(mapping(extraValues: ["sourcewish": "x"])).contains("has 'sourcewish', which is not known"))
    try #expect(error(mapping(["place": ["colour": "x"]])).contains("has 'colour', which is not known"))
    try #expect(
      error(mapping(["place": ["sourcekeypath": "$source.country", "sourcemappingname": "Gone"]])).contains(
        "the mapping Gone, which is not there"))
    try #expect(
      error(mapping(["place": ["sourcekeypath": "$source."]])).contains("the key path '$source.' cannot be read"))
    try #expect(error(mapping(["name": ["sourcemappingname": "MoodToMood"]])).contains("has no such relationship"))
    try #expect(NSMappingModel(contentsOf: mapping(extraValues: ["sourcewish": "x"])) == nil)
    try #expect(error(mapping()) == "")
  }

  @Test func `a relationship left empty in the editor has no expression`() throws {
    let url = try mapping(["continent": ["autogenerateexpression": "0", "sourcekeypath": "", "sourcemappingname": ""]])
    let model = try #require(NSMappingModel(contentsOf: url))
    #expect(model.entityMappingsByName["MoodToMood"]?.relationshipMappings?.first?.valueExpression == nil)
  }
}
