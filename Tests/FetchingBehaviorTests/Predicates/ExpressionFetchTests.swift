import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Expressions in predicates, on both back ends and in memory.
@MainActor @Suite struct ExpressionFetchTests {
  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    let chile = context.insert("Region", ["name": "Chile"])
    for (code, magnitude, felt, region) in [("a", 4.5, 3, tonga), ("b", 6.5, 0, chile), ("c", 5.0, 7, tonga)] {
      context.insert(
        "Quake", ["code": code, "magnitude": magnitude, "felt": felt, "time": Date(timeIntervalSinceNow: -9)]
      )
      .setValue(region, forKey: "region")
    }
    _ = context.insert("Quake", ["code": "d"])
    try context.save()
    return context
  }

  private func codes(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "code") as? String }.sorted()
  }

  @Test(arguments: Store.allCases)
  func `a fetch finds the same objects as an evaluation in memory`(_ store: Store) throws {
    let context = try filled(store)
    let all = try context.fetch("Quake")
    let expected: [(String, [String])] = [
      ("(felt + 1) * 2 > 7", ["a", "c"]), ("felt / 2 == 1", ["a"]), ("10 / felt == nil", ["b", "d"]),
      ("magnitude - 0.5 BETWEEN {4, 5}", ["a", "c"]), ("-felt < -3", ["c"]), ("felt ** 2 == 49", ["c"]),
      ("modulus:by:(felt, 4) == 3", ["a", "c"]), ("abs(felt - 5) == 2", ["a", "c"]),
      ("uppercase(code) == 'A'", ["a"]), ("length(region.name) == 5", ["a", "b", "c"]),
      ("time < now()", ["a", "b", "c"]),
      ("TERNARY(felt > 1, magnitude, felt) == 0", ["b"]), ("CAST(felt, 'NSString') == '7'", ["c"]),
      ("SUBQUERY(region.quakes, $q, $q.felt > 1 AND $q.magnitude < 5).@count == 1", ["a", "c"]),
      ("felt > 1 OR CAST(time, 'NSNumber') == nil", ["a", "c", "d"]),
    ]
    for (format, found) in expected {
      let predicate = NSPredicate(format: format)
      #expect(codes(try context.fetch("Quake", format)) == found, "\(format) in the store")
      #expect(codes(all.filter { predicate.evaluate(with: $0) }) == found, "\(format) in memory")
      #expect(codes((all as NSArray).filtered(using: predicate) as? [NSManagedObject] ?? []) == found)
    }
    #expect(try context.fetch("Region", "SUBQUERY(quakes, $q, $q.felt > 1).@count == 2").count == 1)
    #expect(try context.fetch("Region", "max(quakes.magnitude) < 6").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `predicates can be built from expressions`(_ store: Store) throws {
    let context = try filled(store)
    let twice = NSExpression(
      forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "felt"), NSExpression(forConstantValue: 2)])
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    let predicate = NSComparisonPredicate(
      leftExpression: twice, rightExpression: NSExpression(format: "%d + 2", 4), modifier: .direct, type: .equalTo)
    request.predicate = predicate
    #expect(codes(try context.fetch(request)) == ["a"])
    request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [predicate, NSPredicate(format: "felt = 7")])
    #expect(codes(try context.fetch(request)) == ["a", "c"])
  }

  @Test func `expressions can be evaluated for a managed object`() throws {
    let context = try filled(.memory)
    let quake = try #require(try context.fetch("Quake", "code == 'c'").first)
    let sum = NSExpression(format: "magnitude + felt")
    #expect(sum.expressionValue(with: quake, context: nil) as? Double == 12)
    let block = NSExpression(
      block: { object, values, _ in
        "\((object as? NSManagedObject)?.value(forKey: "code") ?? "?")\((values[0] as? NSManagedObject)?.objectID == nil)"
      }, arguments: [NSExpression(forKeyPath: "region")])
    #expect(block.expressionValue(with: quake, context: nil) as? String == "cfalse")
    let region = NSExpression(forKeyPath: "region.quakes").expressionValue(with: quake, context: nil)
    #expect(codes(region as? [NSManagedObject] ?? []) == ["a", "c"])
  }
}
