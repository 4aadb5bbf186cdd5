import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Key paths into composite attributes, in every kind of query.
@MainActor @Suite struct CompositeQueryTests {
  private func context(_ store: Store, _ magnitudes: [Double?] = [4, nil, 6, 5]) throws -> NSManagedObjectContext {
    let context = try store.people(Jolts.model).viewContext
    context.insertJolts(magnitudes)
    try context.save()
    return context
  }

  private func codes(_ objects: [NSManagedObject]) -> [String] { objects.compactMap { $0.text("code") } }

  private let byMagnitude = [NSSortDescriptor(key: "magnitude.richter", ascending: false)]

  @Test(arguments: Store.every)
  func `fetches filter and sort by elements`(_ store: Store) throws {
    let context = try context(store)
    #expect(try codes(context.fetch("Jolt", "magnitude.richter > 4.5", sort: byMagnitude)) == ["6.0", "5.0"])
    #expect(try codes(context.fetch("Jolt", sort: byMagnitude)) == ["6.0", "5.0", "4.0", "none"])
    #expect(try codes(context.fetch("Jolt", "magnitude == nil")) == ["none"])
    #expect(try context.fetch("Jolt", "magnitude != nil AND magnitude.felt == nil").count == 3)
    // Unsaved objects count too.
    let new = context.insert("Jolt", ["code": "new", "magnitude": ["richter": 5.5]])
    try context.fetch("Jolt", "magnitude.richter == 6")[0].setValue(1, forKeyPath: "magnitude.richter")
    #expect(try codes(context.fetch("Jolt", "magnitude.richter > 4.5", sort: byMagnitude)) == ["new", "5.0"])
    #expect(try codes(context.fetch("Jolt", sort: byMagnitude)) == ["new", "5.0", "4.0", "6.0", "none"])
    context.delete(new)
    #expect(try context.fetch("Jolt", "magnitude.richter BETWEEN {4.5, 5.7}").count == 1)
  }

