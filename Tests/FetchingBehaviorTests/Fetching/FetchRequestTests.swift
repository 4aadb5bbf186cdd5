import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// A class with the class method that Xcode generates.
class Quake: NSManagedObject {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Quake> { NSFetchRequest<Quake>(entityName: "Quake") }
}

/// Fetch requests: every initializer and property.
@MainActor @Suite struct FetchRequestTests {
  private let byCode = [NSSortDescriptor(key: "code", ascending: true)]

  private static let model: NSManagedObjectModel = {
    // Copied before anything changes the shared model.
    let model = Quakes.model.copy() as? NSManagedObjectModel ?? NSManagedObjectModel()
    model.entitiesByName["Quake"]?.managedObjectClassName = NSStringFromClass(Quake.self)
    return model
  }()

  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container(of: Self.model).viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, magnitude) in [("a", 4.0), ("b", 6.0), ("c", 5.0)] {
      context.insert("Quake", ["code": code, "magnitude": magnitude]).setValue(tonga, forKey: "region")
    }
    try context.save()
    return context
  }

  private func codes(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "code") as? String }
  }

  @Test func `a new request has the documented defaults`() {
    let request = NSFetchRequest<NSManagedObject>()
    #expect(request.entity == nil && request.entityName == nil && request.predicate == nil)
    #expect(request.sortDescriptors == nil && request.propertiesToFetch == nil && request.propertiesToGroupBy == nil)
    #expect((request.fetchLimit, request.fetchOffset, request.fetchBatchSize) == (0, 0, 0))
    #expect(request.resultType == .managedObjectResultType && request.requestType == .fetchRequestType)
    #expect(request.includesSubentities && request.includesPropertyValues && request.includesPendingChanges)
    #expect(request.returnsObjectsAsFaults && !request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
    #expect(request.relationshipKeyPathsForPrefetching == nil && request.havingPredicate == nil)
    #expect(request.affectedStores == nil)
  }

  @Test(arguments: Store.every)
  func `the generated fetchRequest method creates a typed request`(_ store: Store) throws {
    let context = try filled(store)
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.sortDescriptors = byCode
    let found: [Quake] = try context.fetch(request)
    #expect(codes(found) == ["a", "b", "c"])
    let direct = try context.fetch(Quake.fetchRequest())
    #expect(type(of: direct) == [Quake].self && direct.count == 3)
    let untyped: NSFetchRequest<any NSFetchRequestResult> = Quake.fetchRequest()
    #expect(try context.fetch(untyped).compactMap { $0 as? Quake }.count == 3)
  }

  @Test(arguments: Store.every)
  func `a request executes in the context of the current block`(_ store: Store) throws {
    let context = try filled(store)
    let count = try context.performAndWait { try Quake.fetchRequest().execute().count as Int }
    #expect(count == 3)
  }

  @Test(arguments: Store.every)
  func `results can be objects, IDs or a count`(_ store: Store) throws {
    let context = try filled(store)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
    (ids.resultType, ids.sortDescriptors) = (.managedObjectIDResultType, byCode)
    let objects = try context.fetch("Quake", sort: byCode)
    #expect(try context.fetch(ids) == objects.map(\.objectID))
    let count = NSFetchRequest<NSNumber>(entityName: "Quake")
    count.resultType = .countResultType
    #expect(try context.fetch(count) == [3])
    count.predicate = NSPredicate(format: "magnitude > 4")
    #expect(try context.count(for: count) == 2)
    (ids.fetchLimit, ids.fetchOffset) = (5, 1)
    #expect(try context.count(for: ids) == 2 && context.fetch(ids).count == 2)
  }

  @Test(arguments: Store.every)
  func `unsaved changes apply to the filter and the order of a fetch`(_ store: Store) throws {
    let context = try filled(store)
    let strong = Quake.fetchRequest() as NSFetchRequest<Quake>
    strong.predicate = NSPredicate(format: "magnitude >= 5")
    strong.sortDescriptors = byCode
    strong.fetchLimit = 1
    let quakes = try context.fetch("Quake", sort: byCode)
    for quake in quakes { quake.setValue("x", forKey: "place") }
    #expect(codes(try context.fetch(strong)) == ["b"])
    #expect(try context.count(for: strong) == 1)
    // Changes a filtered attribute, a sorted one, and a relationship.
    quakes[0].setValue(7.0, forKey: "magnitude")
    #expect(codes(try context.fetch(strong)) == ["a"])
    strong.sortDescriptors = [NSSortDescriptor(key: "code", ascending: false)]
    quakes[1].setValue("z", forKey: "code")
    #expect(codes(try context.fetch(strong)) == ["z"])
    strong.predicate = NSPredicate(format: "region == nil")
    #expect(try context.count(for: strong) == 0)
    quakes[2].setValue(nil, forKey: "region")
    #expect(codes(try context.fetch(strong)) == ["c"])
    let busy = NSFetchRequest<NSManagedObject>(entityName: "Region")
    busy.predicate = NSPredicate(format: "quakes.@count == 2")
    #expect(try context.count(for: busy) == 1)
    strong.predicate = NSPredicate(format: "place == 'x'")
    strong.includesPendingChanges = false
    #expect(try context.count(for: strong) == 0)
  }

  @Test(arguments: Store.every)
  func `a fetch reads only its affected stores`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Everything", "Everything"])
    let context = coordinator.context()
    for (number, name) in ["one", "two", "three"].enumerated() {
      let person = context.insert("Person", ["name": name, "email": name, "age": number])
      context.assign(person, to: coordinator.persistentStores[number % 2])
    }
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
    #expect(try context.fetch(request).map(\.called) == ["three", "two", "one"])
    request.affectedStores = [coordinator.persistentStores[0]]
    #expect(try context.fetch(request).map(\.called) == ["three", "one"])
    #expect(try context.count(for: request) == 2)
    request.affectedStores = []
    #expect(try context.fetch(request).isEmpty)
    let values = NSFetchRequest<NSDictionary>(entityName: "Person")
    values.resultType = .dictionaryResultType
    values.propertiesToFetch = ["name"]
    values.sortDescriptors = request.sortDescriptors
    values.fetchLimit = 2
    #expect(try context.fetch(values) == [["name": "three"], ["name": "two"]])
    values.affectedStores = [coordinator.persistentStores[1]]
    #expect(try context.fetch(values) == [["name": "two"]])
    let maximum = NSExpressionDescription()
    maximum.name = "greatest"
    maximum.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
    (values.propertiesToFetch, values.affectedStores, values.sortDescriptors) = ([maximum], nil, nil)
    #expect(try context.fetch(values) == [["greatest": 2]])
  }
}
