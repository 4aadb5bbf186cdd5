import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataSQLText
import StrataTestSupport
import Testing

/// Inferred migration of attributes and entities, on the server as in a file.
@Suite(.waitsForProcesses) struct AttributeMigrationTests {
  private func person(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
    makeModel([makeEntity("Person", [attribute("name")] + properties)])
  }

  @Test func `attributes are added, removed and renamed`() throws {
    let found = try migrated([
      { person([attribute("age", .integer16), attribute("gone")]) },
      {
        person([
          attribute("years", .integer16, was: "age"), attribute("rank", .integer32, optional: false, default: 7),
          attribute("note"),
        ])
      },
    ]) { _, context in
      context.make("Person", ["name": "Bob", "years": 1, "rank": 2])
    } filling: {
      $0.make("Person", ["name": "Ada", "age": 36, "gone": "x"])
    }
    #expect(found == ["Person Ada note=nil rank=7 years=36", "Person Bob note=nil rank=2 years=1"])
  }

  @Test func `integer attributes become wider`() throws {
    let found = try migrated([
      { person([attribute("age", .integer16), attribute("rank", .integer32)]) },
      {
        person([
          attribute("years", .integer32, was: "age"), attribute("rank", .integer64),
        ])
      },
    ]) { _, context in
      context.make("Person", ["name": "Bob", "years": 70_000, "rank": Int.max])
    } filling: {
      $0.make("Person", ["name": "Ada", "age": 36, "rank": 7])
    }
    #expect(found == ["Person Ada rank=7 years=36", "Person Bob rank=9223372036854775807 years=70000"])
  }

  @Test func `new attributes of all types have their defaults`() throws {
    let uuid = try #require(UUID(uuidString: "0F3C5E2A-9B1D-4C77-8E60-1234567890AB"))
    let url = try #require(URL(string: "https://example.org/a?b"))
    let values: [(NSAttributeDescription.AttributeType, Any)] = [
      (.integer16, -3), (.integer64, Int64.max), (.boolean, true),
      (.double, 0.1), (.float, Float(1.5)), (.string, "it's? \"so\" \\"),
      (.decimal, NSDecimalNumber(string: "12345678901234567890.125")),
      (.date, Date(timeIntervalSinceReferenceDate: 700_000_000.25)), (.uuid, uuid),
      (.uri, url),
      (.binaryData, Data([0, 1, 255])),
    ]
    func all(_ isMandatory: Bool) -> NSManagedObjectModel {
      person(
        values.enumerated().map { number, pair in
          attribute("a\(number)", pair.0, optional: !isMandatory, default: isMandatory ? pair.1 : nil)
        })
    }
    // The attributes are added with their defaults, or their missing values are filled.
    for first in [{ person([]) }, { all(false) }] as [() -> NSManagedObjectModel] {
      let found = try server([first, { all(true) }]) {
        $0.make("Person", ["name": "Ada"])
      }
      let texts = values.map { pair -> String in
        switch pair.1 {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        case is Bool: "1"
        default: "\(pair.1)"
        }
      }
      let fields = texts.enumerated().map { (key: "a\($0)", value: $1) }.sorted { $0.key < $1.key }
      let wanted = "Person Ada " + fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      #expect(found.map { $0.replacing("=true", with: "=1") } == [wanted])
    }
  }

  /// Decimals have more digits on the server than in a file.
  private func server(
    _ versions: [() -> NSManagedObjectModel], filling fill: (NSManagedObjectContext) throws -> Void
  ) throws -> [String] {
    let store = try VersionedStore.onServer()
    try store.open(versions[0](), fill)
    return try store.open(versions[1]()) { try $0.everything() }
  }

  @Test func `a new mandatory attribute fills missing values with its default`() throws {
    let found = try migrated([
      { person([attribute("city")]) }, { person([attribute("city", optional: false, default: "nowhere")]) },
      { person([attribute("city")]).later() },
    ]) {
      $0.make("Person", ["name": "Ada", "city": "London"])
      $0.make("Person", ["name": "Bob"])
    }
    #expect(found == ["Person Ada city=London", "Person Bob city=nowhere"])
  }

  @Test func `two attributes exchange their names`() throws {
    let found = try migrated([
      { person([attribute("first"), attribute("last")]) },
      { person([attribute("first", was: "last"), attribute("last", was: "first")]).later() },
    ]) {
      $0.make("Person", ["name": "Ada", "first": "Ada", "last": "Lovelace"])
    }
    #expect(found == ["Person Ada first=Lovelace last=Ada"])
  }

