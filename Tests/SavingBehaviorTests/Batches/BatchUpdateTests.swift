import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct BatchUpdateTests {
  @Test(arguments: Store.allCases)
  func `a batch update sets constants in matching rows`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(10)
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.predicate = NSPredicate(format: "magnitude >= 7")
    request.propertiesToUpdate = [
      "place": "far", AnyHashable(try #require(context.entity("Quake").propertiesByName["felt"])): 7,
      "cost": Decimal(string: "2.25") as Any, "time": NSNull(),
    ]
    request.resultType = .updatedObjectsCountResultType
    let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
    #expect(result.result as? Int == 3)
    let changed = try context.fetch("Quake", "place == 'far' AND felt == 7 AND cost == 2.25 AND time == nil")
    #expect(changed.compactMap { $0.value(forKey: "magnitude") as? Int }.sorted() == [7, 8, 9])
  }

  @Test(arguments: Store.allCases)
  func `a save of an object that a batch update changed is a conflict`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(1)
    let quake = try #require(try context.fetch("Quake").first)
    #expect(quake.value(forKey: "place") == nil)
    let request = NSBatchUpdateRequest(entity: context.entity("Quake"))
    request.propertiesToUpdate = ["place": "there"]
    let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
    #expect(result.result as? Bool == true)
    #expect(quake.value(forKey: "place") == nil)
    quake.setValue(3.0, forKey: "magnitude")
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == 133020)
  }

  @Test(arguments: Store.allCases)
  func `merging updated IDs shows the change in a context`(in store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    try context.addQuakes(3)
    let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "magnitude", ascending: true)])
    _ = quakes.map { $0.value(forKey: "place") }
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.predicate = NSPredicate(format: "SELF IN %@", [quakes[1], quakes[2]])
    request.propertiesToUpdate = ["place": "there"]
    request.resultType = .updatedObjectIDsResultType
    let background = container.newBackgroundContext()
    let ids = try background.performAndWait {
      (try background.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
    }
    #expect(Set(ids) == [quakes[1].objectID, quakes[2].objectID])
    #expect(quakes[1].value(forKey: "place") == nil)
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
    #expect(quakes.map { $0.value(forKey: "place") as? String } == [nil, "there", "there"])
  }

  @Test(arguments: Store.allCases)
  func `a batch update sets to-one relationships by object ID`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(2)
    let region = context.insert("Region", ["name": "Alps"])
    try context.save()
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.propertiesToUpdate = ["region": region.objectID]
    _ = try context.execute(request)
    context.refreshAllObjects()
    #expect((region.value(forKey: "quakes") as? NSSet)?.count == 2)
    request.propertiesToUpdate = ["region": NSNull()]
    _ = try context.execute(request)
    context.refreshAllObjects()
    #expect((region.value(forKey: "quakes") as? NSSet)?.count == 0)
  }

  @Test(arguments: Store.allCases)
  func `a batch update can exclude subentities`(in store: Store) throws {
    let context = try store.coordinator().context()
    _ = [context.insert("Person", ["email": "a"]), context.insert("Manager", ["email": "b"])]
    try context.save()
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["age": 40]
    request.resultType = .updatedObjectsCountResultType
    request.includesSubentities = false
    #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 1)
    request.includesSubentities = true
    #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
  }

  @Test(arguments: Store.allCases)
  func `a batch update's predicate may follow relationships`(in store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Alps"])
    _ = context.insert("Quake", ["code": "a", "region": region, "tags": Set([context.insert("Tag", ["name": "t"])])])
    _ = context.insert("Quake", ["code": "b"])
    try context.save()
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.resultType = .updatedObjectsCountResultType
    request.propertiesToUpdate = ["felt": 1]
    request.predicate = NSPredicate(format: "region.name == 'Alps'")
    #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 1)
    request.predicate = NSPredicate(format: "ANY tags.name == 't'")
    #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 1)
  }

  @Test(arguments: Store.allCases)
  func `a batch update that duplicates a unique value is refused`(in store: Store) throws {
    let context = try store.coordinator().context()
    _ = [context.insert("Person", ["email": "a"]), context.insert("Person", ["email": "b"])]
    try context.save()
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["email": "c"]
    let error = #expect(throws: CocoaError.self) { try context.execute(request) }
    #expect(error?.code.rawValue == 133021)
    #expect(try context.fetch("Person", "email == 'c'").isEmpty)
  }

  @Test(arguments: Store.allCases, ["color", "tags", "magnitude"])
  func `a batch update of an invalid property is refused`(in store: Store, key: String) throws {
    let context = try store.container().viewContext
    let request = NSBatchUpdateRequest(entityName: "Quake")
    request.propertiesToUpdate = [key: "much"]
    let error = #expect(throws: CocoaError.self) { try context.execute(request) }
    #expect(error?.localizedDescription.contains("'Quake.\(key)'") == true)
  }
}

extension NSManagedObjectContext {
  func addQuakes(_ count: Int) throws {
    for number in 0..<count { _ = insert("Quake", ["code": "q\(number)", "magnitude": Double(number)]) }
    try save()
  }
}

@MainActor @Suite struct BatchExpressionTests {
  @Test(arguments: Store.allCases)
  func `an expression is evaluated for each row`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(3)
    try context.update("Quake", ["magnitude": NSExpression(format: "magnitude * 2 + 1")])
    let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(quakes.map { $0.value(forKey: "magnitude") as? Double } == [1, 3, 5])
  }

  @Test(arguments: Store.allCases)
  func `an expression's value is converted to the attribute's type`(in store: Store) throws {
    let context = try store.container().viewContext
    _ = context.insert("Quake", ["felt": 7, "magnitude": 2.9])
    try context.save()
    try context.update("Quake", ["felt": NSExpression(format: "magnitude"), "magnitude": NSExpression(format: "felt")])
    let quake = try #require(try context.fetch("Quake").first)
    #expect(quake.value(forKey: "felt") as? Int == 2)
    #expect(quake.value(forKey: "magnitude") as? Double == 7)
  }

  @Test(arguments: Store.allCases)
  func `an expression may follow a relationship`(in store: Store) throws {
    let context = try store.container().viewContext
    _ = context.insert("Quake", ["code": "a", "region": context.insert("Region", ["name": "Alps"])])
    _ = context.insert("Quake", ["code": "b", "place": "old"])
    try context.save()
    try context.update("Quake", ["place": NSExpression(forKeyPath: "region.name")])
    let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(quakes.map { $0.value(forKey: "place") as? String } == ["Alps", nil])
  }

  @Test(arguments: Store.allCases)
  func `constant expressions are written`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(1)
    try context.update(
      "Quake", ["place": NSExpression(forConstantValue: "x"), "time": NSExpression(forConstantValue: nil)])
    #expect(try context.fetch("Quake", "place == 'x' AND time == nil").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `an expression of another type is refused`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(1)
    #expect(throws: CocoaError.self) { try context.update("Quake", ["place": NSExpression(format: "magnitude")]) }
  }
}

extension NSManagedObjectContext {
  fileprivate func update(_ entity: String, _ values: [String: Any]) throws {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.propertiesToUpdate = values
    _ = try execute(request)
  }
}
