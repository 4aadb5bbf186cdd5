import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Derived values that a commit changes in objects that it does not write.
@MainActor @Suite struct DerivedValueTests {
  private typealias IDs = Set<NSManagedObjectID>

  @Test(arguments: Baskets.stores)
  func `a save changes the sum in the owner of an edited item`(_ store: Store) throws {
    let context = try Baskets.container(store).viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    #expect(basket.number("total") == 112 && basket.number("count") == 2)
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    items[1].setValue(60, forKey: "price")
    try context.save()
    #expect(basket.number("total") == 160 && !basket.hasChanges && !context.hasChanges)
    context.processPendingChanges()
    let refreshed = notices.all(.NSManagedObjectContextObjectsDidChange).compactMap {
      $0[NSRefreshedObjectsKey] as? Set<NSManagedObject>
    }
    #expect(refreshed.contains { $0.contains(basket) })
  }

  @Test(arguments: Baskets.stores)
  func `a save changes derived values in the members of an edited owner`(_ store: Store) throws {
    let context = try Baskets.container(store).viewContext
    let (basket, items) = try context.basket("a", [1, 2])
    #expect(items.map { $0.text("basketName") } == ["a", "a"])
    basket.setValue("b", forKey: "name")
    try context.save()
    #expect(items.map { $0.text("basketName") } == ["b", "b"])
    #expect(items.allSatisfy { !$0.hasChanges })
  }

  @Test(arguments: Baskets.stores)
  func `a save changes values that are derived from derived values`(_ store: Store) throws {
    let context = try Baskets.container(store).viewContext
    let (_, items) = try context.basket("a", [1, 2])
    #expect(items[1].number("basketTotal") == 3)
    items[0].setValue(5, forKey: "price")
    try context.save()
    #expect(items.map { $0.number("basketTotal") } == [7, 7])
  }

  @Test(arguments: Baskets.stores)
  func `a save changes the sums of both owners of a moved item`(_ store: Store) throws {
    let context = try Baskets.container(store).viewContext
    let (one, items) = try context.basket("a", [1, 2])
    let (other, _) = try context.basket("b", [10])
    items[1].setValue(other, forKey: "basket")
    try context.save()
    #expect(one.number("total") == 1 && other.number("total") == 12)
    #expect(one.number("count") == 1 && other.number("count") == 2)
    #expect(items[1].text("basketName") == "b" && items[1].number("basketTotal") == 12)
    context.delete(items[1])
    try context.save()
    #expect(other.number("total") == 10 && other.number("count") == 1)
  }

  @Test(arguments: Baskets.stores)
  func `a derived value alone does not put a later save in conflict`(_ store: Store) async throws {
    let container = try Baskets.container(store)
    let context = container.viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    let id = items[0].objectID
    try await container.performBackgroundTask { other in
      try other.existingObject(with: id).setValue(1, forKey: "price")
      try other.save()
    }
    basket.setValue("b", forKey: "name")
    try context.save()
    items[1].setValue(2, forKey: "price")
    try context.save()
    basket.setValue("c", forKey: "name")
    try context.save()
    #expect(basket.number("total") == 3)
  }

