import Foundation
import StrataManagedModel

extension StoreConformance {
  /// The model of all checks, frozen.
  package static let model: NSManagedObjectModel = {
    let model = makeModel()
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
  package static func makeModel() -> NSManagedObjectModel {
    var draft = ModelDraft()
    draft.entity("Kinds", kinds)
    draft.entity("Country", [("name", .string)])
    draft.entity("Region", [("name", .string)])
    draft.entity("Quake", [("name", .string), ("magnitude", .double), ("depth", .integer32)])
    draft.entity("Tag", [("name", .string)])
    draft.entity("Animal", [("name", .string), ("weight", .integer32)])
    draft.entity("Bird", [("wingspan", .double)], parent: "Animal")
    draft.entity("Owl", [("isNocturnal", .boolean)], parent: "Bird")
    if let animal = draft.entities["Animal"], let weight = animal.attributesByName["weight"] {
      animal.indexes = [
        NSFetchIndexDescription(
          name: "byWeight", elements: [NSFetchIndexElementDescription(property: weight, collationType: .binary)])
      ]
    }
    draft.entity("Sponsor", [("name", .string)])
    draft.entity("Person", [("name", .string)])
    for name in ["Album", "Playlist", "Track", "Shelf", "Box", "City", "Tour"] {
      draft.entity(name, [("name", .string)])
    }
    draft.entity("Account", [("email", .string), ("bank", .string), ("number", .integer64)])
    draft.entities["Quake"]?.attributesByName["magnitude"]?.preservesValueInHistoryOnDeletion = true
    draft.entity("Station", [("name", .string)])
    draft.entities["Station"]?.properties += [site]
    draft.entities["Station"]?.uniquenessConstraints = [["site.label"]]
    draft.entities["Account"]?.uniquenessConstraints = [["email"], ["bank", "number"]]
    draft.entity("Seat", [("number", .integer64)])
    draft.entity("Pass", [("code", .string)])
    draft.entity("DayPass", [("day", .integer64)], parent: "Pass")
    draft.entities["Pass"]?.uniquenessConstraints = [["code"]]
    relate(&draft)
    return draft.model()
  }

  /// The history preserves the label.
  private static var site: NSAttributeDescription {
    func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type) = (name, type)
      attribute.preservesValueInHistoryOnDeletion = name == "label"
      return attribute
    }
    func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSAttributeDescription {
      let composite = NSCompositeAttributeDescription()
      (composite.name, composite.elements) = (name, elements)
      return composite
    }
    return composite(
      "site",
      [
        attribute("latitude", .double), attribute("longitude", .double), attribute("label", .string),
        composite("rock", [attribute("age", .integer64), attribute("kind", .string)]),
      ])
  }

  private static let kinds: [(String, NSAttributeDescription.AttributeType)] = [
    ("small", .integer16), ("medium", .integer32), ("large", .integer64), ("flag", .boolean), ("real", .double),
    ("single", .float), ("moment", .date), ("amount", .decimal), ("text", .string), ("link", .uri), ("token", .uuid),
    ("bytes", .binaryData), ("shape", .transformable), ("draft", .string),
  ]

  private static func relate(_ draft: inout ModelDraft) {
    draft.relate("Region", "country", .one, "Country", "regions", .many)
    draft.relate("Quake", "region", .one, "Region", "quakes", .many)
    draft.relate("Station", "region", .one, "Region", "stations", .many)
    draft.relate("Quake", "tags", .many, "Tag", "quakes", .many)
    draft.relate("Sponsor", "animal", .one, "Animal", "sponsors", .many)
    draft.relate("Sponsor", "favourites", .many, "Animal", "admirers", .many)
    draft.relate("Person", "parent", .one, "Person", "children", .many)
    draft.relate("Person", "friends", .many, "Person")
    draft.entities["Person"]?.relationshipsByName["friends"].map { $0.inverseRelationship = $0 }
    draft.relate("Track", "album", .one, "Album", "tracks", .ordered)
    draft.relate("Track", "playlists", .many, "Playlist", "tracks", .ordered)
    draft.relate("City", "tours", .ordered, "Tour", "cities", .ordered)
    draft.relate("Shelf", "boxes", .many, "Box")
    draft.relate("Box", "owner", .one, "Person")
    draft.relate("Seat", "shelf", .one, "Shelf")
    draft.entities["Seat"]?.uniquenessConstraints = [["shelf", "number"]]
  }
}

/// A model under construction.
private struct ModelDraft {
  enum Arity { case one, many, ordered }

  var entities: [String: NSEntityDescription] = [:]
  private var names: [String] = []

  mutating func entity(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)], parent: String? = nil
  ) {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      attribute.isTransient = name == "draft"
      return attribute
    }
    if let parent { entities[parent]?.subentities.append(entity) }
    entities[name] = entity
    names.append(name)
  }

  /// Adds a relationship and, if named, its inverse.
  func relate(
    _ source: String, _ name: String, _ arity: Arity, _ destination: String, _ inverse: String? = nil,
    _ inverseArity: Arity = .many
  ) {
    let there = relationship(name, arity, from: source, to: destination)
    guard let inverse else { return }
    let back = relationship(inverse, inverseArity, from: destination, to: source)
    there.inverseRelationship = back
    back.inverseRelationship = there
  }

  private func relationship(
    _ name: String, _ arity: Arity, from source: String, to destination: String
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entities[destination]
    relationship.maxCount = arity == .one ? 1 : 0
    relationship.isOrdered = arity == .ordered
    if let entity = entities[source] { entity.properties = entity.ownProperties + [relationship] }
    return relationship
  }

  func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = names.compactMap { entities[$0] }
    return model
  }
}
