import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Edits of objects that cannot be read, which must never overwrite unread values.
@MainActor @Suite struct UnreadableEditTests {
  private let library: UnreachableLibrary
  private let context: NSManagedObjectContext

  /// Two of each, all related, and all faults in `context`.
  init() throws {
    library = try UnreachableLibrary()
    let writer = library.context
    for number in ["1", "2"] {
      let book = writer.make("Book", number)[0]
      book.setValue(NSOrderedSet(array: writer.make("Page", "\(number)a", "\(number)b", "\(number)c")), forKey: "pages")
      book.setValue(NSSet(array: writer.make("Tag", number)), forKey: "tags")
      writer.make("List", number)[0].setValue(NSOrderedSet(array: [book]), forKey: "books")
      let person = writer.make("Person", number)[0]
      person.setValue(writer.make("Passport", number)[0], forKey: "passport")
      person.setValue(NSSet(array: writer.make("Person", "\(number)a", "\(number)b")), forKey: "children")
      let folder = writer.make("Folder", number)[0]
      folder.setValue(NSSet(array: writer.make("File", "\(number)a", "\(number)b")), forKey: "files")
    }
    try writer.save()
    context = library.reader()
  }

  /// Returns a fault, which has not been read yet.
  private func fault(_ entity: String, _ name: String, in context: NSManagedObjectContext? = nil) throws
    -> NSManagedObject
  {
    (context ?? self.context).object(with: try library.context.named(entity, name).objectID)
  }

  /// Edits while the store is unavailable, and recovers. The store's contents must not change.
  private func expectNoEffect(in given: NSManagedObjectContext? = nil, _ body: () throws -> Void) throws {
    let context = given ?? self.context
    let before = try library.stored()
    library.disconnect()
    try body()
    #expect(throws: CocoaError.self) { try context.save() }
    context.processPendingChanges()
    library.reconnect()
    #expect(throws: CocoaError.self) { try context.save() }
    context.refreshAllObjects()
    try context.save()
    #expect(try library.stored() == before)
    let reader = library.reader()
    for object in context.registeredObjects {
      let fresh = try reader.existingObject(with: object.objectID)
      #expect(object.called == fresh.called)
      for (key, relationship) in object.entity.relationshipsByName {
        if relationship.isToMany {
          #expect(object.names(key) == fresh.names(key), "\(key)")
        } else {
          #expect(object.oneName(key) == fresh.oneName(key), "\(key)")
        }
      }
    }
  }

  @Test func `an attribute set on an unreadable object is not kept`() throws {
    let person = try fault("Person", "1")
    try expectNoEffect {
      person.setValue("other", forKey: "name")
      #expect(person.called == nil && !person.hasChanges && person.changedValues().isEmpty)
      person.setPrimitiveValue("other", forKey: "name")
      person.willChangeValue(forKey: "name")
      person.setPrimitiveValue("third", forKey: "name")
      person.didChangeValue(forKey: "name")
    }
    #expect(person.called == "1")
  }

  @Test func `an attribute set after the store returns is saved after recovery`() throws {
    let person = try fault("Person", "1")
    library.disconnect()
    _ = person.value(forKey: "name")
    library.reconnect()
    person.setValue("other", forKey: "name")
    #expect(throws: CocoaError.self) { try context.save() }
    context.refreshAllObjects()
    try context.save()
    #expect(try library.reader().existingObject(with: person.objectID).called == "other")
  }

  @Test func `a to-one relationship of unreadable objects does not change`() throws {
    let (page, book, new) = (try fault("Page", "1a"), try fault("Book", "2"), context.make("Page", "new")[0])
    context.delete(new)
    try expectNoEffect {
      page.setValue(book, forKey: "book")
      page.setValue(nil, forKey: "book")
      page.setPrimitiveValue(nil, forKey: "book")
    }
  }

  @Test func `a one-to-one relationship never changes at only one end`() throws {
    // Each round reads a different combination of the four objects.
    for round in 0..<15 {
      let context = library.reader()
      let (one, two) = (try fault("Person", "1", in: context), try fault("Person", "2", in: context))
      let (first, second) = (try fault("Passport", "1", in: context), try fault("Passport", "2", in: context))
      for (number, object) in [one, two, first, second].enumerated() where round >> number & 1 == 1 {
        #expect(object.called != nil)
      }
      try expectNoEffect(in: context) {
        one.setValue(second, forKey: "passport")
        second.setValue(one, forKey: "owner")
        _ = [one, two, first, second].map(\.called)
      }
    }
  }

