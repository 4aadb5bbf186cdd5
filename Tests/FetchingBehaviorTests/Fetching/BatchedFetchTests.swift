import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Fetches that read their rows in batches.
@MainActor @Suite struct BatchedFetchTests {
  private func filled(_ store: Store, _ count: Int = 25) throws -> NSPersistentContainer {
    let container = try store.container()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<count {
        let region = number % 10 == 0 ? context.insert("Region", ["name": "r\(number)"]) : nil
        context.insert("Quake", ["code": "q\(number)", "magnitude": Double(number)]).setValue(region, forKey: "region")
      }
      try context.save()
    }
    return container
  }

  private var request: NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: false)]
    request.fetchBatchSize = 10
    return request
  }

  private func codes(_ objects: some Sequence<NSManagedObject>) -> [String] {
    objects.compactMap { $0.value(forKey: "code") as? String }
  }

  private let expected = (0..<25).reversed().map { "q\($0)" }

  /// The result is longer than a row page can be.
  @Test func `a row far from the first is read with its batch`() throws {
    let container = try Store.sqlite.container()
    let context = container.viewContext
    var number = 0
    try context.execute(
      NSBatchInsertRequest(entityName: "Quake") { (row: NSMutableDictionary) in
        if number == 70_000 { return true }
        row["code"] = "q\(number)"
        row["magnitude"] = Double(number)
        number += 1
        return false
      })
    let found = try context.fetch(request)
    #expect(found.count == 70_000)
    for index in [69_999, 65_536, 65_535, 1] {
      #expect(found[index].value(forKey: "code") as? String == "q\(69_999 - index)")
    }
    #expect(found.count { !$0.isFault } == 4)
  }

  @Test(arguments: Store.allCases)
  func `firing one fault reads its whole batch`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.viewContext
    let found = try context.fetch(request)
    let areFaults = found.allSatisfy(\.isFault)
    #expect(found.count == 25 && areFaults)
    #expect(found[12].value(forKey: "code") as? String == "q12")
    // Another context changes two rows: the one in the batch already read is unchanged here.
    let other = container.newBackgroundContext()
    try other.performAndWait {
      for quake in try other.fetch("Quake", "code IN %@", [["q13", "q3"]]) { quake.setValue("new", forKey: "place") }
      try other.save()
    }
    #expect(found[11].value(forKey: "place") == nil)
    #expect(found[21].value(forKey: "place") as? String == "new")
    #expect(codes(found) == expected)
  }

  @Test(arguments: Store.allCases)
  func `relationships are prefetched with their batch`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let request = request
    request.relationshipKeyPathsForPrefetching = ["region"]
    let found = try context.fetch(request)
    #expect(found[4].value(forKey: "code") as? String == "q20")
    #expect(!found[4].hasFault(forRelationshipNamed: "region"))
    #expect(found[14].hasFault(forRelationshipNamed: "region"))
    #expect((found[14].value(forKey: "region") as? NSManagedObject)?.called == "r10")
  }

  @Test(arguments: Store.allCases)
  func `batched fetches include unsaved changes`(_ store: Store) throws {
    let context = try filled(store).viewContext
    _ = context.insert("Quake", ["code": "new", "magnitude": 99.0])
    context.delete(try #require(try context.fetch("Quake", "code == 'q7'").first))
    let wanted = ["new"] + expected.filter { $0 != "q7" }
    #expect(codes(try context.fetch(request)) == wanted)
    let lazy = try context.fetchedObjects(request)
    #expect(codes(lazy) == wanted)
    try context.save()
    #expect(codes(lazy) == wanted)
  }

  @Test(arguments: Store.allCases)
  func `a lazy collection creates objects on access`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let found = try context.fetchedObjects(request)
    #expect(found.count == 25 && context.registeredObjects.isEmpty)
    #expect(found[12].value(forKey: "code") as? String == "q12")
    #expect(context.registeredObjects.count == 10)
    #expect(codes(found) == expected && codes(found.reversed()) == expected.reversed())
    // The most recent batch is retained: iterating backwards, that is the first one.
    #expect(context.registeredObjects.count == 10)
    let first = found[0]
    let isSame = found[24] !== first && found[0] === first
    #expect(isSame)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
    ids.resultType = .managedObjectIDResultType
    #expect(Array(try context.fetchedObjects(ids)) == (try context.fetch(ids)))
  }

  @Test(arguments: Store.allCases)
  func `a fault whose row was deleted after the fetch reads as nil and deleted`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.viewContext
    let found = try context.fetch(request)
    let other = container.newBackgroundContext()
    try other.performAndWait {
      for quake in try other.fetch("Quake", "code == 'q20'") { other.delete(quake) }
      try other.save()
    }
    #expect(found[3].value(forKey: "code") as? String == "q21")
    #expect(found[4].value(forKey: "code") == nil && found[4].isDeleted)
  }
}
