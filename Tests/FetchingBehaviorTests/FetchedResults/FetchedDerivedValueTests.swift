import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Controllers of objects that match, or are sorted, by derived values.
@MainActor @Suite struct FetchedDerivedValueTests {
  private func controller(
    of entity: String, _ format: String, in context: NSManagedObjectContext, for log: ChangeCount
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    controller.delegate = log
    try controller.performFetch()
    return controller
  }

  private func names(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String?] {
    (controller.fetchedObjects ?? []).map { $0.text("name") }
  }

  @Test(arguments: Baskets.stores)
  func `a controller updates when a save changes a derived sum`(_ store: Store) throws {
    let context = try Baskets.container(store).viewContext
    let item = try context.basket("a", [1]).1[0]
    _ = try context.basket("b", [20])
    context.processPendingChanges()
    let log = ChangeCount()
    let controller = try controller(of: "Basket", "total >= 10", in: context, for: log)
    #expect(names(controller) == ["b"])
    item.setValue(15, forKey: "price")
    try context.save()
    context.processPendingChanges()
    #expect(names(controller) == ["a", "b"])
    item.setValue(5, forKey: "price")
    try context.save()
    context.processPendingChanges()
    #expect(names(controller) == ["b"])
    #expect(log.count == 2)
  }

  @Test(arguments: Baskets.stores, [false, true])
  func `a controller updates when another context changes derived values`(_ store: Store, elsewhere: Bool) async throws
  {
    let url = try store.url("Baskets")
    let container = try Baskets.container(store, at: url)
    let writer = (elsewhere ? try Baskets.container(store, at: url) : container).newBackgroundContext()
    try await writer.perform {
      _ = try writer.basket("a", [1])
      _ = try writer.basket("b", [20])
      writer.reset()
    }
    let context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    let logs = [ChangeCount(), ChangeCount()]
    let baskets = try controller(of: "Basket", "total >= 10", in: context, for: logs[0])
    let items = try controller(of: "Item", "basketName == 'c'", in: context, for: logs[1])
    #expect(names(baskets) == ["b"] && names(items) == [])
    try await writer.perform {
      try writer.fetch("Item", "price == 1").first?.setValue(15, forKey: "price")
      try writer.fetch("Basket", "name == 'a'").first?.setValue("c", forKey: "name")
      try writer.save()
    }
    try await eventually { names(baskets) == ["b", "c"] && names(items) == ["a1"] }
    try await writer.perform {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      request.predicate = NSPredicate(format: "price == 15")
      _ = try writer.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    try await eventually { names(baskets) == ["b"] && names(items) == [] }
  }
}

private final class ChangeCount: NSObject, NSFetchedResultsControllerDelegate {
  var count = 0

  func controllerDidChangeContent(_ controller: AnyController) { count += 1 }
}
