import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The effects of the policy that discards the changes of objects in conflict.
@MainActor @Suite struct RollbackPolicyTests {
  /// Two contexts with a tag and a book in both.
  @MainActor struct ContextPair {
    let (mine, theirs): (NSManagedObjectContext, NSManagedObjectContext)
    let container: NSPersistentContainer

    init(_ store: Store, _ entities: [String]) throws {
      container = try store.library()
      (mine, theirs) = (container.newContext(), container.newContext())
      mine.mergePolicy = NSMergePolicy.rollback
      for entity in entities { _ = theirs.make(entity, entity) }
      try theirs.save()
    }

    func stored(_ entity: String, _ name: String, _ key: String) throws -> [String] {
      let context = container.newContext()
      let object = try context.named(entity, name)
      return withExtendedLifetime(context) { object.names(key) }
    }
  }

  @Test(arguments: Store.allCases)
  func `a new object keeps its links to an object that is rolled back`(_ store: Store) throws {
    let scene = try ContextPair(store, ["Tag", "List"])
    let (tag, list) = (try scene.mine.named("Tag", "Tag"), try scene.mine.named("List", "List"))
    let first = scene.theirs.make("Book", "first")[0]
    first.setValue([try scene.theirs.named("Tag", "Tag")] as Set<NSManagedObject>, forKey: "tags")
    try scene.theirs.named("List", "List").setValue(NSOrderedSet(array: [first]), forKey: "books")
    try scene.theirs.named("Tag", "Tag").setValue("theirs", forKey: "name")
    try scene.theirs.save()
    let second = scene.mine.make("Book", "second")[0]
    second.setValue([tag] as Set<NSManagedObject>, forKey: "tags")
    second.setValue([list] as Set<NSManagedObject>, forKey: "lists")
    tag.setValue("mine", forKey: "name")
    try scene.mine.save()
    #expect(!scene.mine.hasChanges && tag.called == "theirs")
    #expect(tag.names("books") == ["first", "second"] && second.names("tags") == ["theirs"])
    #expect(list.names("books") == ["first", "second"] && second.names("lists") == ["List"])
    #expect(try scene.stored("Tag", "theirs", "books") == ["first", "second"])
    #expect(try scene.stored("List", "List", "books") == ["first", "second"])
  }

  @Test(arguments: Store.allCases)
  func `links remain if others changed only relationships of the object`(_ store: Store) throws {
    let scene = try ContextPair(store, ["Tag", "Book", "Page"])
    let book = try scene.theirs.named("Book", "Book")
    book.setValue([try scene.theirs.named("Tag", "Tag")] as Set<NSManagedObject>, forKey: "tags")
    let spare = scene.theirs.make("Book", "spare")[0]
    try scene.theirs.save()
    let tag = try scene.mine.named("Tag", "Tag")
    let mine = (book: try scene.mine.named("Book", "Book"), spare: try scene.mine.named("Book", "spare"))
    #expect(tag.names("books") == ["Book"])
    let third = scene.theirs.make("Book", "third")[0]
    third.setValue([try scene.theirs.named("Tag", "Tag")] as Set<NSManagedObject>, forKey: "tags")
    try scene.theirs.save()
    mine.book.setValue(Set<NSManagedObject>(), forKey: "tags")
    mine.spare.setValue([tag] as Set<NSManagedObject>, forKey: "tags")
    tag.setValue("mine", forKey: "name")
    try scene.mine.save()
    #expect(!scene.mine.hasChanges && tag.called == "Tag" && !spare.hasChanges)
    #expect(tag.names("books") == ["spare", "third"] && mine.book.names("tags").isEmpty)
    #expect(try scene.stored("Tag", "Tag", "books") == ["spare", "third"])
  }

  @Test(arguments: Store.allCases)
  func `a deleted object is removed from an object that is rolled back`(_ store: Store) throws {
    let scene = try ContextPair(store, ["Tag", "Book"])
    try scene.theirs.named("Book", "Book").setValue(
      [try scene.theirs.named("Tag", "Tag")] as Set<NSManagedObject>, forKey: "tags")
    try scene.theirs.save()
    let (tag, book) = (try scene.mine.named("Tag", "Tag"), try scene.mine.named("Book", "Book"))
    #expect(tag.names("books") == ["Book"])
    try scene.theirs.named("Tag", "Tag").setValue("theirs", forKey: "name")
    try scene.theirs.save()
    scene.mine.delete(book)
    try scene.mine.save()
    #expect(!scene.mine.hasChanges && tag.called == "theirs" && tag.names("books").isEmpty)
    #expect(try scene.stored("Tag", "theirs", "books").isEmpty)
  }

  @Test(arguments: Store.allCases)
  func `a link between two objects that are rolled back is discarded and reported`(_ store: Store) throws {
    let scene = try ContextPair(store, ["Tag", "Book"])
    let (tag, book) = (try scene.mine.named("Tag", "Tag"), try scene.mine.named("Book", "Book"))
    try scene.theirs.named("Tag", "Tag").setValue("their tag", forKey: "name")
    try scene.theirs.named("Book", "Book").setValue("their book", forKey: "name")
    try scene.theirs.save()
    book.setValue([tag] as Set<NSManagedObject>, forKey: "tags")
    let new = scene.mine.make("Tag", "new")[0]
    let notices = try scene.mine.changes { try scene.mine.save() }
    let refreshed = notices.compactMap { $0[NSRefreshedObjectsKey] as? Set<NSManagedObject> }
    #expect(!scene.mine.hasChanges && tag.called == "their tag" && book.called == "their book")
    #expect(tag.names("books").isEmpty && book.names("tags").isEmpty)
    #expect(try scene.stored("Book", "their book", "tags").isEmpty)
    #expect(Set(refreshed.joined()) == [tag, book] && !new.objectID.isTemporaryID)
  }

  @Test(arguments: Store.allCases)
  func `relationships without an inverse are rolled back`(_ store: Store) throws {
    let scene = try ContextPair(store, ["Shelf", "Box"])
    let (shelf, box) = (try scene.mine.named("Shelf", "Shelf"), try scene.mine.named("Box", "Box"))
    try scene.theirs.named("Shelf", "Shelf").setValue("theirs", forKey: "name")
    try scene.theirs.save()
    shelf.setValue([box] as Set<NSManagedObject>, forKey: "boxes")
    try scene.mine.save()
    #expect(!scene.mine.hasChanges && shelf.names("boxes").isEmpty)
    #expect(try scene.stored("Shelf", "theirs", "boxes").isEmpty)
  }
}

extension NSPersistentContainer {
  /// A context of the main queue, besides the view context.
  fileprivate func newContext() -> NSManagedObjectContext { persistentStoreCoordinator.context() }
}