  @Test func `entities are added, removed and renamed`() throws {
    let found = try migrated([
      {
        makeModel(["Cat", "Dog", "Gnu"].map { makeEntity($0, [attribute("name")]) })
      },
      {
        makeModel([
          makeEntity("Ape", [attribute("name")]), makeEntity("Hound", was: "Dog", [attribute("name")]),
          makeEntity("Gnu", [attribute("name")]),
        ])
      },
    ]) { _, context in
      context.make("Ape", ["name": "an Ape"])
      context.make("Hound", ["name": "b Dog"])
    } filling: { context in
      for name in ["Cat", "Dog", "Gnu"] { context.make(name, ["name": "a \(name)"]) }
    }
    #expect(found == ["Ape an Ape", "Gnu a Gnu", "Hound a Dog", "Hound b Dog"])
  }

  @Test func `hierarchies are split and created`() throws {
    let found = try migrated([
      {
        let bird = makeEntity("Bird", [attribute("song")])
        return makeModel([
          makeEntity("Animal", [attribute("name")], subentities: [bird]), bird, makeEntity("Zoo", [attribute("name")]),
        ])
      },
      {
        let zoo = makeEntity("Zoo")
        return makeModel([
          makeEntity("Animal", [attribute("name")]), makeEntity("Bird", [attribute("name"), attribute("song")]),
          makeEntity("Place", [attribute("name")], subentities: [zoo]), zoo,
        ])
      },
    ]) { _, context in
      // New keys follow the existing keys.
      for name in ["Animal", "Bird", "Zoo"] { context.make(name, ["name": "Z"]) }
    } filling: {
      $0.make("Animal", ["name": "Rex"])
      $0.make("Bird", ["name": "Tweety", "song": "la"])
      $0.make("Zoo", ["name": "Berlin"])
    }
    #expect(
      found == ["Animal Rex", "Animal Z", "Bird Tweety song=la", "Bird Z song=nil", "Zoo Berlin", "Zoo Z"])
  }

  @Test func `properties move between parent and child entities`() throws {
    func family(up: Bool) -> NSManagedObjectModel {
      let shared = { attribute("note") }
      let (ash, oak) = (makeEntity("Ash", up ? [] : [shared()]), makeEntity("Oak", up ? [] : [shared()]))
      return makeModel([
        makeEntity("Tree", [attribute("name")] + (up ? [shared()] : []), subentities: [ash, oak]), ash, oak,
      ])
    }
    let found = try migrated([
      { family(up: false) }, { family(up: true) }, { family(up: false).later(1) }, { family(up: true).later(2) },
    ]) {
      $0.make("Ash", ["name": "a", "note": "1"])
      $0.make("Oak", ["name": "b", "note": "2"])
    }
    #expect(found == ["Ash a note=1", "Oak b note=2"])
  }

  /// The server's catalog has the indexes of the new model and no others.
  @Test func `indexes and constraints match the new model`() throws {
    func version(_ isNew: Bool) -> NSManagedObjectModel {
      let person = makeEntity("Person", [attribute("name"), attribute(isNew ? "town" : "city", was: "city")])
      let name = NSFetchIndexElementDescription(
        property: isNew ? person.properties[1] : person.properties[0], collationType: .binary)
      person.indexes = [NSFetchIndexDescription(name: isNew ? "byTown" : "byName", elements: [name])]
      person.uniquenessConstraints = isNew ? [["town"]] : [["name"]]
      return makeModel([person])
    }
    let store = try VersionedStore.onServer()
    try store.open(version(false)) {
      $0.make("Person", ["name": "Ada", "city": "London"])
      $0.make("Person", ["name": "Bob", "city": "Paris"])
    }
    try store.open(version(true)) { context in
      context.make("Person", ["name": "Ada", "town": "Rome"])
      try context.save()
      context.make("Person", ["name": "Eve", "town": "Rome"])
      #expect(throws: CocoaError.self) { try context.save() }
      context.rollback()
    }
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    let result = try connection.run(
      SQLStatement(
        "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'zperson' ORDER BY 1"))
    #expect(
      (0..<result.rowCount).map { result.text($0, 0) } == [
        "z_person_bytown", "z_person_unique_town", "zperson_pkey",
      ])
  }
}
