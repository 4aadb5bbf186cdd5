import StrataManagedModel

/// The model of the worlds: everything that a predicate can reach from an entity.
///
/// | entities | purpose |
/// |---|---|
/// | Thing > Special | an attribute of every kind, in a hierarchy, and a nested composite attribute |
/// | Thing ⇿ Group ⇿ Area | to-one key paths, members by inverse |
/// | Thing ⟷ Tag | many-to-many |
/// | Thing ⇿ Thing | parent and children, and friends, its own inverse |
/// | Group ⟷ Tag | picks, ordered at one end |
enum WorldModel {
  /// The type of an expression's value.
  enum Family: CaseIterable { case number, text, date, data, uuid, object }

  struct Attribute {
    /// For an element of a composite attribute, its path.
    var name: String
    var family: Family
    var type: NSAttributeDescription.AttributeType
  }

  struct Relationship {
    var name: String
    var destination: String
    var isToMany = true
    var isOrdered = false
  }

  struct Entity {
    var attributes: [Attribute]
    var relationships: [Relationship]

    var toOne: [Relationship] { relationships.filter { !$0.isToMany } }
    var toMany: [Relationship] { relationships.filter(\.isToMany) }
  }

  static let entities: [String: Entity] = {
    var entities = [
      "Thing": thing,
      "Group": Entity(
        attributes: [
          text("name"), number("rank", .integer32), number("weight", .double), number("center.level", .integer16),
        ],
        relationships: [
          Relationship(name: "area", destination: "Area", isToMany: false),
          Relationship(name: "things", destination: "Thing"), Relationship(name: "kept", destination: "Special"),
          Relationship(name: "picks", destination: "Tag", isOrdered: true),
        ]),
      "Area": Entity(
        attributes: [text("name")], relationships: [Relationship(name: "groups", destination: "Group")]),
      "Tag": Entity(
        attributes: [text("name"), number("weight", .integer16)],
        relationships: [
          Relationship(name: "things", destination: "Thing"), Relationship(name: "pickers", destination: "Group"),
        ]),
    ]
    entities["Special"] = Entity(
      attributes: thing.attributes + [number("extra", .integer32)],
      relationships: thing.relationships + [Relationship(name: "keeper", destination: "Group", isToMany: false)])
    return entities
  }()

  private static let thing = Entity(
    attributes: [
      number("small", .integer16), number("medium", .integer32), number("large", .integer64),
      number("flag", .boolean), number("real", .double), number("single", .float), number("amount", .decimal),
      text("text"), text("other"), Attribute(name: "link", family: .text, type: .uri),
      Attribute(name: "moment", family: .date, type: .date), Attribute(name: "bytes", family: .data, type: .binaryData),
      Attribute(name: "token", family: .uuid, type: .uuid), number("spot.depth", .double), text("spot.kind"),
      number("spot.felt.by", .integer32), Attribute(name: "spot.felt.first", family: .date, type: .date),
    ],
    relationships: [
      Relationship(name: "group", destination: "Group", isToMany: false),
      Relationship(name: "parent", destination: "Thing", isToMany: false),
      Relationship(name: "children", destination: "Thing"), Relationship(name: "friends", destination: "Thing"),
      Relationship(name: "tags", destination: "Tag"),
    ])

  private static func text(_ name: String) -> Attribute { Attribute(name: name, family: .text, type: .string) }

  private static func number(_ name: String, _ type: NSAttributeDescription.AttributeType) -> Attribute {
    Attribute(name: name, family: .number, type: type)
  }

  private static let inverses = [
    ("Thing", "group", "Group", "things"), ("Thing", "parent", "Thing", "children"),
    ("Thing", "friends", "Thing", "friends"), ("Thing", "tags", "Tag", "things"), ("Group", "area", "Area", "groups"),
    ("Special", "keeper", "Group", "kept"), ("Group", "picks", "Tag", "pickers"),
  ]

  /// The model of these entities, frozen.
  static let model: NSManagedObjectModel = {
    var made: [String: NSEntityDescription] = [:]
    for name in entities.keys {
      made[name] = NSEntityDescription()
      made[name]?.name = name
    }
    var relationships: [String: NSRelationshipDescription] = [:]
    for (name, entity) in entities {
      let inherited = name == "Special" ? Set(thing.attributes.map(\.name) + thing.relationships.map(\.name)) : []
      made[name]?.properties =
        attributes(entity.attributes.filter { !inherited.contains($0.name) })
        + entity.relationships.filter { !inherited.contains($0.name) }.map { property in
          let relationship = relationship(property, to: made[property.destination])
          relationships["\(name).\(property.name)"] = relationship
          return relationship
        }
    }
    for (owner, name, destination, inverse) in inverses {
      let there = relationships["\(owner).\(name)"]
      let back = relationships["\(destination).\(inverse)"]
      there?.inverseRelationship = back
      back?.inverseRelationship = there
    }
    if let special = made["Special"] { made["Thing"]?.subentities = [special] }
    let model = NSManagedObjectModel()
    model.entities = made.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    model.freeze()
    return model
  }()

  /// Attributes, grouped into composite attributes by path.
  private static func attributes(_ attributes: [Attribute]) -> [NSAttributeDescription] {
    let groups = Dictionary(grouping: attributes) { String($0.name.prefix { $0 != "." }) }
    return groups.map { name, members in
      if members.count == 1, members[0].name == name { return attribute(members[0]) }
      let composite = NSCompositeAttributeDescription()
      composite.name = name
      composite.elements = self.attributes(
        members.map {
          Attribute(name: String($0.name.dropFirst(name.count + 1)), family: $0.family, type: $0.type)
        })
      return composite
    }
  }

  private static func attribute(_ attribute: Attribute) -> NSAttributeDescription {
    let description = NSAttributeDescription()
    description.name = attribute.name
    description.type = attribute.type
    return description
  }

  private static func relationship(
    _ relationship: Relationship, to destination: NSEntityDescription?
  ) -> NSRelationshipDescription {
    let description = NSRelationshipDescription()
    description.name = relationship.name
    description.destinationEntity = destination
    description.maxCount = relationship.isToMany ? 0 : 1
    description.isOrdered = relationship.isOrdered
    return description
  }
}
