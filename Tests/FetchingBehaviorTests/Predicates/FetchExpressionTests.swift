import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Fetches in expressions.
@MainActor @Suite struct FetchExpressionTests {
  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, magnitude) in [("a", 4.0), ("b", 6.0), ("c", 5.0)] {
      context.insert("Quake", ["code": code, "magnitude": magnitude])
        .setValue(code == "a" ? nil : tonga, forKey: "region")
    }
    try context.save()
    return context
  }

  private func expression(_ context: NSManagedObjectContext, countOnly: Bool) -> NSExpression {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = NSPredicate(format: "magnitude >= 5")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
      countOnly: countOnly)
  }

  @Test(arguments: Store.allCases)
  func `the value of a fetch expression is the result of its request`(_ store: Store) throws {
    let context = try filled(store)
    let objects = expression(context, countOnly: false).expressionValue(with: nil, context: nil) as? [NSManagedObject]
    #expect(objects?.compactMap { $0.text("code") } == ["b", "c"])
    let count = expression(context, countOnly: true)
    #expect(count.expressionValue(with: nil, context: nil) as? Int == 2)
    let parts = try #require(count as? NSFetchRequestExpression)
    let isTheContext = parts.contextExpression.constantValue as? NSManagedObjectContext === context
    #expect(parts.isCountOnlyRequest && isTheContext)
    #expect(parts.requestExpression.constantValue is NSFetchRequest<NSManagedObject>)
  }

  @Test(arguments: Store.allCases)
  func `a predicate can contain a fetch expression`(_ store: Store) throws {
    let context = try filled(store)
    let byCode = [NSSortDescriptor(key: "code", ascending: true)]
    let found = try context.fetch("Quake", "SELF IN %@", [expression(context, countOnly: false)], sort: byCode)
    #expect(found.compactMap { $0.text("code") } == ["b", "c"])
    #expect(try context.fetch("Region", "quakes.@count == %@", [expression(context, countOnly: true)]).count == 1)
    #expect(try context.fetch("Region", "quakes.@count > %@", [expression(context, countOnly: true)]).isEmpty)
  }
}