  @Test(arguments: Baskets.stores)
  func `a context that merges automatically shows new derived values`(_ store: Store) async throws {
    let container = try Baskets.container(store)
    let context = container.viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    context.automaticallyMergesChangesFromParent = true
    let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
    let ids = items.map(\.objectID)
    try await container.performBackgroundTask { other in
      try other.existingObject(with: ids[1]).setValue(60, forKey: "price")
      try other.save()
    }
    try await eventually { basket.number("total") == 160 }
    #expect(items.allSatisfy { $0.number("basketTotal") == 160 })
    let merged = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).first
    #expect((merged?[NSRefreshedObjectIDsKey] as? IDs)?.contains(basket.objectID) == true)
    try await container.performBackgroundTask { other in
      try other.existingObject(with: ids[0]).object("basket")?.setValue("b", forKey: "name")
      try other.save()
    }
    try await eventually { items[0].text("basketName") == "b" }
  }

  @Test(arguments: Baskets.stores)
  func `a merge keeps unsaved changes of objects with new derived values`(_ store: Store) async throws {
    let container = try Baskets.container(store)
    let context = container.viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    context.automaticallyMergesChangesFromParent = true
    basket.setValue("mine", forKey: "note")
    let id = items[1].objectID
    try await container.performBackgroundTask { other in
      try other.existingObject(with: id).setValue(60, forKey: "price")
      try other.save()
    }
    try await eventually { basket.number("total") == 160 }
    #expect(basket.text("note") == "mine" && Set(basket.changedValues().keys) == ["note"])
    try context.save()
    #expect(basket.number("total") == 160)
  }

  @Test(arguments: Baskets.stores, [false, true])
  func `merging a notification shows new derived values`(_ store: Store, ofIDs: Bool) throws {
    let container = try Baskets.container(store)
    let context = container.viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    let other = container.newBackgroundContext()
    let name: Notification.Name = ofIDs ? .NSManagedObjectContextDidSaveObjectIDs : .NSManagedObjectContextDidSave
    nonisolated(unsafe) var saved: Notification?
    let observer = NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    let ids = items.map(\.objectID)
    try other.performAndWait {
      try other.existingObject(with: ids[1]).setValue(60, forKey: "price")
      try other.existingObject(with: ids[0]).object("basket")?.setValue("b", forKey: "name")
      try other.save()
    }
    context.mergeChanges(fromContextDidSave: try #require(saved))
    #expect(basket.number("total") == 160)
    #expect(items.allSatisfy { $0.text("basketName") == "b" && $0.number("basketTotal") == 160 })
    try other.performAndWait {
      other.delete(try other.existingObject(with: ids[1]))
      try other.save()
    }
    context.mergeChanges(fromContextDidSave: try #require(saved))
    #expect(basket.number("total") == 100 && basket.number("count") == 1)
  }

  @Test(arguments: Baskets.stores)
  func `the history brings new derived values to other coordinators`(_ store: Store) async throws {
    let url = try store.url("Baskets")
    let (near, far) = (try Baskets.container(store, at: url), try Baskets.container(store, at: url))
    let (_, items) = try near.viewContext.basket("a", [100, 12])
    let context = far.viewContext
    context.automaticallyMergesChangesFromParent = true
    let basket = try #require(try context.fetch("Basket").first)
    let held = try context.fetch("Item")
    #expect(basket.number("total") == 112 && held.allSatisfy { $0.number("basketTotal") == 112 })
    items[1].setValue(60, forKey: "price")
    items[0].object("basket")?.setValue("b", forKey: "name")
    try near.viewContext.save()
    try await eventually {
      basket.number("total") == 160
        && held.allSatisfy { $0.number("basketTotal") == 160 && $0.text("basketName") == "b" }
    }
    try near.viewContext.execute(NSBatchDeleteRequest(objectIDs: [items[1].objectID]))
    try await eventually { basket.number("total") == 100 && basket.number("count") == 1 }
  }

  @Test(arguments: Baskets.stores)
  func `merging batch requests shows new derived values`(_ store: Store) async throws {
    let container = try Baskets.container(store)
    let context = container.viewContext
    let (basket, items) = try context.basket("a", [100, 12])
    let writer = container.newBackgroundContext()
    let update = NSBatchUpdateRequest(entityName: "Item")
    (update.propertiesToUpdate, update.resultType) = (["price": 7], .updatedObjectIDsResultType)
    let updated = (try context.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: updated ?? []], into: [context])
    #expect(basket.number("total") == 14 && items[0].number("basketTotal") == 14)
    context.automaticallyMergesChangesFromParent = true
    let id = items[1].objectID
    try await writer.perform { _ = try writer.execute(NSBatchDeleteRequest(objectIDs: [id])) }
    try await eventually { basket.number("total") == 7 && basket.number("count") == 1 }
    try await writer.perform {
      let rename = NSBatchUpdateRequest(entityName: "Basket")
      rename.propertiesToUpdate = ["name": "renamed"]
      _ = try writer.execute(rename)
    }
    try await eventually { items[0].text("basketName") == "renamed" }
  }

  @Test(arguments: Baskets.stores)
  func `a child context shows derived values that its parent's save changes`(_ store: Store) async throws {
    let parent = try Baskets.container(store).viewContext
    let (_, items) = try parent.basket("a", [100, 12])
    let child = parent.child(.privateQueueConcurrencyType)
    child.automaticallyMergesChangesFromParent = true
    let ids = items.map(\.objectID)
    nonisolated(unsafe) var held: [NSManagedObject] = []
    try await child.perform {
      held = try ids.map(child.existingObject) + [try #require(child.existingObject(with: ids[0]).object("basket"))]
      #expect(held[2].number("total") == 112)
      held[1].setValue(60, forKey: "price")
      try child.save()
    }
    try parent.save()
    #expect(items[0].object("basket")?.number("total") == 160)
    try await eventually {
      await child.perform { held[2].number("total") == 160 && held[0].number("basketTotal") == 160 }
    }
  }
}
