import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// References between descriptions, in whatever order a program creates, copies, releases and reassigns them.
@Suite struct ModelReferenceTests {
  private func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private func attribute(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
    return attribute
  }

  /// `Author.books` and `Book.author`, each the other's inverse.
  private func library() -> (author: NSEntityDescription, book: NSEntityDescription) {
    let (author, book) = (entity("Author"), entity("Book"))
    let (books, home) = (NSRelationshipDescription(), NSRelationshipDescription())
    (books.name, books.destinationEntity, books.inverseRelationship) = ("books", book, home)
    (home.name, home.destinationEntity, home.inverseRelationship, home.maxCount) = ("author", author, books, 1)
    author.properties = [attribute("name"), books]
    book.properties = [home]
    return (author, book)
  }

  private func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// Saves an author with a book, and checks that the book knows its author.
  private func expectLinks(in model: NSManagedObjectModel) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
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

  @Test func relationshipsThatWereCopiedFindTheInversesThatWereCopied() throws {
    let copies: NSManagedObjectModel = {
      let (author, book) = library()
      let copies = (entity("Author"), entity("Book"))
      copies.0.properties = author.properties.compactMap { $0.copy() as? NSPropertyDescription }
      copies.1.properties = book.properties.compactMap { $0.copy() as? NSPropertyDescription }
      return model([copies.0, copies.1])
    }()
    try expectLinks(in: copies)
  }

  @Test func aCopyOfOneEndAndTheOtherEndItselfFindEachOther() throws {
    let (author, book) = library()
    author.properties = author.properties.compactMap { $0.copy() as? NSPropertyDescription }
    try expectLinks(in: model([author, book]))
  }

  @Test func entitiesThatWereCopiedOneByOneAreConnected() throws {
    let copies: NSManagedObjectModel = {
      let (author, book) = library()
      let original = model([author, book])
      return model(original.entities.compactMap { $0.copy() as? NSEntityDescription })
    }()
    try expectLinks(in: copies)
  }

  @Test func anEntityThatWasCopiedReplacesTheOriginal() throws {
    let (author, book) = library()
    let copy = try #require(author.copy() as? NSEntityDescription)
    copy.properties += [attribute("country")]
    let mixed = model([copy, book])
    try expectLinks(in: mixed)
    #expect(mixed.entitiesByName["Book"]?.relationshipsByName["author"]?.destinationEntity === copy)
    withExtendedLifetime(author) {}
  }

  @Test func subentitiesThatWereCopiedOneByOneInheritFromTheCopyOfTheirParent() throws {
    let (work, book) = (entity("Work", [attribute("title")]), entity("Book", [attribute("isbn")]))
    work.subentities = [book]
    let original = model([work, book])
    let copies = model(original.entities.compactMap { $0.copy() as? NSEntityDescription })
    _ = NSPersistentStoreCoordinator(managedObjectModel: copies)
    #expect(copies.entities.count == 2)
    #expect(copies.entitiesByName["Book"]?.superentity === copies.entitiesByName["Work"])
    #expect(copies.entityVersionHashesByName == original.entityVersionHashesByName)
  }

  @Test func aModelMayTakeTheEntitiesOfModelsInUse() throws {
    let (author, book) = library()
    let first = model([author, book])
    try expectLinks(in: first)
    let both = model(first.entities + [entity("Shelf")])
    #expect(author.managedObjectModel === first && both.entitiesByName["Author"] !== author)
    try expectLinks(in: both)
    try expectLinks(in: first)
  }

  @Test func aPropertyOfAnotherEntityIsCopied() {
    let shared = attribute("created")
    let (one, two) = (entity("One", [shared]), entity("Two", [shared]))
    #expect(one.properties == [shared] && two.properties.map(\.name) == ["created"])
    #expect(shared.entity === one && two.properties[0].entity === two)
  }

  @Test func whatADescriptionRefersToMayGo() throws {
    let property = attribute("name")
    let relationship = NSRelationshipDescription()
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    let child = entity("Child")
    do {
      let parent = entity("Parent", [property, relationship])
      parent.subentities = [child]
      parent.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
      let inverse = NSRelationshipDescription()
      (relationship.destinationEntity, relationship.inverseRelationship) = (parent, inverse)
      #expect(element.indexDescription?.entity === parent && child.superentity === parent)
      #expect(relationship.inverseRelationship === inverse)
    }
    #expect(child.superentity == nil && element.indexDescription == nil)
    #expect(relationship.destinationEntity == nil && relationship.inverseRelationship == nil)
    let next = entity("Next", [property])
    #expect(property.entity === next)
  }

  @Test func theEntityOfAModelThatIsGoneCanBeUsedAgain() throws {
    let (author, book) = library()
    do { try expectLinks(in: model([author, book])) }
    #expect(author.relationshipsByName["books"]?.destinationEntity === book)
    author.name = "Writer"
    let next = model([author, book])
    _ = NSPersistentStoreCoordinator(managedObjectModel: next)
    #expect(next.entitiesByName["Writer"] === author)
  }

  @Test func anIDKeepsTheModelOfItsEntity() throws {
    let id: NSManagedObjectID = try {
      let (author, book) = library()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model([author, book]))
      _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait {
        let author = context.insert("Author")
        try context.save()
        return author.objectID
      }
    }()
    #expect(id.entity.relationshipsByName["books"]?.destinationEntity?.name == "Book")
    #expect(id.entity.managedObjectModel.entities.count == 2)
  }

  @Test func anEntityMovesFromOneParentToAnotherAndNeverBelowItself() {
    let (first, second, child) = (entity("First"), entity("Second"), entity("Child"))
    first.subentities = [child]
    second.subentities = [child]
    first.subentities = []
    #expect(child.superentity === second && second.subentities == [child])
    child.subentities = [second, child]
    #expect(child.subentities.isEmpty && second.superentity == nil)
  }

  @Test func whoInheritsBelongsToTheModelAlsoIfItIsNotNamed() {
    let (parent, child) = (entity("Parent", [attribute("name")]), entity("Child"))
    parent.subentities = [child]
    let model = model([parent])
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect(model.entitiesByName["Child"] === child)
  }

  @Test func aConfigurationHoldsTheModelsOwnEntities() throws {
    let (author, book) = library()
    let first = model([author, book])
    let copies = model(first.entities)
    copies.setEntities([author, entity("Shelf")], forConfigurationName: "People")
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
