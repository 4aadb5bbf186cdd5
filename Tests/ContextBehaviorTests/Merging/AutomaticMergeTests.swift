import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Contexts that automatically merge the saves of others.
@MainActor @Suite struct AutomaticMergeTests {
  private typealias IDs = Set<NSManagedObjectID>

  @Test(arguments: Store.every, [false, true])
  func `a context does not merge its own saves`(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    context.automaticallyMergesChangesFromParent = true
    let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
    try await context.perform { [unowned context] in
      _ = context.insert("Quake", ["code": "own"])
      try context.save()
    }
    try await other.perform { [unowned other] in
      _ = other.insert("Quake", ["code": "other"])
      try other.save()
    }
    try await eventually { notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1 }
    let merge = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)[0]
    #expect((merge[NSInsertedObjectIDsKey] as? IDs)?.count == 1)
  }

  /// The rows of the two coordinators have the same keys.
  @Test(arguments: Store.every)
  func `a context with a new coordinator ignores saves of the previous one`(_ store: Store) async throws {
    let (former, present) = (try store.container(), try store.container())
    for container in [former, present] {
      _ = container.viewContext.insert("Quake", ["code": "1"])
      try container.viewContext.save()
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.automaticallyMergesChangesFromParent = true
    context.persistentStoreCoordinator = former.persistentStoreCoordinator
    context.persistentStoreCoordinator = present.persistentStoreCoordinator
    let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
    let id = try await context.perform { [unowned context] in try context.fetch("Quake")[0].objectID }
    former.viewContext.delete(try former.viewContext.fetch("Quake")[0])
    try former.viewContext.save()
    _ = present.viewContext.insert("Quake", ["code": "2"])
    try present.viewContext.save()
    try await eventually { !notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).isEmpty }
    let merges = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)
    #expect(merges.count == 1 && (merges[0][NSDeletedObjectIDsKey] as? IDs ?? []).isEmpty)
    let count = try await context.perform { [unowned context] in
      #expect(try context.existingObject(with: id).value(forKey: "code") as? String == "1")
      return try context.fetch("Quake").count
    }
    #expect(count == 2)
  }

  @Test func `a context with a new parent ignores saves of the previous one`() async throws {
    let container = try Store.memory.container()
    _ = container.viewContext.insert("Quake", ["code": "1"])
    try container.viewContext.save()
    let (former, present) = (container.newBackgroundContext(), container.newBackgroundContext())
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.automaticallyMergesChangesFromParent = true
    (child.parent, child.parent) = (former, present)
    let notices = Notices(of: child, .NSManagedObjectContextDidMergeChangesObjectIDs)
    for (parent, code) in [(former, "2"), (present, "3")] {
      let sibling = parent.child(.privateQueueConcurrencyType)
      try await sibling.perform { [unowned sibling] in
        if code == "2" { sibling.delete(try sibling.fetch("Quake")[0]) }
        _ = sibling.insert("Quake", ["code": code])
        try sibling.save()
      }
    }
    try await eventually { !notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).isEmpty }
    let merges = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)
    #expect(merges.count == 1 && (merges[0][NSDeletedObjectIDsKey] as? IDs ?? []).isEmpty)
    let codes = try await child.perform { [unowned child] in
      try child.fetch("Quake").compactMap { $0.value(forKey: "code") as? String }.sorted()
    }
    #expect(codes == ["1", "3"])
  }

  @Test(arguments: Store.every, [false, true])
  func `commits are merged in order`(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let reader = container.newBackgroundContext()
    reader.automaticallyMergesChangesFromParent = true
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<10 {
            await container.performBackgroundTask { context in
              let quake = context.insert("Quake", ["code": "\(writer)-\(round)"])
              do {
                try context.save()
                quake.setValue("changed", forKey: "place")
                try context.save()
                guard round % 2 == 0 else { return }
                context.delete(quake)
                try context.save()
              } catch { Issue.record(error) }
            }
          }
        }
      }
    }
    try await eventually {
      await reader.perform { [unowned reader] in
        let known = reader.registeredObjects.filter { !$0.isDeleted }
        return known.allSatisfy { $0.value(forKey: "place") as? String == "changed" }
      }
    }
    let left = try await reader.perform { [unowned reader] in try reader.fetch("Quake").count }
    #expect(left == 20)
  }

  @Test(arguments: Store.every)
  func `children merge the saves of their siblings`(_ store: Store) async throws {
    let (container, quakes) = try store.quakes()
    let parent = container.newBackgroundContext()
    let (first, second) = (
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    (first.parent, second.parent) = (parent, parent)
    second.automaticallyMergesChangesFromParent = true
    let id = quakes[0].objectID
    let known = try await second.perform { [unowned second] in
      nonisolated(unsafe) let object = try second.existingObject(with: id)
      return object
    }
    nonisolated(unsafe) let object = known
    let notices = Notices(of: second, .NSManagedObjectContextDidMergeChangesObjectIDs)
    try await first.perform { [unowned first] in
      try first.existingObject(with: id).setValue("sibling", forKey: "place")
      _ = first.insert("Quake", ["code": "new"])
      try first.save()
    }
    try await eventually { notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1 }
    await second.perform { #expect(object.value(forKey: "place") as? String == "sibling") }
    let new = try await second.perform { [unowned second] in
      nonisolated(unsafe) let object = try #require(try second.fetch("Quake", "code == 'new'").first)
      #expect(object.objectID.isTemporaryID)
      return object
    }
    nonisolated(unsafe) let fresh = new
    try await parent.perform { [unowned parent] in try parent.save() }
    try await eventually { await second.perform { !fresh.objectID.isTemporaryID } }
    let again = try await second.perform { [unowned second] in
      try second.fetch("Quake", "code == 'new'").first === fresh
    }
    #expect(again)
  }

  @Test(arguments: Store.every)
  func `background contexts have a coordinator and no parent`(_ store: Store) async throws {
    let container = try store.container()
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    #expect(first !== second && first.concurrencyType == .privateQueueConcurrencyType)
    #expect(first.parent == nil && first.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(first.undoManager == nil && !first.automaticallyMergesChangesFromParent)
    nonisolated(unsafe) weak var gone: NSManagedObjectContext?
    let count = try await container.performBackgroundTask { context in
      gone = context
      #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator && context.parent == nil)
      _ = context.insert("Quake", ["code": "a"])
      try context.save()
      _ = context.insert("Quake", ["code": "never saved"])
      return try context.fetch("Quake").count
    }
    #expect(count == 2)
    await #expect(throws: CancellationError.self) {
      try await container.performBackgroundTask { _ in throw CancellationError() }
    }
    try await eventually { gone == nil }
    #expect(try container.viewContext.fetch("Quake").count == 1)
    let called = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        continuation.resume(returning: context.concurrencyType == .privateQueueConcurrencyType && !Thread.isMainThread)
      }
    }
    #expect(called)
  }
}
