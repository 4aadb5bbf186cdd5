import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// All accessors that Xcode generates for to-many relationships, declared `@NSManaged`.
@MainActor @Suite struct GeneratedAccessorTests {
  private func book(_ store: Store, pages: String...) throws -> (Book, NSManagedObjectContext) {
    let context = try store.library().viewContext
    let book = try #require(context.insert("Book") as? Book)
    for page in pages { book.addToPages(try self.page(page, context)) }
    return (book, context)
  }

  private func page(_ name: String, _ context: NSManagedObjectContext) throws -> Page {
    let page = try #require(context.insert("Page") as? Page)
    page.name = name
    return page
  }

  @Test(arguments: Store.allCases)
  func `generated accessors change unordered relationships`(_ store: Store) throws {
    let (book, context) = try book(store)
    let tags = try (0..<3).map { _ in try #require(context.insert("Tag") as? BookTag) }
    book.addToTags(tags[0])
    book.addToTags(NSSet(array: tags))
    #expect(book.tags == NSSet(array: tags) && tags[2].books == NSSet(object: book))
    book.removeFromTags(tags[1])
    #expect(book.tags?.count == 2 && tags[1].books?.count == 0)
    book.removeFromTags(NSSet(array: tags))
    #expect(book.tags?.count == 0)
    book.tags = NSSet(object: tags[1])
    #expect(tags[1].books == NSSet(object: book))
    book.tags = nil
    #expect(tags[1].books?.count == 0)
    let list = context.insert("List")
    book.lists = [list]
    #expect(
      book.lists == [list] && list.names("books").isEmpty && list.objectIDs(forRelationshipNamed: "books").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `a property declared as a mutable set changes the relationship`(_ store: Store) throws {
    let context = try Shelf.context(store)
    let (shelf, one, two) = (Shelf(context: context), Shelf(context: context), Shelf(context: context))
    try context.save()
    shelf.inner.add(one)
    shelf.order.addObjects(from: [two, one])
    #expect(shelf.inner == NSSet(object: one) && shelf.order.array as? [Shelf] == [two, one])
    #expect(shelf.changedValues().keys.sorted() == ["inner", "order"])
    #expect(one.value(forKey: "outer") as? Shelf == shelf && (two.value(forKey: "ranked") as? NSSet)?.count == 1)
    shelf.order.exchangeObject(at: 0, withObjectAt: 1)
    shelf.inner = NSMutableSet(array: [one, two])
    shelf.maybe?.add(two)
    try context.save()
    context.refreshAllObjects()
    #expect(shelf.order.array as? [Shelf] == [one, two] && shelf.inner.count == 2 && shelf.maybe?.count == 1)
    shelf.inner.remove(one)
    shelf.maybe = nil
    #expect(shelf.inner == NSSet(object: two) && shelf.maybe?.count == 0)
  }

  @Test(arguments: Store.allCases)
  func `a setter does not retain its argument`(_ store: Store) throws {
    let (book, context) = try book(store)
    let tag = try #require(context.insert("Tag") as? BookTag)
    weak var given: NSSet?
    do {
      let set = NSSet(object: tag)
      given = set
      book.tags = set
    }
    #expect(given == nil)
    #expect(book.tags == NSSet(object: tag))
  }

  @Test(arguments: Store.allCases)
  func `generated accessors change ordered relationships`(_ store: Store) throws {
    let (book, context) = try book(store, pages: "a", "b", "c")
    let (x, y, z) = (try page("x", context), try page("y", context), try page("z", context))
    book.insertIntoPages(x, at: 1)
    #expect(book.names("pages") == ["a", "x", "b", "c"] && x.book === book)
    book.insertIntoPages([y, z], at: NSIndexSet(indexSet: [0, 3]))
    #expect(book.names("pages") == ["y", "a", "x", "z", "b", "c"])
    book.removeFromPages(at: 2)
    #expect(book.names("pages") == ["y", "a", "z", "b", "c"] && x.book == nil)
    book.removeFromPages(at: NSIndexSet(indexSet: [0, 4]))
    #expect(book.names("pages") == ["a", "z", "b"] && y.book == nil)
    book.replacePages(at: 0, with: x)
    #expect(book.names("pages") == ["x", "z", "b"] && x.book === book)
    book.replacePages(at: NSIndexSet(indexSet: [1, 2]), with: [y, z])
    #expect(book.names("pages") == ["x", "y", "z"])
    book.movePages(at: NSIndexSet(indexSet: [1, 2]), to: 0)
    #expect(book.names("pages") == ["y", "z", "x"])
    book.removeFromPages(z)
    book.addToPages(z)
    #expect(book.names("pages") == ["y", "x", "z"])
    book.removeFromPages([x, y])
    book.addToPages([y, x])
    #expect(book.names("pages") == ["z", "y", "x"] && book.pages?.array as? [Page] == [z, y, x])
    book.pages = [x, y]
    #expect(book.names("pages") == ["x", "y"] && z.book == nil)
    try context.save()
    context.reset()
    #expect(try context.fetch("Book").map { $0.names("pages") } == [["x", "y"]])
  }

  @Test(arguments: Store.allCases)
  func `any numeric attribute can be declared as NSDecimalNumber`(_ store: Store) throws {
    let context = try Wage.context(store)
    let wage = Wage(context: context)
    wage.setValue(7, forKey: "whole")
    #expect(wage.whole == 7 && wage.whole.adding(1) == 8 && wage.part == nil)
    wage.part = NSDecimalNumber(string: "1.5")
    wage.whole = 9
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Wage").first as? Wage)
    #expect(read.whole == 9 && read.part == NSDecimalNumber(string: "1.5") && read.part?.decimalValue == 1.5)
  }

  @Test func `the error for a missing value says how to provide one`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run { _ = Wage(context: try Wage.context(.memory)).whole }
    }
    #expect(
      result.errorText.contains(
        "or give it a default value in the model. A batch insert does not call awakeFromInsert()"))
  }

  @Test func `an index beyond the end stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let context = try Store.memory.library().viewContext
        (context.insert("Book") as? Book)?.removeFromPages(at: 3)
      }
    }
    #expect(result.errorText.contains("index 3 beyond bounds"))
  }
}

/// Declares decimal numbers for attributes of other types.
final class Wage: NSManagedObject {
  @NSManaged var whole: NSDecimalNumber
  @NSManaged var part: NSDecimalNumber?

  @MainActor static func context(_ store: Store) throws -> NSManagedObjectContext {
    let properties = [attribute("whole", .integer64), attribute("part", .double)]
    return try store.people(makeModel(makeEntity("Wage", of: Wage.self, properties))).viewContext
  }
}

/// Declares to-many relationships as mutable collections.
final class Shelf: NSManagedObject {
  @NSManaged var inner: NSMutableSet
  @NSManaged var order: NSMutableOrderedSet
  @NSManaged var maybe: NSMutableSet?

  @MainActor static func context(_ store: Store) throws -> NSManagedObjectContext {
    let model = makeModel(makeEntity("Shelf", of: Shelf.self))
      .relate("Shelf", "inner", .many, "Shelf", "outer", .one)
      .relate("Shelf", "order", .ordered, "Shelf", "ranked", .many)
      .relate("Shelf", "maybe", .many, "Shelf", "perhaps", .many)
    return try store.people(model).viewContext
  }
}
