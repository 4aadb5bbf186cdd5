import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Consistency of both ends of a relationship, in memory and in the store.
@MainActor @Suite struct InverseRelationshipTests {
  /// Another context, which reads what the first one saved.
  private func saved(_ container: NSPersistentContainer) throws -> NSManagedObjectContext {
    try container.viewContext.save()
    let reader = container.persistentStoreCoordinator.context()
    // Objects do not retain their context.
    container.viewContext.userInfo["reader"] = reader
    return reader
  }

  @Test(arguments: Store.every)
  func `a relationship can lead to objects of its own entity`(_ store: Store) throws {
    let container = try store.library()
    let people = container.viewContext.make("Person", "root", "a", "b", "a1")
    people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "children")
    people[3].setValue(people[1], forKey: "parent")
    people[2].mutableSetValue(forKey: "children").add(people[3])
    #expect(people[1].names("children").isEmpty && people[3].one("parent") === people[2])
    do {
      let reader = try saved(container)
      #expect(try reader.named("Person", "root").names("children") == ["a", "b"])
      let child = try reader.named("Person", "a1")
      #expect(child.one("parent")?.oneName("parent") == "root")
    }
  }

  @Test(arguments: Store.every)
  func `a to-many relationship that is its own inverse is mutual`(_ store: Store) throws {
    let container = try store.library()
    let people = container.viewContext.make("Person", "a", "b", "c")
    people[0].mutableSetValue(forKey: "friends").addObjects(from: [people[1], people[2]])
    #expect(people[1].names("friends") == ["a"] && people[2].names("friends") == ["a"])
    try container.viewContext.save()
    people[2].setValue(NSSet(object: people[1]), forKey: "friends")
    #expect(people[0].names("friends") == ["b"] && people[1].names("friends") == ["a", "c"])
    people[0].mutableSetValue(forKey: "friends").add(people[0])
    do {
      let reader = try saved(container)
      #expect(try reader.named("Person", "a").names("friends") == ["a", "b"])
      #expect(try reader.named("Person", "b").names("friends") == ["a", "c"])
      #expect(try reader.named("Person", "c").names("friends") == ["b"])
    }
  }

  @Test(arguments: Store.every)
  func `setting a one-to-one relationship clears both former partners`(_ store: Store) throws {
    let container = try store.library()
    let people = container.viewContext.make("Person", "a", "b", "c", "d")
    people[0].setValue(people[1], forKey: "spouse")
    people[2].setValue(people[3], forKey: "spouse")
    people[0].setValue(people[3], forKey: "spouse")
    #expect(people.map { $0.oneName("spouse") } == ["d", nil, nil, "a"])
    let passports = container.viewContext.make("Passport", "1", "2")
    people[0].setValue(passports[0], forKey: "passport")
    passports[0].setValue(people[1], forKey: "owner")
    people[1].setValue(passports[1], forKey: "passport")
    #expect(people[0].one("passport") == nil && passports[0].one("owner") == nil)
    do {
      let reader = try saved(container)
      #expect(try reader.named("Person", "d").oneName("spouse") == "a")
      #expect(try reader.named("Person", "b").one("spouse") == nil)
      #expect(try reader.named("Passport", "2").oneName("owner") == "b")
      #expect(try reader.named("Passport", "1").one("owner") == nil)
    }
  }

  @Test(arguments: Store.every)
  func `relationships keep their order at one end or at both`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let lists = context.make("List", "l", "m")
    let books = context.make("Book", "a", "b", "c")
    let tags = context.make("Tag", "t", "u", "v")
    lists[0].setValue(NSOrderedSet(array: [books[2], books[0]]), forKey: "books")
    books[1].mutableSetValue(forKey: "lists").add(lists[0])
    lists[0].setValue(NSOrderedSet(array: [tags[1], tags[0]]), forKey: "tags")
    lists[1].setValue(NSOrderedSet(array: [tags[0], tags[2]]), forKey: "tags")
    tags[0].setValue(NSOrderedSet(array: [lists[1], lists[0]]), forKey: "lists")
    do {
      let reader = try saved(container)
      #expect(try reader.named("List", "l").names("books") == ["c", "a", "b"])
      #expect(try reader.named("List", "l").names("tags") == ["u", "t"])
      #expect(try reader.named("List", "m").names("tags") == ["t", "v"])
      #expect(try reader.named("Tag", "t").names("lists") == ["m", "l"])
    }
    lists[0].mutableOrderedSetValue(forKey: "books").moveObjects(at: [2], to: 0)
    lists[1].mutableOrderedSetValue(forKey: "tags").exchangeObject(at: 0, withObjectAt: 1)
    do {
      let reader = try saved(container)
      #expect(try reader.named("List", "l").names("books") == ["b", "c", "a"])
      #expect(try reader.named("List", "m").names("tags") == ["v", "t"])
      #expect(try reader.named("Tag", "t").names("lists") == ["m", "l"])
    }
  }

  @Test(arguments: Store.every)
  func `an order that is set on a saved owner is saved`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let list = context.insert("List", ["name": "l"])
    let books = context.make("Book", "a", "b", "c")
    let tags = context.make("Tag", "t", "u")
    try context.save()
    list.setValue(NSOrderedSet(array: [books[2], books[0], books[1]]), forKey: "books")
    list.setValue(NSOrderedSet(array: [tags[1], tags[0]]), forKey: "tags")
    do {
      let reader = try saved(container)
      #expect(try reader.named("List", "l").names("books") == ["c", "a", "b"])
      #expect(try reader.named("List", "l").names("tags") == ["u", "t"])
    }
    // As in a program that has just fetched the owner.
    context.refreshAllObjects()
    list.setValue(NSOrderedSet(array: [books[1], books[2]]), forKey: "books")
    list.setValue(NSOrderedSet(array: [tags[0], tags[1]]), forKey: "tags")
    do {
      let reader = try saved(container)
      #expect(try reader.named("List", "l").names("books") == ["b", "c"])
      #expect(try reader.named("List", "l").names("tags") == ["t", "u"])
    }
  }

  @Test(arguments: Store.every)
  func `a member added through its to-one end comes last`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let book = context.insert("Book", ["name": "x"])
    let pages = context.make("Page", "a", "b", "c")
    book.setValue(NSOrderedSet(array: [pages[2], pages[0]]), forKey: "pages")
    try context.save()
    context.refresh(book, mergeChanges: false)
    pages[1].setValue(book, forKey: "book")
    #expect(book.hasFault(forRelationshipNamed: "pages"))
    let stored = try saved(container).named("Book", "x").names("pages")
    #expect(stored == ["c", "a", "b"])
    #expect(book.names("pages") == ["c", "a", "b"])
  }

  @Test(arguments: Store.every)
  func `relationships without an inverse are saved`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let shelf = context.insert("Shelf", ["name": "s"])
    let boxes = context.make("Box", "a", "b", "c")
    shelf.setValue(boxes[1], forKey: "favorite")
    shelf.setValue(NSSet(array: [boxes[0], boxes[1]]), forKey: "boxes")
    shelf.setValue(NSOrderedSet(array: [boxes[2], boxes[0]]), forKey: "stack")
    do {
      let reader = try saved(container)
      let shelf = try reader.named("Shelf", "s")
      #expect(shelf.oneName("favorite") == "b" && shelf.names("boxes") == ["a", "b"])
      #expect(shelf.names("stack") == ["c", "a"])
    }
    shelf.mutableOrderedSetValue(forKey: "stack").insert(boxes[1], at: 1)
    shelf.mutableSetValue(forKey: "boxes").remove(boxes[0])
    shelf.setValue(nil, forKey: "favorite")
    do {
      let reader = try saved(container)
      let shelf = try reader.named("Shelf", "s")
      #expect(shelf.one("favorite") == nil && shelf.names("boxes") == ["b"])
      #expect(shelf.names("stack") == ["c", "b", "a"])
    }
  }

  @Test(arguments: Store.every)
  func `a new member deleted before the save is removed from its owner`(_ store: Store) throws {
    let context = try store.library().viewContext
    let shelf = context.insert("Shelf", ["name": "s"])
    try context.save()
    let id = shelf.objectID
    context.reset()
    let fault = context.object(with: id)
    let (box, crate) = (context.insert("Box"), context.insert("Box"))
    fault.mutableOrderedSetValue(forKey: "stack").add(box)
    fault.mutableSetValue(forKey: "boxes").add(crate)
    context.delete(box)
    context.delete(crate)
    try context.save()
    #expect(fault.names("stack").isEmpty && fault.names("boxes").isEmpty)
  }

  @Test(arguments: Store.every)
  func `a reference to a discarded new object is not saved`(_ store: Store) throws {
    let context = try store.library().viewContext
    let shelf = context.insert("Shelf")
    try context.save()
    let box = context.insert("Box")
    shelf.setValue(box, forKey: "favorite")
    shelf.mutableSetValue(forKey: "boxes").add(box)
    context.delete(box)
    try context.save()
    #expect(shelf.one("favorite") == nil && shelf.names("boxes").isEmpty)
  }

  @Test(arguments: Store.every)
  func `destinations can be objects of subentities`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let owner = context.insert("Owner", ["name": "o"])
    let animals = [context.insert("Animal", ["name": "cat"]), context.insert("Bird", ["name": "owl"])]
    owner.setValue(NSSet(array: animals), forKey: "animals")
    do {
      let reader = try saved(container)
      let owner = try reader.named("Owner", "o")
      #expect(owner.names("animals") == ["cat", "owl"])
      #expect(try reader.named("Bird", "owl").one("owner") === owner)
    }
  }

  @Test(arguments: Store.every)
  func `objects without a context can be related`(_ store: Store) throws {
    let container = try store.library()
    let entities = container.managedObjectModel.entitiesByName
    let book = NSManagedObject(entity: try #require(entities["Book"]), insertInto: nil)
    let page = NSManagedObject(entity: try #require(entities["Page"]), insertInto: nil)
    let tag = NSManagedObject(entity: try #require(entities["Tag"]), insertInto: nil)
    page.setValue(book, forKey: "book")
    book.setValue(NSSet(object: tag), forKey: "tags")
    #expect((book.value(forKey: "pages") as? NSOrderedSet)?.array as? [NSManagedObject] == [page])
    for object in [page, book, tag] { container.viewContext.insert(object) }
    #expect(page.one("book") === book && tag.objectIDs(forRelationshipNamed: "books") == [book.objectID])
    do {
      let reader = try saved(container)
      let book = try #require(try reader.fetch("Page").first).one("book")
      #expect(book?.objectIDs(forRelationshipNamed: "tags").count == 1)
    }
  }

  @Test(arguments: Store.every)
  func `a child saves a changed order to its parent`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let book = context.insert("Book", ["name": "x"])
    book.setValue(NSOrderedSet(array: context.make("Page", "a", "b", "c")), forKey: "pages")
    try context.save()
    let child = context.child()
    let same = child.object(with: book.objectID)
    let pages = same.mutableOrderedSetValue(forKey: "pages")
    pages.moveObjects(at: [2], to: 0)
    pages.insert(child.insert("Page", ["name": "d"]), at: 1)
    pages.removeObject(at: 3)
    #expect(same.names("pages") == ["c", "d", "a"])
    try child.save()
    #expect(book.names("pages") == ["c", "d", "a"])
    let stored = try saved(container).named("Book", "x").names("pages")
    #expect(stored == ["c", "d", "a"])
  }

  @Test(arguments: Store.every)
  func `a merging refresh keeps local changes and adds saved ones`(_ store: Store) throws {
    let container = try store.library()
    let context = container.viewContext
    let book = context.insert("Book", ["name": "x"])
    book.setValue(NSOrderedSet(array: context.make("Page", "a", "b", "c")), forKey: "pages")
    try context.save()
    book.mutableOrderedSetValue(forKey: "pages").moveObjects(at: [2], to: 0)
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let same = other.object(with: book.objectID)
      other.insert("Page", ["name": "d"]).setValue(same, forKey: "book")
      try other.save()
    }
    context.refresh(book, mergeChanges: true)
    #expect(book.names("pages") == ["c", "a", "b", "d"])
    let stored = try saved(container).named("Book", "x").names("pages")
    #expect(stored == ["c", "a", "b", "d"])
  }
}
