import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Random saves and batch requests in several contexts, after which each context must show the store's values.
@MainActor @Suite struct DerivedValueRandomTests {
  private static let keys = ["total", "count", "basketName", "basketTotal"]

  @Test(arguments: Baskets.stores, [1, 2, 3] as [UInt64])
  func `contexts converge on the derived values of the store`(_ store: Store, seed: UInt64) async throws {
    let url = try store.url("Baskets")
    let containers = [try Baskets.container(store, at: url), try Baskets.container(store, at: url)]
    var random = SeededRandom(seed: seed)
    let contexts = containers.flatMap { [$0.newBackgroundContext(), $0.newBackgroundContext()] }
    for (index, context) in contexts.enumerated() {
      try await context.perform { [unowned context] in
        context.automaticallyMergesChangesFromParent = true
        context.retainsRegisteredObjects = true
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        guard index == 0 else { return }
        for name in ["a", "b", "c"] { _ = try context.basket(name, [1, 2, 3]) }
      }
    }
    for step in 0..<60 {
      let context = contexts[Int.random(in: contexts.indices, using: &random)]
      let draws = (0..<4).map { _ in Int.random(in: 0..<1_000, using: &random) }
      try await context.perform { [unowned context] in
        // Registers all objects and reads their derived values.
        for object in try context.fetch("Basket") + context.fetch("Item") { object.readAll() }
        try context.change(step, draws)
      }
      if step % 10 == 9 { try await expectAgreement(of: contexts, with: containers[0], at: step) }
    }
  }

  private func expectAgreement(
    of contexts: [NSManagedObjectContext], with container: NSPersistentContainer, at step: Int
  ) async throws {
    let fresh = container.newBackgroundContext()
    let stored = try await fresh.perform { [unowned fresh] in try fresh.shownValues(try fresh.everything()) }
    for (index, context) in contexts.enumerated() {
      var shown: [String: [String]] = [:]
      for _ in 0..<120_000 {
        shown = try await context.perform { [unowned context] in
          try context.shownValues(context.registeredObjects.filter { !$0.isDeleted })
        }
        if shown.allSatisfy({ stored[$0.key] == $0.value }) { break }
        try await Task.sleep(for: .milliseconds(5))
      }
      for (id, values) in shown { #expect(stored[id] == values, "context \(index), step \(step), \(id)") }
    }
  }
}

extension NSManagedObject {
  fileprivate static let derivedNames = ["Basket": ["total", "count"], "Item": ["basketName", "basketTotal"]]

  fileprivate func readAll() { for key in entity.propertiesByName.keys { _ = value(forKey: key) } }

  fileprivate var derivedValues: [String] {
    (Self.derivedNames[entity.name ?? ""] ?? []).map { "\($0) \(value(forKey: $0) ?? "-")" }
  }
}

extension NSManagedObjectContext {
  fileprivate func everything() throws -> Set<NSManagedObject> { Set(try fetch("Basket") + fetch("Item")) }

  fileprivate func shownValues(_ objects: Set<NSManagedObject>) throws -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: objects.map { ($0.objectID.uriRepresentation().absoluteString, $0.derivedValues) })
  }

  /// One random change, saved.
  fileprivate func change(_ step: Int, _ draws: [Int]) throws {
    let (baskets, items) = (try fetch("Basket"), try fetch("Item"))
    let basket = baskets[draws[1] % baskets.count]
    let item = items.isEmpty ? nil : items[draws[2] % items.count]
    switch draws[0] % 9 {
    case 0: _ = insert("Item", ["price": draws[3], "basket": basket])
    case 1: if let item { delete(item) }
    case 2: item?.setValue(basket, forKey: "basket")
    case 3: item?.setValue(nil, forKey: "basket")
    case 4, 5: item?.setValue(draws[3], forKey: "price")
    case 6: basket.setValue("n\(draws[3])", forKey: "name")
    case 7:
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(format: "price < %d", draws[3])
      request.propertiesToUpdate = ["price": draws[2]]
      _ = try execute(request)
    default:
      guard items.count > 5, let item else { return }
      _ = try execute(NSBatchDeleteRequest(objectIDs: [item.objectID]))
    }
    try save()
  }
}
