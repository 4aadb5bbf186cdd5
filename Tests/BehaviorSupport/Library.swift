import CoreData
import Foundation
import StrataTestSupport
import Testing

/// Relationships of every kind.
///
/// | entities | purpose |
/// |---|---|
/// | Person, Passport | parent and children, friends and a spouse that are their own inverse, one-to-one |
/// | Book, Page, Tag, List | ordered one-to-many, many-to-many, ordered at one end and at both |
/// | Shelf, Box | relationships without an inverse: to-one, to-many, ordered |
/// | Owner, Animal > Bird | a destination with a sub-entity |
/// | Folder, File, Lock, Note, Ring | the delete rules: cascade and nullify, deny, no action, a circle |
enum Library {
  static let model = makeModel(
    makeEntity("Animal", [attribute("name")], subentities: [makeEntity("Bird")]),
    makeEntity("Book", of: Book.self, [attribute("name")]), makeEntity("Box", [attribute("name")]),
    makeEntity("File", [attribute("name")]), makeEntity("Folder", of: Folder.self, [attribute("name")]),
    makeEntity("List", [attribute("name")]), makeEntity("Lock", [attribute("name")]),
    makeEntity("Note", [attribute("name")]), makeEntity("Owner", [attribute("name")]),
    makeEntity("Page", of: Page.self, [attribute("name")]), makeEntity("Passport", [attribute("name")]),
    makeEntity("Person", [attribute("name")]), makeEntity("Ring", [attribute("name")]),
    makeEntity("Shelf", [attribute("name")]), makeEntity("Tag", of: BookTag.self, [attribute("name")])
  )
  .relate("Person", "parent", .one, "Person", "children", .many)
  .relate("Person", "friends", .many, "Person", "friends", .many)
  .relate("Person", "spouse", .one, "Person", "spouse", .one)
  .relate("Person", "passport", .one, "Passport", "owner", .one)
  .relate("Book", "pages", .ordered, "Page", "book", .one)
  .relate("Book", "tags", .many, "Tag", "books", .many)
  .relate("List", "books", .ordered, "Book", "lists", .many)
  .relate("List", "tags", .ordered, "Tag", "lists", .ordered)
  .relate("Shelf", "boxes", .many, "Box").relate("Shelf", "stack", .ordered, "Box")
  .relate("Shelf", "favorite", .one, "Box")
  .relate("Animal", "owner", .one, "Owner", "animals", .many)
  .relate("Folder", "folders", .many, "Folder", "parent", .one, rule: .cascadeDeleteRule)
  .relate("Folder", "files", .many, "File", "folder", .one, rule: .cascadeDeleteRule)
  .relate("File", "notes", .many, "Note", "files", .many)
  .relate("File", "lock", .one, "Lock", "files", .many, inverseRule: .denyDeleteRule)
  .relate("Note", "author", .one, "Person", "notes", .many, inverseRule: .noActionDeleteRule)
  .relate("Ring", "next", .one, "Ring", "previous", .one, rule: .cascadeDeleteRule)
}

extension Store {
  /// A container with an empty store for the library.
  func library() throws -> NSPersistentContainer { try container(of: Library.model) }
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
  /// Inserts objects with names.
  func make(_ entity: String, _ names: String...) -> [NSManagedObject] { names.map { insert(entity, ["name": $0]) } }

  /// Returns the object of an entity with a name.
  func named(_ entity: String, _ name: String) throws -> NSManagedObject {
    try #require(try fetch(entity, "name == %@", [name]).first)
  }
}
