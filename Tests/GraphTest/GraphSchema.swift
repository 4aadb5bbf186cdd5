import CoreData
import StrataTestSupport

/// The entities of the test: every kind of relationship, all delete rules, and inheritance.
struct GraphSchema: Sendable {
  struct Relationship: Sendable {
    let name: String
    let destination: String
    var isToMany = false
    var isOrdered = false
    var inverse: String?
    var rule = NSDeleteRule.nullifyDeleteRule
    var isTransient = false
  }

  struct Entity: Sendable {
    let name: String
    var superentity: String?
    var texts: [String] = []
    var numbers: [String] = []
    var relationships: [Relationship] = []
  }

  /// The attribute that identifies an object in every context and store; it never changes.
  static let key = "key"
  /// The entity and attribute whose values are unique.
  static let unique = (entity: "Work", attribute: "code")

  static let clock = "Clock"

  static let entities: [Entity] = [
    Entity(
      name: "Person", texts: ["name"], numbers: ["age"],
      relationships: [
        Relationship(name: "works", destination: "Work", isToMany: true, inverse: "author"),
        Relationship(name: "friends", destination: "Person", isToMany: true, inverse: "friends"),
        Relationship(name: "spouse", destination: "Person", inverse: "spouse"),
        Relationship(name: "mentor", destination: "Person", inverse: "pupils"),
        Relationship(name: "pupils", destination: "Person", isToMany: true, inverse: "mentor"),
        Relationship(name: "favorite", destination: "Work"),
        Relationship(
          name: "shelves", destination: "Shelf", isToMany: true, inverse: "owner", rule: .denyDeleteRule),
        Relationship(name: "guests", destination: "Person", isToMany: true, isTransient: true),
      ]),
    Entity(
      name: "Editor", superentity: "Person", numbers: ["rank"],
      relationships: [
        Relationship(
          name: "desks", destination: "Shelf", isToMany: true, inverse: "editor", rule: .cascadeDeleteRule),
        Relationship(name: "bookmarks", destination: "Tag", isToMany: true),
      ]),
    Entity(
      name: "Work", texts: ["title", "code"], numbers: ["price"],
      relationships: [
        Relationship(name: "author", destination: "Person", inverse: "works"),
        Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "works"),
        Relationship(name: "shelf", destination: "Shelf", inverse: "works"),
        Relationship(
          name: "chapters", destination: "Chapter", isToMany: true, isOrdered: true, inverse: "work",
          rule: .cascadeDeleteRule),
        Relationship(name: "sequels", destination: "Work", isToMany: true, isOrdered: true, inverse: "prequels"),
        Relationship(name: "prequels", destination: "Work", isToMany: true, isOrdered: true, inverse: "sequels"),
        Relationship(name: "readers", destination: "Person", isToMany: true, isOrdered: true),
      ]),
    Entity(name: "Album", superentity: "Work", texts: ["label"]),
    Entity(
      name: "Shelf", texts: ["name"],
      relationships: [
        Relationship(name: "works", destination: "Work", isToMany: true, isOrdered: true, inverse: "shelf"),
        Relationship(name: "owner", destination: "Person", inverse: "shelves"),
        Relationship(name: "editor", destination: "Editor", inverse: "desks"),
        Relationship(name: "tags", destination: "Tag", isToMany: true, isOrdered: true, inverse: "shelves"),
      ]),
    Entity(
      name: "Chapter", texts: ["title"],
      relationships: [
        Relationship(name: "work", destination: "Work", inverse: "chapters"),
        Relationship(name: "notes", destination: "Note", isToMany: true, inverse: "chapter", rule: .noActionDeleteRule),
      ]),
    Entity(
      name: "Note", texts: ["text"],
      relationships: [Relationship(name: "chapter", destination: "Chapter", inverse: "notes")]),
    Entity(
      name: "Tag", texts: ["name"],
      relationships: [
        Relationship(name: "works", destination: "Work", isToMany: true, inverse: "tags"),
        Relationship(name: "shelves", destination: "Shelf", isToMany: true, inverse: "tags"),
      ]),
    // Each save of a root context inserts one, so that the test can wait until the others have merged it.
    Entity(name: clock, numbers: ["tick"]),
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })

  /// The entities whose objects the test creates.
  static let objectEntities = entities.map(\.name).filter { $0 != clock }
  static let rootEntities = entities.filter { $0.superentity == nil && $0.name != clock }.map(\.name)

  /// Returns an entity and its superentities, the topmost first.
  static func line(of entity: String) -> [Entity] {
    guard let own = byName[entity] else { return [] }
    return (own.superentity.map(line) ?? []) + [own]
  }

  static func isKind(_ entity: String, of other: String) -> Bool { line(of: entity).contains { $0.name == other } }

  static let relationshipsByEntity = Dictionary(
    uniqueKeysWithValues: entities.map { entity in (entity.name, line(of: entity.name).flatMap(\.relationships)) })

  static func relationships(of entity: String) -> [Relationship] { relationshipsByEntity[entity] ?? [] }

  static func relationship(_ name: String, of entity: String) -> Relationship {
    guard let found = relationships(of: entity).first(where: { $0.name == name }) else {
      fatalError("The schema has no relationship \(entity).\(name).")
    }
    return found
  }

  static func texts(of entity: String) -> [String] { line(of: entity).flatMap(\.texts) }
  static func numbers(of entity: String) -> [String] { line(of: entity).flatMap(\.numbers) }
}

