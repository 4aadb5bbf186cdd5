import StrataManagedModel
import StrataTestSupport

/// The model of the samples: everything that a predicate can reach from an entity.
///
/// | entities | purpose |
/// |---|---|
/// | Thing > Special | an attribute of every kind, in a hierarchy, and a nested composite attribute |
/// | Thing ⇿ Group ⇿ Area | to-one key paths, members by inverse |
/// | Thing ⟷ Tag | many-to-many |
/// | Thing ⇿ Thing | parent and children, and friends, its own inverse |
/// | Group ⟷ Tag | picks, ordered at one end |
enum SampleModel {
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
    let special = makeEntity("Special", [attribute("extra", .integer32)])
    let names = entities.keys.filter { $0 != "Special" }.sorted()
    let model = makeModel(
      names.map { name in
        makeEntity(
          name, attributes(entities[name]?.attributes ?? []), subentities: name == "Thing" ? [special] : [])
      })
    for (owner, name, destination, inverse) in inverses {
      model.relate(owner, name, arity(owner, name), destination, inverse, arity(destination, inverse))
    }
    model.freeze()
    return model
  }()

  private static func arity(_ entity: String, _ name: String) -> Arity {
    let relationship = entities[entity]?.relationships.first { $0.name == name }
    return relationship?.isToMany == false ? .one : relationship?.isOrdered == true ? .ordered : .many
  }

  /// Attributes, grouped into composite attributes by path.
  private static func attributes(_ attributes: [Attribute]) -> [NSAttributeDescription] {
    let groups = Dictionary(grouping: attributes) { String($0.name.prefix { $0 != "." }) }
    return groups.map { name, members in
      if members.count == 1, members[0].name == name { return attribute(name, members[0].type) }
      return compositeAttribute(
        name,
        self.attributes(
          members.map {
            Attribute(name: String($0.name.dropFirst(name.count + 1)), family: $0.family, type: $0.type)
          }))
    }
  }
}
