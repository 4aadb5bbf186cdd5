import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The values that a request reads, and requests that a store cannot execute.
@MainActor @Suite struct RequestLimitTests {
  private func filled(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.container()
    for (code, magnitude) in [("a", 4.0), ("b", 6.0), ("c", 5.0)] {
      _ = container.viewContext.insert("Quake", ["code": code, "magnitude": magnitude, "place": "old"])
    }
    try container.viewContext.save()
    return container
  }

  private func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return request
  }

  // MARK: Reading

  /// Objects have the values read with the fetch; other values are read on demand.
  @Test(arguments: Store.every, [true, false])
  func `includesPropertyValues determines whether a fetch reads rows`(_ store: Store, _ readsRows: Bool) throws {
    let container = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let request = request()
    request.includesPropertyValues = readsRows
    let quakes = try context.fetch(request)
    #expect(quakes.count == 3 && quakes.allSatisfy(\.isFault))
    for quake in try container.viewContext.fetch("Quake") { quake.setValue("new", forKey: "place") }
    try container.viewContext.save()
    #expect(quakes.map { $0.text("place") } == Array(repeating: readsRows ? "old" : "new", count: 3))
  }

  @Test(arguments: Store.every)
  func `objects have all properties despite propertiesToFetch`(_ store: Store) throws {
    let context = try filled(store).persistentStoreCoordinator.context()
    let request = request()
    request.propertiesToFetch = ["code", try #require(Quakes.model.entitiesByName["Quake"]?.propertiesByName["place"])]
    let quakes = try context.fetch(request)
    #expect(quakes.map { $0.text("code") } == ["a", "b", "c"])
    #expect(quakes.map { $0.value(forKey: "magnitude") as? Double } == [4, 6, 5])
    quakes[0].setValue(9, forKey: "magnitude")
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "magnitude == 9 AND place == 'old'").count == 1)
  }

  // MARK: Unsupported predicates

  @Test(arguments: Store.every)
  func `block predicates and custom comparators are refused`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let byBlock = request()
    byBlock.predicate = NSPredicate { _, _ in true }
    let sorted = request()
    sorted.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true) { _, _ in .orderedSame }]
    let mood = request()
    mood.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true, selector: "compareByMood:")]
    for isChanged in [false, true] {
      if isChanged { _ = context.insert("Quake") }
      for request in [byBlock, sorted, mood] {
        let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
        #expect(error?.code.rawValue == 134091)
        #expect(throws: CocoaError.self) { try context.count(for: request) }
      }
    }
  }

  @Test(arguments: Store.every)
  func `an empty AND matches all and an empty OR matches nothing`(_ store: Store) throws {
    let context = try filled(store).viewContext
    for isChanged in [false, true] {
      if isChanged { _ = context.insert("Quake", ["code": "d"]) }
      let count = isChanged ? 4 : 3
      let expected: [(NSCompoundPredicate, Int)] = [
        (NSCompoundPredicate(andPredicateWithSubpredicates: []), count),
        (NSCompoundPredicate(orPredicateWithSubpredicates: []), 0),
        (
          NSCompoundPredicate(notPredicateWithSubpredicate: NSCompoundPredicate(orPredicateWithSubpredicates: [])),
          count
        ),
      ]
      for (predicate, count) in expected {
        let request = request()
        request.predicate = predicate
        #expect(try context.fetch(request).count == count && context.count(for: request) == count)
      }
    }
  }

  @Test(arguments: Store.every)
  func `a fetch cannot filter or sort by a fetched property`(_ store: Store) throws {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let property = NSFetchedPropertyDescription()
    property.name = "strong"
    property.fetchRequest = NSFetchRequest(entityName: "Quake")
    try #require(model.entitiesByName["Region"]).properties.append(property)
    let context = try store.container(of: model).viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    try context.save()
    #expect((region.value(forKey: "strong") as? [NSManagedObject])?.isEmpty == true)
    for format in ["strong.@count == 0", "strong == nil", "ANY strong.code == 'a'"] {
      #expect(throws: CocoaError.self, "\(format)") { try context.fetch("Region", format) }
    }
    #expect(throws: CocoaError.self) {
      try context.fetch("Region", sort: [NSSortDescriptor(key: "strong", ascending: true)])
    }
  }

  // MARK: Nested requests

  @Test(arguments: Store.allCases)
  func `a nested request ignores its offset`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let inner = request("magnitude >= 5")
    inner.fetchOffset = 1
    let expression = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: inner), context: NSExpression(forConstantValue: context),
      countOnly: false)
    let outer = request()
    outer.predicate = NSPredicate(format: "SELF IN %@", expression)
    #expect(try context.fetch(outer).map { $0.text("code") } == ["b", "c"])
    inner.fetchLimit = 1
    #expect(try context.fetch(outer).map { $0.text("code") } == ["b"])
    // Evaluated on its own, the expression applies the offset.
    let found = expression.expressionValue(with: nil, context: nil) as? [NSManagedObject]
    #expect(found?.map { $0.text("code") } == ["c"] && inner.fetchOffset == 1)
  }

  // MARK: Groups

  enum Misuse: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case havingWithoutGroups, groupsOfObjects, groupsByMembers
    var testDescription: String { rawValue }

    @MainActor func commit() throws {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
      if self != .groupsOfObjects { request.resultType = .dictionaryResultType }
      switch self {
      case .havingWithoutGroups:
        request.propertiesToFetch = ["place"]
        request.havingPredicate = NSPredicate(format: "place == 'x'")
      case .groupsOfObjects: request.propertiesToGroupBy = ["place"]
      case .groupsByMembers:
        (request.propertiesToFetch, request.propertiesToGroupBy) = (["place"], ["place", "tags.name"])
      }
      _ = try Store.sqlite.container().viewContext.fetch(request)
    }
  }

  @Test(arguments: Misuse.allCases)
  @MainActor func `invalid grouping throws`(_ misuse: Misuse) {
    let error = #expect(throws: CocoaError.self) { try misuse.commit() }
    #expect(error?.code.rawValue == 134091)
  }

  // MARK: Programming errors

  /// Apple's framework raises exceptions for these.
  @Test @MainActor func `a request for an unknown entity throws the message of Core Data`() async throws {
    let context = try Store.sqlite.container().viewContext
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Qauke")
    request.sortDescriptors = []
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let operations: [() throws -> Void] = [
      { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
      { _ = try context.fetchedObjects(request) }, { try controller.performFetch() },
      { try context.execute(NSAsynchronousFetchRequest(fetchRequest: request) { _ in }) },
      { try context.execute(NSBatchDeleteRequest(fetchRequest: request)) },
    ]
    for operation in operations {
      let error = #expect(throws: CocoaError.self) { try operation() }
      #expect(error?.code.rawValue == 134091)
      #expect(
        error?.localizedDescription
          == "executeFetchRequest:error: could not locate an NSEntityDescription for entity name 'Qauke'.")
    }
    let empty = #expect(throws: CocoaError.self) { try context.fetch(NSFetchRequest<NSManagedObject>()) }
    #expect(empty?.localizedDescription == "executeFetchRequest:error: A fetch request must have an entity.")
    #expect(throws: CocoaError.self) {
      try context.fetchedObjects(dictionaries())
    }
  }

  @Test func `a result type that does not match the request throws`() throws {
    let context = try filled(.memory).viewContext
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
    #expect(error?.code.rawValue == 134091)
    #expect(error?.localizedDescription.contains("of a fetch of 'Quake' are not of type NSDictionary") == true)
  }

  private func dictionaries() -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    return request
  }

  /// A program may pass on a pattern that a user has typed.
  @Test(arguments: Store.allCases)
  func `an invalid pattern throws with and without rows`(_ store: Store) throws {
    for context in [try store.container().viewContext, try filled(store).viewContext] {
      for format in [#"place MATCHES "(""#, #"code == 'x' AND NOT place MATCHES[cd] "(""#] {
        let error = #expect(throws: CocoaError.self, "\(format)") { try context.fetch("Quake", format) }
        #expect(error?.code.rawValue == 134091)
        let text = error?.localizedDescription ?? ""
        #expect(text.hasPrefix("The predicate has an invalid pattern: place MATCHES"), "\(text)")
        #expect(text.hasSuffix(#""(" needs a regular expression."#), "\(text)")
      }
    }
  }

  @Test(arguments: [Store.sqlite, .memory])
  func `the error for an invalid pattern in a row contains the pattern`(_ store: Store) throws {
    let context = try store.container().viewContext
    _ = context.insert("Quake", ["code": "a", "place": "a("])
    try context.save()
    let error = #expect(throws: CocoaError.self) { try context.fetch("Quake", "code MATCHES place") }
    #expect(error?.code.rawValue == 134091)
    let text = error?.localizedDescription ?? ""
    #expect(text.hasSuffix(#"MATCHES cannot use the pattern "a(": it is not a valid regular expression."#), "\(text)")
    #expect(!text.contains("SQLite") && !text.contains("Cannot read"))
  }

  @Test(arguments: Store.allCases)
  func `the error starts with the misspelled property`(_ store: Store) throws {
    let context = try store.container().viewContext
    let error = #expect(throws: CocoaError.self) { try context.fetch("Quake", "plcae == 'x'") }
    #expect(error?.code.rawValue == 134091)
    #expect(error?.localizedDescription.hasPrefix("The entity 'Quake' has no property 'plcae'") == true)
  }
}
