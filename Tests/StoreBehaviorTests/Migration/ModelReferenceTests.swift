import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// References between descriptions that a program creates, copies, releases and reassigns in any order.
@Suite struct ModelReferenceTests {
  /// `Author.books` and `Book.author`, each the other's inverse.
  private func library() -> (author: NSEntityDescription, book: NSEntityDescription) {
    let (author, book) = (makeEntity("Author"), makeEntity("Book"))
    let (books, home) = (relationship("books", to: book, max: 0), relationship("author", to: author))
    join(books, home)
    author.properties = [attribute("name"), books]
    book.properties = [home]
    return (author, book)
  }

  /// Saves an author with a book, and checks that the book refers to its author.
  private func expectLinks(in model: NSManagedObjectModel) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      let (author, book) = (context.insert("Author"), context.insert("Book"))
      author.setValue(Set([book]), forKey: "books")
      #expect(book.value(forKey: "author") as? NSManagedObject === author)
      try context.save()
    }
    for entity in model.entities {
      for relationship in entity.relationshipsByName.values {
        #expect(relationship.destinationEntity?.managedObjectModel === model)
        #expect(relationship.inverseRelationship?.inverseRelationship === relationship)
      }
    }
  }

  @Test func `copied relationships are connected to copied inverses`() throws {
    let copies: NSManagedObjectModel = {
      let (author, book) = library()
      let copies = (makeEntity("Author"), makeEntity("Book"))
      copies.0.properties = author.properties.compactMap { $0.copy() as? NSPropertyDescription }
      copies.1.properties = book.properties.compactMap { $0.copy() as? NSPropertyDescription }
      return makeModel([copies.0, copies.1])
    }()
    try expectLinks(in: copies)
  }

  @Test func `a copied relationship is connected to its original inverse`() throws {
    let (author, book) = library()
    author.properties = author.properties.compactMap { $0.copy() as? NSPropertyDescription }
    try expectLinks(in: makeModel([author, book]))
  }

  @Test func `separately copied entities are connected`() throws {
    let copies: NSManagedObjectModel = {
      let (author, book) = library()
      let original = makeModel([author, book])
      return makeModel(original.entities.compactMap { $0.copy() as? NSEntityDescription })
    }()
    try expectLinks(in: copies)
  }

  @Test func `a copied entity replaces the original in a model`() throws {
    let (author, book) = library()
    let copy = try #require(author.copy() as? NSEntityDescription)
    copy.properties += [attribute("country")]
    let mixed = makeModel([copy, book])
    try expectLinks(in: mixed)
    #expect(mixed.entitiesByName["Book"]?.relationshipsByName["author"]?.destinationEntity === copy)
    withExtendedLifetime(author) {}
  }

  @Test func `separately copied subentities inherit from the copied parent`() throws {
    let (work, book) = (makeEntity("Work", [attribute("title")]), makeEntity("Book", [attribute("isbn")]))
    work.subentities = [book]
    let original = makeModel([work, book])
    let copies = makeModel(original.entities.compactMap { $0.copy() as? NSEntityDescription })
    _ = NSPersistentStoreCoordinator(managedObjectModel: copies)
    #expect(copies.entities.count == 2)
    #expect(copies.entitiesByName["Book"]?.superentity === copies.entitiesByName["Work"])
    #expect(copies.entityVersionHashesByName == original.entityVersionHashesByName)
  }

  @Test func `a model copies entities that belong to a model in use`() throws {
    let (author, book) = library()
    let first = makeModel([author, book])
    try expectLinks(in: first)
    let both = makeModel(first.entities + [makeEntity("Shelf")])
    #expect(author.managedObjectModel === first && both.entitiesByName["Author"] !== author)
    try expectLinks(in: both)
    try expectLinks(in: first)
  }

  @Test func `a property that another entity owns is copied`() {
    let shared = attribute("created")
    let (one, two) = (makeEntity("One", [shared]), makeEntity("Two", [shared]))
    #expect(one.properties == [shared] && two.properties.map(\.name) == ["created"])
    #expect(shared.entity === one && two.properties[0].entity === two)
  }

  @Test func `a description survives the release of the descriptions it refers to`() throws {
    let property = attribute("name")
    let relationship = NSRelationshipDescription()
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    let child = makeEntity("Child")
    do {
      let parent = makeEntity("Parent", [property, relationship])
      parent.subentities = [child]
      parent.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
      let inverse = NSRelationshipDescription()
      (relationship.destinationEntity, relationship.inverseRelationship) = (parent, inverse)
      #expect(element.indexDescription?.entity === parent && child.superentity === parent)
      #expect(relationship.inverseRelationship === inverse)
    }
    #expect(child.superentity == nil && element.indexDescription == nil)
    #expect(relationship.destinationEntity == nil && relationship.inverseRelationship == nil)
    let next = makeEntity("Next", [property])
    #expect(property.entity === next)
  }

  @Test func `an entity of a released model can be reused`() throws {
    let (author, book) = library()
    do { try expectLinks(in: makeModel([author, book])) }
    #expect(author.relationshipsByName["books"]?.destinationEntity === book)
    author.name = "Writer"
    let next = makeModel([author, book])
    _ = NSPersistentStoreCoordinator(managedObjectModel: next)
    #expect(next.entitiesByName["Writer"] === author)
  }

  @Test func `an object ID keeps the model of its entity alive`() throws {
    let id: NSManagedObjectID = try {
      let (author, book) = library()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel([author, book]))
      _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let context = coordinator.context(.privateQueueConcurrencyType)
      return try context.performAndWait {
        let author = context.insert("Author")
        try context.save()
        return author.objectID
      }
    }()
    #expect(id.entity.relationshipsByName["books"]?.destinationEntity?.name == "Book")
    #expect(id.entity.managedObjectModel.entities.count == 2)
  }

  @Test func `an entity can change its parent but cannot be its own descendant`() {
    let (first, second, child) = (makeEntity("First"), makeEntity("Second"), makeEntity("Child"))
    first.subentities = [child]
    second.subentities = [child]
    first.subentities = []
    #expect(child.superentity === second && second.subentities == [child])
    child.subentities = [second, child]
    #expect(child.subentities.isEmpty && second.superentity == nil)
  }

  @Test func `a model includes subentities that are not listed`() {
    let (parent, child) = (makeEntity("Parent", [attribute("name")]), makeEntity("Child"))
    parent.subentities = [child]
    let model = makeModel([parent])
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect(model.entitiesByName["Child"] === child)
  }

  @Test func `a configuration contains only entities of its model`() throws {
    let (author, book) = library()
    let first = makeModel([author, book])
    let copies = makeModel(first.entities)
    copies.setEntities([author, makeEntity("Shelf")], forConfigurationName: "People")
    #expect(copies.entities(forConfigurationName: "People") == [try #require(copies.entitiesByName["Author"])])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: copies)
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: "People", at: folder.appendingPathComponent("People.sqlite"))
    #expect(store.configurationName == "People")
    withExtendedLifetime(first) {}
  }
}