extension GraphSchema {
  /// Returns the schema as a model.
  static func model() -> NSManagedObjectModel {
    let descriptions = Dictionary(
      uniqueKeysWithValues: entities.map { entity in
        let description = makeEntity(entity.name)
        description.managedObjectClassName = className(of: entity.name)
        return (entity.name, description)
      })
    for entity in entities {
      guard let description = descriptions[entity.name] else { continue }
      description.properties =
        attributes(of: entity) + entity.relationships.map { made($0, in: descriptions) }
      if entity.name == unique.entity { description.uniquenessConstraints = [[unique.attribute]] }
      description.subentities = entities.filter { $0.superentity == entity.name }.compactMap { descriptions[$0.name] }
    }
    for entity in entities {
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse else { continue }
        descriptions[entity.name]?.relationshipsByName[relationship.name]?.inverseRelationship =
          descriptions[relationship.destination]?.relationshipsByName[inverse]
      }
    }
    return makeModel(entities.compactMap { descriptions[$0.name] })
  }

  private static func className(of entity: String) -> String {
    switch entity {
    case "Person", "Editor": NSStringFromClass(Person.self)
    case "Work", "Album": NSStringFromClass(Work.self)
    case "Tag": NSStringFromClass(Tag.self)
    case "Shelf": NSStringFromClass(Shelf.self)
    default: "NSManagedObject"
    }
  }

  private static func attributes(of entity: Entity) -> [NSPropertyDescription] {
    let numbers = (entity.superentity == nil ? [key] : []) + entity.numbers
    return entity.texts.map { attribute($0) } + numbers.map { attribute($0, .integer64) }
  }

  private static func made(
    _ relationship: Relationship, in descriptions: [String: NSEntityDescription]
  ) -> NSRelationshipDescription {
    let description = NSRelationshipDescription()
    description.name = relationship.name
    description.destinationEntity = descriptions[relationship.destination]
    description.maxCount = relationship.isToMany ? 0 : 1
    description.isOrdered = relationship.isOrdered
    description.deleteRule = relationship.rule
    description.isTransient = relationship.isTransient
    description.isOptional = true
    return description
  }
}

// Classes with typed accessors, which read relationships in another way than key-value coding.

final class Person: NSManagedObject {
  @NSManaged var key: Int64
  @NSManaged var works: Set<Work>
  @NSManaged var friends: Set<Person>
}

final class Work: NSManagedObject {
  @NSManaged var key: Int64
  @NSManaged var tags: Set<Tag>
  @NSManaged var author: Person?
}

final class Tag: NSManagedObject {
  @NSManaged var key: Int64
  @NSManaged var works: Set<Work>
}

final class Shelf: NSManagedObject {
  @NSManaged var key: Int64
  @NSManaged var works: NSOrderedSet
}
