import Foundation
import StrataManagedModel
import StrataTestSupport

extension StoreConformance {
  /// The model of all checks, frozen.
  package static let model: NSManagedObjectModel = {
    let model = freshModel()
    model.freeze()
    return model
  }()

  /// A fresh copy of the model of all checks.
  ///
  /// | entities | purpose |
  /// |---|---|
  /// | Kinds | an attribute of every kind, and a transient one |
  /// | Country ⇿ Region ⇿ Quake ⟷ Tag | to-one key paths, to-many by inverse, many-to-many; the history preserves a
  /// magnitude |
  /// | Animal > Bird > Owl, Sponsor | a hierarchy with a fetch index, and relationships into it |
  /// | Person | self-referencing: parent and children, and friends, its own inverse |
  /// | Album, Playlist, Track | ordered relationships, one-to-many and many-to-many |
  /// | City, Tour | a many-to-many relationship ordered at both ends |
  /// | Shelf, Box | a to-many and a to-one relationship without inverse |
  /// | Station | a nested composite attribute, and a uniqueness constraint on an element |
  /// | Account | uniqueness constraints: `email`, and `bank` with `number` |
  /// | Seat ⇾ Shelf | a uniqueness constraint with a to-one relationship |
  /// | Pass > DayPass | a uniqueness constraint that a sub-entity inherits |
  package static func freshModel() -> NSManagedObjectModel {
    let kinds = kinds.map { attribute($0, $1, transient: $0 == "draft") }
    let owl = makeEntity("Owl", [attribute("isNocturnal", .boolean)])
    let bird = makeEntity("Bird", [attribute("wingspan", .double)], subentities: [owl])
    let weight = attribute("weight", .integer32)
    let animal = makeEntity("Animal", [attribute("name"), weight], subentities: [bird])
    animal.indexes = [
      NSFetchIndexDescription(
        name: "byWeight", elements: [NSFetchIndexElementDescription(property: weight, collationType: .binary)])
    ]
    let named = [
      "Country", "Region", "Tag", "Sponsor", "Person", "Album", "Playlist", "Track", "Shelf", "Box", "City", "Tour",
    ]
    let magnitude = attribute("magnitude", .double, preserved: true)
    let model = makeModel(
      named.map { makeEntity($0, [attribute("name")]) } + [
        animal, makeEntity("Kinds", kinds),
        makeEntity("Quake", [attribute("name"), magnitude, attribute("depth", .integer32)]),
        makeEntity(
          "Account", unique: [["email"], ["bank", "number"]],
          [attribute("email"), attribute("bank"), attribute("number", .integer64)]),
        makeEntity("Station", unique: [["site.label"]], [attribute("name"), site]),
        makeEntity("Seat", unique: [["shelf", "number"]], [attribute("number", .integer64)]),
        makeEntity(
          "Pass", unique: [["code"]], [attribute("code")],
          subentities: [makeEntity("DayPass", [attribute("day", .integer64)])]),
      ])
    return relate(model)
  }

  /// The history preserves the label.
  private static var site: NSAttributeDescription {
    compositeAttribute(
      "site",
      [
        attribute("latitude", .double), attribute("longitude", .double), attribute("label", preserved: true),
        compositeAttribute("rock", [attribute("age", .integer64), attribute("kind")]),
      ])
  }

  private static let kinds: [(String, NSAttributeDescription.AttributeType)] = [
    ("small", .integer16), ("medium", .integer32), ("large", .integer64), ("flag", .boolean), ("real", .double),
    ("single", .float), ("moment", .date), ("amount", .decimal), ("text", .string), ("link", .uri), ("token", .uuid),
    ("bytes", .binaryData), ("shape", .transformable), ("draft", .string),
  ]

  private static func relate(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    model
      .relate("Region", "country", .one, "Country", "regions", .many)
      .relate("Quake", "region", .one, "Region", "quakes", .many)
      .relate("Station", "region", .one, "Region", "stations", .many)
      .relate("Quake", "tags", .many, "Tag", "quakes", .many)
      .relate("Sponsor", "animal", .one, "Animal", "sponsors", .many)
      .relate("Sponsor", "favourites", .many, "Animal", "admirers", .many)
      .relate("Person", "parent", .one, "Person", "children", .many)
      .relate("Person", "friends", .many, "Person", "friends", .many)
      .relate("Track", "album", .one, "Album", "tracks", .ordered)
      .relate("Track", "playlists", .many, "Playlist", "tracks", .ordered)
      .relate("City", "tours", .ordered, "Tour", "cities", .ordered)
      .relate("Shelf", "boxes", .many, "Box")
      .relate("Box", "owner", .one, "Person")
      .relate("Seat", "shelf", .one, "Shelf")
  }
}
