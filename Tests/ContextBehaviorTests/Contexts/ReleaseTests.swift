import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// An object that calls a closure in its deinitializer.
final class ReleasedNode: NSManagedObject {
  var whenReleased: (() -> Void)?

  deinit { whenReleased?() }
}

/// Deinitializers of objects that use the context.
@Suite struct ReleaseTests {
  private static let model = makeModel(makeEntity("Node", of: ReleasedNode.self, [attribute("name")]))
    .relate("Node", "next", .one, "Node", "previous", .one)

  private func coordinator(_ store: Store) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try coordinator.addPersistentStore(type: .init(rawValue: store.rawValue), at: store.url("Nodes"))
    return coordinator
  }

  private func insert(_ count: Int, in context: NSManagedObjectContext) throws -> [ReleasedNode] {
    try (0..<count).map { try #require(context.insert("Node", ["name": "\($0)"]) as? ReleasedNode) }
  }

  @Test(arguments: Store.every)
  func `a deinitializer can use the context at the end of a block`(_ store: Store) throws {
    let coordinator = try coordinator(store)
    // More objects than the context retains until the end of a block.
    let count = 600
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = coordinator
    let ids = try writer.performAndWait {
      let nodes = try insert(2 * count, in: writer)
      for index in 0..<count { nodes[index].setValue(nodes[count + index], forKey: "next") }
      try writer.save()
      return nodes.prefix(count).map(\.objectID)
    }
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    var names: [String] = []
    let owners = try reader.performAndWait {
      let owners = try ids.map { try reader.existingObject(with: $0) }
      for (index, owner) in owners.enumerated() {
        let next = try #require(owner.object("next") as? ReleasedNode)
        // In most cases, the relationship leads to an object that has been released.
        next.whenReleased = { names.append(owners[count - 1 - index].object("next")?.text("name") ?? "nil") }
      }
      return owners
    }
    #expect(names.count >= count)
    reader.performAndWait {
      #expect(owners.map { $0.object("next")?.text("name") } == (0..<count).map { "\(count + $0)" })
    }
  }

  @Test(arguments: Store.every)
  func `a deinitializer can change objects after a save`(_ store: Store) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = try coordinator(store)
    try context.performAndWait {
      let remaining = try insert(100, in: context)
      try context.save()
      var next = remaining[...]
      for node in try insert(100, in: context) {
        node.whenReleased = { next.popFirst()?.setValue("changed", forKey: "name") }
      }
      try context.save()
      #expect(context.updatedObjects == Set(remaining))
      try context.save()
      #expect(!context.hasChanges)
      #expect(try context.fetch("Node").filter { $0.text("name") == "changed" }.count == 100)
    }
  }

  @Test(arguments: Store.allCases)
  func `a deinitializer can change objects while a store is removed`(_ store: Store) throws {
    let coordinator = try coordinator(store)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let first = coordinator.persistentStores[0]
    let second = try coordinator.addPersistentStore(
      type: .init(rawValue: store.rawValue), at: store.url("More nodes"))
    let remaining = try context.performAndWait {
      let (leaving, remaining) = (try insert(100, in: context), try insert(100, in: context))
      for node in leaving { context.assign(node, to: first) }
      for node in remaining { context.assign(node, to: second) }
      try context.save()
      var next = remaining[...]
      for node in leaving {
        node.setValue("changed", forKey: "name")
        node.whenReleased = { next.popFirst()?.setValue("changed", forKey: "name") }
      }
      return remaining
    }
    try coordinator.remove(first)
    try context.performAndWait {
      #expect(context.updatedObjects == Set(remaining))
      try context.save()
      #expect(try context.fetch("Node").filter { $0.text("name") == "changed" }.count == 100)
    }
  }
}
