import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Computed columns of dictionary fetches: aggregates, and expressions of a row.
@MainActor @Suite struct ExpressionColumnTests {
  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    let chile = context.insert("Region", ["name": "Chile"])
    for (code, magnitude, felt, region) in [
      ("a", 4.5, 2, tonga), ("b", 6.5, 0, chile), ("c", 5.0, 3, tonga), ("d", 5.5, 1, tonga),
    ] {
      let quake = context.insert("Quake", ["code": code, "magnitude": magnitude, "felt": felt])
      quake.setValue(region, forKey: "region")
      quake.setValue(Date(timeIntervalSinceReferenceDate: magnitude * 100), forKey: "time")
    }
    _ = context.insert("Quake", ["code": "e"])
    try context.save()
    return context
  }

  private func column(
    _ name: String, _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    description.expressionResultType = type
    return description
  }

  private func function(_ name: String, _ keyPath: String) -> NSExpression {
    NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: keyPath)])
  }

  private func request(_ properties: [Any], by groups: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.propertiesToGroupBy = groups
    return request
  }

  @Test(arguments: Store.allCases)
  func `aggregate functions cover all rows`(_ store: Store) throws {
    let context = try filled(store)
    let all = request([
      column("least", function("min:", "magnitude"), .doubleAttributeType),
      column("greatest", function("max:", "magnitude"), .doubleAttributeType),
      column("mean", function("average:", "felt"), .doubleAttributeType),
      column("all", function("sum:", "felt"), .integer64AttributeType),
      column("number", function("count:", "code"), .integer32AttributeType),
      // Nil values are not counted.
      column("measured", function("count:", "magnitude"), .integer32AttributeType),
      column("latest", function("max:", "time"), .dateAttributeType),
    ])
    let expected: NSDictionary = [
      "least": 4.5, "greatest": 6.5, "mean": 1.5, "all": 6, "number": 5, "measured": 4,
      "latest": Date(timeIntervalSinceReferenceDate: 650),
    ]
    #expect(try context.fetch(all) == [expected])
    all.predicate = NSPredicate(format: "code == 'nothing'")
    #expect(try context.fetch(all) == [["all": 0, "number": 0, "measured": 0]])
  }

  @Test(arguments: Store.allCases)
  func `collection operators return the same as functions`(_ store: Store) throws {
    let context = try filled(store)
    let all = request([
      column("greatest", NSExpression(forKeyPath: "@max.magnitude")),
      column("all", NSExpression(forKeyPath: "@sum.felt")),
      column("number", NSExpression(forKeyPath: "@count")),
      column("latest", NSExpression(forKeyPath: "@max.time")),
    ])
    let found = try context.fetch(all)
    #expect(
      found == [["greatest": 6.5, "all": 6, "number": 5, "latest": Date(timeIntervalSinceReferenceDate: 650)]])
  }

  @Test(arguments: Store.allCases)
  func `aggregates are computed per group`(_ store: Store) throws {
    let context = try filled(store)
    let number = column("number", function("count:", "code"), .integer64AttributeType)
    let maximum = column("greatest", function("max:", "magnitude"), .doubleAttributeType)
    let groups = request(["region.name", number, maximum], by: ["region.name"])
    groups.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    let expected: [NSDictionary] = [
      ["region.name": "Tonga", "number": 3, "greatest": 5.5], ["number": 1],
      ["region.name": "Chile", "number": 1, "greatest": 6.5],
    ]
    #expect(try context.fetch(groups) == expected)
    groups.predicate = NSPredicate(format: "magnitude < 5.5")
    #expect(try context.fetch(groups) == [["region.name": "Tonga", "number": 2, "greatest": 5.0]])
    groups.predicate = nil
    // A column can be referred to by a variable, and by its name.
    groups.havingPredicate = NSPredicate(format: "%@ > 1", NSExpression(forVariable: "number"))
    #expect(try context.fetch(groups) == [expected[0]])
    groups.havingPredicate = NSPredicate(format: "greatest > 6")
    #expect(try context.fetch(groups) == [expected[2]])
    groups.havingPredicate = NSPredicate(format: "max:(magnitude) > 6 OR $number == 3")
    #expect(try context.fetch(groups) == [expected[0], expected[2]])
    #expect(try context.count(for: groups) == 2)
  }

  @Test(arguments: Store.allCases)
  func `a fetch can group by a relationship`(_ store: Store) throws {
    let context = try filled(store)
    let groups = request(["region", column("number", function("count:", "code"))], by: ["region"])
    groups.predicate = NSPredicate(format: "region != nil")
    groups.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let found = try context.fetch(groups)
    let regions = try context.fetch("Region", sort: [NSSortDescriptor(key: "name", ascending: true)])
    #expect(found.map { $0["region"] as? NSManagedObjectID } == regions.map(\.objectID))
    #expect(found.map { $0["number"] as? Int } == [1, 3])
  }

  @Test(arguments: Store.allCases)
  func `expressions can return the object ID`(_ store: Store) throws {
    let context = try filled(store)
    let ids = request([
      "code", column("id", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType),
      column("same", NSExpression(forKeyPath: "objectID"), .objectIDAttributeType),
    ])
    ids.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    let found = try context.fetch(ids)
    let objects = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(found.map { $0["id"] as? NSManagedObjectID } == objects.map(\.objectID))
    #expect(found.map { $0["same"] as? NSManagedObjectID } == objects.map(\.objectID))
  }

  @Test(arguments: Store.allCases)
  func `columns can be constants and aggregates of members`(_ store: Store) throws {
    let context = try filled(store)
    let regions = NSFetchRequest<NSDictionary>(entityName: "Region")
    regions.resultType = .dictionaryResultType
    regions.propertiesToFetch = [
      "name", column("kind", NSExpression(forConstantValue: "region")),
      column("quakes", NSExpression(forKeyPath: "quakes.@count")),
      column("strongest", NSExpression(forKeyPath: "quakes.@max.magnitude"), .doubleAttributeType),
    ]
    regions.sortDescriptors = [NSSortDescriptor(key: "quakes", ascending: true)]
    let expected: [NSDictionary] = [
      ["name": "Chile", "kind": "region", "quakes": 1, "strongest": 6.5],
      ["name": "Tonga", "kind": "region", "quakes": 3, "strongest": 5.5],
    ]
    #expect(try context.fetch(regions) == expected)
  }

  @Test(arguments: Store.allCases)
  func `the value of a column has its result type`(_ store: Store) throws {
    let context = try filled(store)
    let mean = function("average:", "magnitude")
    let types = request([
      column("real", mean, .doubleAttributeType), column("whole", mean, .integer32AttributeType),
      column("decimal", function("sum:", "felt"), .decimalAttributeType), column("own", function("max:", "felt")),
    ])
    let found = try #require(try context.fetch(types).first)
    #expect(found["real"] as? Double == 5.375 && found["whole"] as? Int == 5 && found["own"] as? Int == 3)
    #expect((found["decimal"] as? NSDecimalNumber) == NSDecimalNumber(value: 6))
  }
}