  @Test(arguments: Store.every)
  func `key paths of elements lead through relationships`(_ store: Store) throws {
    let context = try context(store)
    let jolts = Set(try context.fetch("Jolt", "magnitude != nil"))
    _ = context.insert("Zone", ["name": "a", "center": ["latitude": 10], "jolts": jolts])
    _ = context.insert("Zone", ["name": "b", "center": ["latitude": 20]])
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      #expect(try context.fetch("Jolt", "zone.center.latitude == 10").count == 3)
      #expect(try context.fetch("Zone", "ANY jolts.magnitude.richter > 5.5").map { $0.text("name") } == ["a"])
      #expect(try context.fetch("Zone", "jolts.@max.magnitude.richter == 6").map { $0.text("name") } == ["a"])
      #expect(
        try context.fetch("Zone", "SUBQUERY(jolts, $j, $j.magnitude.richter > 4.5).@count == 2").count == 1)
      let order = [NSSortDescriptor(key: "zone.center.latitude", ascending: false)] + byMagnitude
      #expect(try codes(context.fetch("Jolt", sort: order)) == ["6.0", "5.0", "4.0", "none"])
    }
  }

  @Test func `predicates and sort descriptors evaluate elements of objects`() throws {
    let context = try context(.memory)
    let jolts = try context.fetch("Jolt")
    let large = NSPredicate(format: "magnitude.richter >= 5 AND magnitude.felt.by == nil")
    #expect(codes(jolts.filter(large.evaluate)).sorted() == ["5.0", "6.0"])
    #expect(codes((jolts as NSArray).sortedArray(using: byMagnitude) as? [NSManagedObject] ?? []).first == "6.0")
    #expect(NSPredicate(format: "magnitude == nil").evaluate(with: jolts.first { $0.text("code") == "none" }))
  }

  @Test(arguments: Store.allCases)
  func `a composite attribute cannot be compared as a whole`(_ store: Store) throws {
    let context = try context(store)
    #expect(throws: CocoaError.self) { try context.fetch("Jolt", "magnitude > 4") }
    #expect(throws: CocoaError.self) {
      try context.fetch("Jolt", sort: [NSSortDescriptor(key: "magnitude", ascending: true)])
    }
  }

  @Test(arguments: Store.every)
  func `dictionary results include composite attributes and elements`(_ store: Store) throws {
    let context = try context(store)
    let jolts = Set(try context.fetch("Jolt", "magnitude != nil"))
    _ = context.insert("Zone", ["center": ["latitude": 10], "jolts": jolts])
    try context.save()
    let request = NSFetchRequest<NSDictionary>(entityName: "Jolt")
    request.resultType = .dictionaryResultType
    request.sortDescriptors = byMagnitude
    request.propertiesToFetch = ["code", "magnitude", "magnitude.richter", "zone.center"]
    let found = try context.fetch(request)
    #expect(
      found[0] == [
        "code": "6.0", "magnitude": ["richter": 6.0], "magnitude.richter": 6.0, "zone.center": ["latitude": 10.0],
      ])
    #expect(found[3] == ["code": "none"])
    request.propertiesToFetch = nil
    #expect(try context.fetch(request)[1] == ["code": "5.0", "magnitude": ["richter": 5.0]])
    let sum = NSExpressionDescription()
    (sum.name, sum.expressionResultType) = ("sum", .doubleAttributeType)
    sum.expression = NSExpression(format: "sum:(magnitude.richter)")
    request.propertiesToFetch = ["zone", sum]
    request.propertiesToGroupBy = ["zone"]
    request.sortDescriptors = []
    request.predicate = NSPredicate(format: "zone != nil")
    #expect(try context.fetch(request).compactMap { $0["sum"] as? Double } == [15])
    request.propertiesToFetch = ["magnitude"]
    request.propertiesToGroupBy = ["magnitude"]
    #expect(try context.fetch(request).count == 3)
  }

  @Test(arguments: Store.allCases)
  func `batch requests insert, update and delete by elements`(_ store: Store) throws {
    let context = try store.people(Jolts.model).viewContext
    let rows: [[String: Any]] = [
      ["code": "a", "magnitude": ["richter": 4, "felt": ["by": 2]]], ["code": "b", "magnitude.richter": 6],
      ["code": "c", "magnitude": NSNull()],
    ]
    _ = try context.execute(NSBatchInsertRequest(entityName: "Jolt", objects: rows))
    nonisolated(unsafe) var left = ["d", "e"]
    _ = try context.execute(
      NSBatchInsertRequest(entityName: "Jolt") { (row: NSMutableDictionary) in
        guard let code = left.popLast() else { return true }
        row["code"] = code
        row["magnitude"] = ["richter": 1.0]
        #expect(row["magnitude"] as? NSDictionary == ["richter": 1.0] && row.count == 2)
        if code == "d" { row.removeObject(forKey: "magnitude") }
        return false
      })
    func magnitudes() throws -> [NSDictionary?] {
      context.reset()
      let order = [NSSortDescriptor(key: "code", ascending: true)]
      return try context.fetch("Jolt", sort: order).map { $0.value(forKey: "magnitude") as? NSDictionary }
    }
    #expect(
      try magnitudes() == [
        ["richter": 4.0, "felt": ["by": 2]], ["richter": 6.0, "kind": "mw"], nil, ["kind": "mw"], ["richter": 1.0],
      ])
    for bad: Any in [["mercalli": 1], ["richter": "x"], 4] {
      #expect(throws: CocoaError.self) {
        try context.execute(NSBatchInsertRequest(entityName: "Jolt", objects: [["magnitude": bad]]))
      }
    }

    let update = NSBatchUpdateRequest(entityName: "Jolt")
    update.predicate = NSPredicate(format: "magnitude.richter > 3")
    update.propertiesToUpdate = [
      "magnitude.richter": NSExpression(format: "magnitude.richter + 1"),
      "epicenter": ["latitude": 1.0, "longitude": 2.0],
    ]
    _ = try context.execute(update)
    #expect(try magnitudes().prefix(2) == [["richter": 5.0, "felt": ["by": 2]], ["richter": 7.0, "kind": "mw"]])
    #expect(try context.fetch("Jolt", "epicenter.longitude == 2").count == 2)
    update.propertiesToUpdate = ["magnitude": NSNull()]
    _ = try context.execute(update)
    #expect(try context.fetch("Jolt", "magnitude == nil").count == 3)
    update.propertiesToUpdate = ["magnitude": ["mercalli": 1]]
    #expect(throws: CocoaError.self) { try context.execute(update) }

    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Jolt")
    request.predicate = NSPredicate(format: "epicenter.latitude == 1")
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    #expect(try magnitudes() == [nil, ["kind": "mw"], ["richter": 1.0]])
  }

  @Test(arguments: Store.allCases)
  func `results controllers follow changes of elements`(_ store: Store) throws {
    let context = try context(store)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Jolt")
    request.predicate = NSPredicate(format: "magnitude.richter > 4.5")
    request.sortDescriptors = [NSSortDescriptor(key: "magnitude.kind", ascending: true)] + byMagnitude
    for jolt in try context.fetch("Jolt") { jolt.setValue("mb", forKeyPath: "magnitude.kind") }
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "magnitude.kind", cacheName: nil)
    let log = ChangeLog()
    controller.delegate = log
    try controller.performFetch()
    #expect(codes(controller.fetchedObjects ?? []) == ["6.0", "5.0"] && controller.sections?.map(\.name) == ["mb"])
    try context.fetch("Jolt", "code == '4.0'")[0].setValue(7, forKeyPath: "magnitude.richter")
    try context.fetch("Jolt", "code == '5.0'")[0].setValue("ml", forKeyPath: "magnitude.kind")
    context.processPendingChanges()
    #expect(log.lines.last == "did")
    #expect(codes(controller.fetchedObjects ?? []) == ["4.0", "6.0", "5.0"])
    #expect(controller.sections?.map(\.name) == ["mb", "ml"])
  }
}
