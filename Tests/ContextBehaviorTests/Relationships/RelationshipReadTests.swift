import CoreData
import Testing

@testable import StrataBehaviorSupport

/// Realized relationships, which keep their contents, like changed ones, until a refresh or a merge.
@Suite struct RelationshipReadTests {
  /// Two books on the same two lists, saved.
  private func library(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.library()
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      let lists = (0..<2).map { _ in writer.insert("List") }
      for _ in 0..<2 { (writer.insert("Book") as? Book)?.lists = Set(lists) }
      try writer.save()
    }
    return container
  }

  private func books(_ context: NSManagedObjectContext, prefetching paths: [String] = []) throws -> [Book] {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.relationshipKeyPathsForPrefetching = paths
    return try context.fetch(request)
  }

  /// Removes all lists of all books, in another context.
  private func empty(_ container: NSPersistentContainer) throws {
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      for book in try books(writer) { book.lists = [] }
      try writer.save()
    }
  }

  @Test(arguments: Store.allCases)
  func `members that were read stay until the object is refreshed`(_ store: Store) throws {
    let container = try library(store)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let books = try books(context)
      #expect(books[0].lists.count == 2)
      #expect(!books[0].hasFault(forRelationshipNamed: "lists") && books[1].hasFault(forRelationshipNamed: "lists"))
      try empty(container)
      #expect(books[0].lists.count == 2 && books[1].lists.isEmpty)
      context.refresh(books[0], mergeChanges: true)
      #expect(books[0].lists.isEmpty)
    }
  }

  /// More owners than are prefetched together.
  @Test(arguments: Store.allCases)
  func `prefetching many owners gives each its own members`(_ store: Store) throws {
    let container = try store.library()
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      let lists = (0..<3).map { _ in writer.insert("List") }
      for number in 0..<4_200 {
        let book = writer.insert("Book", ["name": String(number % 4)])
        (book as? Book)?.lists = Set(lists.prefix(number % 4))
      }
      try writer.save()
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let books = try self.books(context)
      let isRight = { (book: Book) in book.value(forKey: "name") as? String == String(book.lists.count) }
      #expect(books.allSatisfy(isRight) && books.reversed().allSatisfy(isRight))
      let some = try #require(books.first { $0.lists.count == 2 })
      #expect(books.filter { $0.lists == some.lists }.count == 1_050)
    }
  }

  @Test(arguments: Store.allCases)
  func `prefetching does not change members that were read`(_ store: Store) throws {
    let container = try library(store)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let books = try books(context)
      #expect(books[0].lists.count == 2)
      try empty(container)
      let again = try self.books(context, prefetching: ["lists"])
      #expect(Set(again) == Set(books))
      #expect(books[0].lists.count == 2 && books[1].lists.isEmpty)
    }
  }

  @Test(arguments: Store.allCases)
  func `a merged deletion removes the object from members that were read`(_ store: Store) throws {
    let container = try library(store)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let books = try books(context)
      let gone = try #require(books[0].lists.first)
      #expect(books[1].lists.count == 2)
      let id = gone.objectID
      let writer = container.newBackgroundContext()
      try writer.performAndWait {
        writer.delete(try writer.existingObject(with: id))
        try writer.save()
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [context])
      #expect(books.allSatisfy { $0.lists.count == 1 && !$0.lists.contains(gone) })
    }
  }

  @Test(arguments: Store.allCases)
  func `a change applies to the members that were read`(_ store: Store) throws {
    let container = try library(store)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let books = try books(context)
      let lists = books[0].lists
      let new = context.insert("List")
      books[0].lists.insert(new)
      #expect(books[0].lists == lists.union([new]) && books[1].lists == lists)
      context.rollback()
      #expect(books[0].lists == lists)
    }
  }
}
