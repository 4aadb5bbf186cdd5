import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Indexes and other auxiliary data are migrated with the rows.
@Suite struct MigratedIndexTests {
  @Test func `a new derived attribute is computed for existing rows`() throws {
    func model(_ counts: Bool) -> NSManagedObjectModel {
      let page = makeEntity("Page", [attribute("name")])
      let book = makeEntity("Book", [attribute("name")])
      let pages = relationship("pages", to: page, max: 0)
      let home = relationship("book", to: book)
      join(pages, home)
      book.properties.append(pages)
      page.properties.append(home)
      if counts {
        let count = NSDerivedAttributeDescription()
        count.name = "pageCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "pages.@count")
        book.properties.append(count)
      }
      return makeModel([book, page])
    }
    let store = try MigratedStore()
    try store.open(model(false)) { context in
      let book = context.make("Book", ["name": "a"])
      for name in ["1", "2"] { context.make("Page", ["name": name, "book": book]) }
      context.make("Book", ["name": "b"])
    }
    func counts(_ context: NSManagedObjectContext) throws -> [Int] {
      try context.all("Book").compactMap { $0.value(forKey: "pageCount") as? Int }
    }
    try store.open(model(true)) { context in
      try #expect(counts(context) == [2, 0])
      context.make("Page", ["name": "3", "book": try context.all("Book")[1]])
    }
    try store.open(model(true)) { try #expect(counts($0) == [2, 1]) }
  }
}
