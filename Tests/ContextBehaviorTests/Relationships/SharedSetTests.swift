import CoreData
import Testing

@testable import StrataBehaviorSupport

/// Sets that objects with the same few members share internally, which must not be observable.
@Suite struct SharedSetTests {
  /// Three books on the same two lists, saved, and a fresh private-queue context.
  private func books(_ store: Store) throws -> NSManagedObjectContext {
    let container = try store.library()
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      let lists = (0..<2).map { _ in writer.insert("List") }
      for _ in 0..<3 { (writer.insert("Book") as? Book)?.lists = Set(lists) }
      try writer.save()
    }
    return container.newBackgroundContext()
  }

  private func all(in context: NSManagedObjectContext) throws -> [Book] {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.relationshipKeyPathsForPrefetching = ["lists"]
    return try context.fetch(request)
  }

  @Test(arguments: Store.allCases)
  func `a change of one object does not affect objects with the same members`(_ store: Store) throws {
    let context = try books(store)
    try context.performAndWait {
      let books = try all(in: context)
      let lists = books[0].lists
      #expect(lists.count == 2 && books[1].lists == lists && books[2].lists == lists)
      let new = context.insert("List")
      books[0].lists.insert(new)
      books[1].lists = []
      #expect(books[0].lists == lists.union([new]) && books[1].lists.isEmpty && books[2].lists == lists)
      try context.save()
      #expect(books[0].lists == lists.union([new]) && books[1].lists.isEmpty && books[2].lists == lists)
    }
  }

  @Test(arguments: Store.allCases)
  func `a deleted object is removed from all sets`(_ store: Store) throws {
    let context = try books(store)
    try context.performAndWait {
      let books = try all(in: context)
      let lists = Array(books[0].lists)
      #expect(books[1].lists.count == 2)
      for book in books { book.lists.remove(lists[0]) }
      context.delete(lists[0])
      try context.save()
      for book in books { #expect(book.lists == [lists[1]]) }
      context.reset()
      for book in try all(in: context) {
        #expect(book.lists.count == 1)
        #expect(book.lists.first !== lists[1] && book.lists.first?.managedObjectContext === context)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `shared sets are released at the end of a block`(_ store: Store) throws {
    let context = try books(store)
    weak var list: NSManagedObject?
    try context.performAndWait {
      for book in try all(in: context) { list = book.lists.first }
      #expect(list != nil)
    }
    #expect(list == nil)
  }

  @Test(arguments: Store.allCases)
  func `saving an owner keeps its prefetched members`(_ store: Store) throws {
    let context = try books(store)
    try context.performAndWait {
      let books = try all(in: context)
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = context.persistentStoreCoordinator
      try other.performAndWait {
        for book in try all(in: other) { book.lists = [] }
        try other.save()
      }
      context.insert("Page").setValue(books[0], forKey: "book")
      context.mergePolicy = NSMergePolicy.overwrite
      try context.save()
      #expect(books[0].lists.count == 2 && books[1].lists.count == 2)
      context.refreshAllObjects()
      #expect(books[0].lists.isEmpty && books[1].lists.isEmpty)
    }
  }
}
