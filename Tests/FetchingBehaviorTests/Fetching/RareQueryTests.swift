import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Rarely used queries: nil tests of large data, and sums of numbers in text.
@MainActor @Suite struct RareQueryTests {
  private static let model = makeModel(
    makeEntity("Card", [attribute("name"), attribute("price"), attribute("image", .binaryData, external: true)]),
    makeEntity("Album", [attribute("name")])
  ).relate("Album", "cards", .many, "Card", "album", .one)

  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.people(Self.model).viewContext
    let album = context.insert("Album", ["name": "full"])
    _ = context.insert("Album", ["name": "bare"])
    let images = [Data(repeating: 7, count: 300_000), Data([1]), nil]
    for (name, (price, image)) in zip(["large", "small", "none"], zip(["12.5", "3 or so", "free"], images)) {
      let card = context.insert("Card", ["name": name, "price": price, "album": album])
      card.setValue(image, forKey: "image")
    }
    try context.save()
    return context
  }

  private func names(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "name") as? String }.sorted()
  }

  @Test(arguments: Store.every)
  func `large data can be compared with nil`(_ store: Store) throws {
    let context = try filled(store)
    #expect(names(try context.fetch("Card", "image != nil")) == ["large", "small"])
    #expect(names(try context.fetch("Card", "image == nil")) == ["none"])
    #expect(names(try context.fetch("Card", "NOT image == nil AND name != 'small'")) == ["large"])
    #expect(names(try context.fetch("Album", "ANY cards.image == nil")) == ["full"])
    #expect(names(try context.fetch("Album", "SUBQUERY(cards, $c, $c.image != nil).@count == 2")) == ["full"])
  }

  @Test func `SQL cannot compare the contents of large data`() throws {
    let context = try filled(.sqlite)
    for format in ["image == %@", "image IN {%@, nil}"] {
      #expect(throws: CocoaError.self) { try context.fetch("Card", format, [Data([1])]) }
    }
  }

  @Test(arguments: Store.allCases)
  func `sums of text use the leading numbers`(_ store: Store) throws {
    let context = try filled(store)
    let request = NSFetchRequest<NSDictionary>(entityName: "Card")
    request.resultType = .dictionaryResultType
    let columns = ["sum:": "total", "average:": "mean"].map { function, name in
      let column = NSExpressionDescription()
      (column.name, column.expressionResultType) = (name, .doubleAttributeType)
      column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: "price")])
      return column
    }
    request.propertiesToFetch = columns
    let found = try #require(try context.fetch(request).first)
    #expect(found["total"] as? Double == 15.5)
    #expect(((found["mean"] as? Double ?? 0) - 15.5 / 3).magnitude < 1e-9)
    #expect(names(try context.fetch("Album", "cards.@sum.price == 15.5")) == ["full"])
    #expect(names(try context.fetch("Album", "sum(cards.price) == 0")) == ["bare"])
  }
}