  @Test func `members of an unreadable to-many relationship do not change`() throws {
    let (book, other) = (try fault("Book", "1"), try fault("Book", "2"))
    let (tag, list) = (try fault("Tag", "2"), try fault("List", "1"))
    try expectNoEffect {
      book.mutableSetValue(forKey: "tags").add(tag)
      book.mutableSetValue(forKey: "tags").remove(tag)
      book.mutableSetValue(forKey: "tags").removeAllObjects()
      book.setValue(NSSet(array: [tag]), forKey: "tags")
      book.setValue(NSSet(), forKey: "tags")
      list.mutableOrderedSetValue(forKey: "books").add(other)
      list.setValue(NSOrderedSet(array: [other]), forKey: "books")
      (book as? Book)?.addToTags(NSSet(array: [tag]))
    }
  }

  @Test func `unreadable members are neither added nor removed`() throws {
    let (person, other) = (try fault("Person", "1"), try fault("Person", "2"))
    let child = try fault("Person", "2a")
    #expect(person.called == "1" && (person.value(forKey: "children") as? NSSet)?.count == 2)
    #expect((other.value(forKey: "children") as? NSSet)?.count == 2)
    try expectNoEffect {
      person.mutableSetValue(forKey: "children").add(child)
      person.setValue(NSSet(array: [child]), forKey: "children")
      other.setValue(NSSet(), forKey: "children")
      other.mutableSetValue(forKey: "children").remove(child)
    }
  }

  @Test func `the order of an unreadable relationship does not change`() throws {
    let book = try #require(try fault("Book", "1") as? Book)
    let pages = try ["1a", "1b", "2a"].map { try #require(try fault("Page", $0) as? Page) }
    try expectNoEffect {
      book.insertIntoPages(pages[2], at: 2)
      book.removeFromPages(at: 1)
      book.removeFromPages(at: NSIndexSet(indexesIn: NSRange(0..<2)))
      book.replacePages(at: 1, with: pages[2])
      book.movePages(at: NSIndexSet(index: 1), to: 0)
      book.addToPages(NSOrderedSet(array: [pages[2]]))
      book.removeFromPages(pages[0])
      let order = book.mutableOrderedSetValue(forKey: "pages")
      order.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
      order.exchangeObject(at: 0, withObjectAt: 1)
      order.removeAllObjects()
    }
  }

  @Test func `a mutable ordered set keeps its members while they cannot be read`() throws {
    let book = try fault("Book", "1")
    let order = book.mutableOrderedSetValue(forKey: "pages")
    #expect(order.count == 3)
    try expectNoEffect {
      context.refresh(book, mergeChanges: false)
      #expect(order.count == 3)
      _ = order.object(at: 2)
      order.exchangeObject(at: 0, withObjectAt: 2)
    }
    #expect(order.count == 3 && book.names("pages") == ["1a", "1b", "1c"])
  }

  @Test func `an unreadable object is not deleted`() throws {
    let (folder, person) = (try fault("Folder", "1"), try fault("Person", "1"))
    try expectNoEffect {
      context.delete(folder)
      context.delete(person)
      #expect(!folder.isDeleted && context.deletedObjects.isEmpty)
    }
  }

  @Test func `a delete rule that failed to read is applied after recovery`() throws {
    let folder = try fault("Folder", "1")
    #expect(folder.called == "1")
    library.disconnect()
    context.delete(folder)
    context.processPendingChanges()
    #expect(folder.isDeleted)
    #expect(throws: CocoaError.self) { try context.save() }
    library.reconnect()
    context.refreshAllObjects()
    try context.save()
    #expect(try library.reader().fetch("File").compactMap(\.called).sorted() == ["2a", "2b"])
  }

  @Test func `rolling back a failed deletion changes nothing`() throws {
    let folder = try fault("Folder", "1")
    #expect(folder.called == "1")
    let before = try library.stored()
    library.disconnect()
    context.delete(folder)
    context.processPendingChanges()
    context.rollback()
    library.reconnect()
    #expect(folder.called == "1" && folder.names("files") == ["1a", "1b"])
    try context.save()
    #expect(try library.stored() == before)
  }

  @Test func `an undo without the store does not overwrite values`() throws {
    context.undoManager = UndoManager()
    let person = try fault("Person", "1")
    person.setValue("other", forKey: "name")
    try context.save()
    context.refreshAllObjects()
    let before = try library.stored()
    library.disconnect()
    context.undo()
    #expect(throws: CocoaError.self) { try context.save() }
    library.reconnect()
    context.refreshAllObjects()
    try context.save()
    #expect(try library.stored() == before && person.called == "other")
  }

  @Test func `observers of an unreadable object see nothing`() throws {
    let person = try fault("Person", "1")
    var seen: [String?] = []
    let observation = person.observe(\.hasChanges, options: [.new]) { person, _ in seen.append(person.called) }
    try expectNoEffect {
      person.setValue("other", forKey: "name")
      context.refresh(person, mergeChanges: false)
    }
    observation.invalidate()
    #expect(person.called == "1")
  }
}
