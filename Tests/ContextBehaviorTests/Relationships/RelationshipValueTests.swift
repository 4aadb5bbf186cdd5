import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Casts of relationship values from key-value coding, as code for Apple's framework writes them.
@Suite struct RelationshipValueTests {
  @Test(arguments: Store.every) @MainActor
  func `to-many values can be cast to mutable sets`(_ store: Store) throws {
    let context = try store.library().viewContext
    let tags = context.make("Tag", "a", "b")
    let written = context.make("Page", "1", "2")
    let book = try #require(context.make("Book", "x").first as? Book)
    for _ in 0..<2 {
      book.setValue(Set(tags), forKey: "tags")
      book.setValue(NSOrderedSet(array: written), forKey: "pages")
      for tags in [book.value(forKey: "tags"), book.primitiveValue(forKey: "tags"), book.tags] {
        #expect((tags as? NSMutableSet)?.count == 2 && (tags as? NSSet)?.count == 2)
        #expect((tags as? Set<NSManagedObject>)?.count == 2 && (tags as? Set<BookTag>)?.count == 2)
      }
      for pages in [book.value(forKey: "pages"), book.primitiveValue(forKey: "pages"), book.pages] {
        #expect((pages as? NSOrderedSet)?.array as? [NSManagedObject] == written)
      }
      try context.save()
      context.refreshAllObjects()
    }
    #expect((book.mutableSetValue(forKey: "tags") as Any) is NSMutableSet)
    #expect(context.make("Book", "y")[0].value(forKey: "tags") as? Set<BookTag> == [])
  }

  /// The caller owns the returned set. Only `mutableSetValue(forKey:)` changes the relationship.
  @Test(arguments: Store.allCases) @MainActor
  func `changing a returned set does not change the relationship`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.make("Book", "x")[0]
    let tags = try #require(book.value(forKey: "tags") as? NSMutableSet)
    tags.add(context.make("Tag", "a")[0])
    #expect(book.names("tags") == [] && tags.count == 1)
    book.mutableSetValue(forKey: "tags").union(tags as? Set<AnyHashable> ?? [])
    #expect(book.names("tags") == ["a"])
  }

  /// A custom accessor as Apple's guide writes it.
  @Test(arguments: Store.allCases) @MainActor
  func `a custom accessor can change the primitive set`(_ store: Store) throws {
    let context = try store.library().viewContext
    let (book, tag) = (context.make("Book", "x")[0], context.make("Tag", "a")[0])
    book.willChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
    (book.primitiveValue(forKey: "tags") as? NSMutableSet)?.add(tag)
    book.didChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
    #expect(book.names("tags") == ["a"] && tag.names("books") == ["x"])
    try context.save()
    context.refreshAllObjects()
    #expect(book.names("tags") == ["a"])
  }
}
