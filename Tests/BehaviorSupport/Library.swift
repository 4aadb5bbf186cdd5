import CoreData
import Foundation
import StrataTestSupport
import Testing

/// Relationships of every kind.
///
/// | entities | what they are for |
/// |---|---|
/// | Person, Passport | parent and children, friends and a spouse that are their own inverse, one-to-one |
/// | Book, Page, Tag, List | ordered one-to-many, many-to-many, ordered at one end and at both |
/// | Shelf, Box | relationships without an inverse: to-one, to-many, ordered |
/// | Owner, Animal > Bird | a destination with a sub-entity |
/// | Folder, File, Lock, Note, Ring | the delete rules: cascade and nullify, deny, no action, a circle |
enum Library {
  static let model = makeModel()

  private static func makeModel() -> NSManagedObjectModel {
    let draft = LibraryDraft()
    draft.relate("Person", "parent", .one, "Person", "children", .many)
    draft.relate("Person", "friends", .many, "Person", "friends", .many)
    draft.relate("Person", "spouse", .one, "Person", "spouse", .one)
    draft.relate("Person", "passport", .one, "Passport", "owner", .one)
    draft.relate("Book", "pages", .ordered, "Page", "book", .one)
    draft.relate("Book", "tags", .many, "Tag", "books", .many)
    draft.relate("List", "books", .ordered, "Book", "lists", .many)
    draft.relate("List", "tags", .ordered, "Tag", "lists", .ordered)
    draft.relate("Shelf", "boxes", .many, "Box")
    draft.relate("Shelf", "stack", .ordered, "Box")
    draft.relate("Shelf", "favorite", .one, "Box")
    draft.relate("Animal", "owner", .one, "Owner", "animals", .many)
    draft.entity("Bird").name = "Bird"
    draft.entity("Animal").subentities = [draft.entity("Bird")]
    draft.relate("Folder", "folders", .many, "Folder", "parent", .one, rule: .cascadeDeleteRule)
    draft.relate("Folder", "files", .many, "File", "folder", .one, rule: .cascadeDeleteRule)
    draft.relate("File", "notes", .many, "Note", "files", .many)
    draft.relate("File", "lock", .one, "Lock", "files", .many, inverseRule: .denyDeleteRule)
    draft.relate("Note", "author", .one, "Person", "notes", .many, inverseRule: .noActionDeleteRule)
    draft.relate("Ring", "next", .one, "Ring", "previous", .one, rule: .cascadeDeleteRule)
    draft.entity("Book").managedObjectClassName = NSStringFromClass(Book.self)
    draft.entity("Page").managedObjectClassName = NSStringFromClass(Page.self)
    draft.entity("Tag").managedObjectClassName = NSStringFromClass(BookTag.self)
    draft.entity("Folder").managedObjectClassName = NSStringFromClass(Folder.self)
    return draft.model()
  }
}

extension Store {
  /// A container with an empty store for the library.
  func library() throws -> NSPersistentContainer { try container(of: Library.model) }

  /// A container with an empty store for a model.
  func container(of model: NSManagedObjectModel) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: try url("Library"))
    description.type = rawValue
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }
}

extension NSManagedObject {
  func names(_ key: String) -> [String] {
    let objects = (value(forKey: key) as? NSOrderedSet)?.array ?? (value(forKey: key) as? NSSet)?.allObjects ?? []
    let names = objects.compactMap { ($0 as? NSManagedObject)?.called }
    return value(forKey: key) is NSOrderedSet ? names : names.sorted()
  }

  var called: String? { value(forKey: "name") as? String }

  /// The name of the object at the other end of a to-one relationship.
  func oneName(_ key: String) -> String? { one(key)?.called }

  func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
}

extension NSManagedObjectContext {
  /// New objects with names.
  func make(_ entity: String, _ names: String...) -> [NSManagedObject] { names.map { insert(entity, ["name": $0]) } }

  /// The object of an entity with a name.
  func named(_ entity: String, _ name: String) throws -> NSManagedObject {
    try #require(try fetch(entity, "name == %@", [name]).first)
  }
}

/// Entities, each with a name, and relationships while a model is written down.
private final class LibraryDraft {
  enum Arity { case one, many, ordered }

  private var entities: [String: NSEntityDescription] = [:]

  func entity(_ name: String) -> NSEntityDescription {
    if let known = entities[name] { return known }
    let entity = NSEntityDescription()
    entity.name = name
    if name != "Bird" {
      let attribute = NSAttributeDescription()
      attribute.name = "name"
      attribute.attributeType = .stringAttributeType
      entity.properties = [attribute]
    }
    entities[name] = entity
    return entity
  }

  func relate(
    _ source: String, _ name: String, _ arity: Arity, _ destination: String, _ inverse: String? = nil,
    _ inverseArity: Arity = .many, rule: NSDeleteRule = .nullifyDeleteRule,
    inverseRule: NSDeleteRule = .nullifyDeleteRule
  ) {
    let there = relationship(name, arity, source, destination, rule)
    guard let inverse else { return }
    let back =
      inverse == name && source == destination
      ? there : relationship(inverse, inverseArity, destination, source, inverseRule)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
  }

  private func relationship(
    _ name: String, _ arity: Arity, _ source: String, _ destination: String, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entity(destination)
    relationship.maxCount = arity == .one ? 1 : 0
    relationship.isOrdered = arity == .ordered
    relationship.deleteRule = rule
    entity(source).properties.append(relationship)
    return relationship
  }

  func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = Array(entities.values)
    return model
  }
}
