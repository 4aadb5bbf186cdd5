import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Merges and notifications of batch requests.
@MainActor @Suite struct BatchMergeTests {
  @Test(arguments: Store.allCases, [false, true])
  func `contexts with automatic merging see batch requests`(in store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let (automaticContext, manualContext) = (container.newBackgroundContext(), container.newBackgroundContext())
    automaticContext.automaticallyMergesChangesFromParent = true
    manualContext.automaticallyMergesChangesFromParent = false
    let writer = container.newBackgroundContext()
    let ids = try await writer.perform {
      let request = NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a"], ["code": "b"]])
      request.resultType = .objectIDs
      return (try writer.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID] ?? []
    }
    // Objects that are not held would be read again.
    nonisolated(unsafe) var held: [NSManagedObject] = []
    for context in [automaticContext, manualContext] {
      try await context.perform {
        for id in ids {
          let object = try context.existingObject(with: id)
          #expect(object.value(forKey: "place") == nil)
          held.append(object)
        }
      }
    }
    try await writer.perform {
      let update = NSBatchUpdateRequest(entityName: "Quake")
      update.propertiesToUpdate = ["place": "moved"]
      _ = try writer.execute(update)
    }
    #expect(await automaticContext.place(of: ids[0]) == "moved")
    #expect(await manualContext.place(of: ids[0]) == nil)
    try await writer.perform { _ = try writer.execute(NSBatchDeleteRequest(objectIDs: [ids[0]])) }
    await automaticContext.perform { #expect(held[0].managedObjectContext == nil || held[0].isDeleted) }
    await manualContext.perform { #expect(held[2].managedObjectContext === manualContext && !held[2].isDeleted) }
    withExtendedLifetime(held) {}
  }

  @Test(arguments: Store.allCases)
  func `a batch insert posts no notifications in its own context`(in store: Store) throws {
    let context = try store.container().viewContext
    context.automaticallyMergesChangesFromParent = false
    nonisolated(unsafe) var count = 0
    let names: [Notification.Name] = [
      .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
    ]
    let watches = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in count += 1 }
    }
    _ = try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "a"]]))
    for watch in watches { NotificationCenter.default.removeObserver(watch) }
    #expect(count == 0)
    #expect(!context.hasChanges)
  }
}

extension NSManagedObjectContext {
  /// The context's value, without reading from the store.
  fileprivate func place(of id: NSManagedObjectID) async -> String? {
    await perform { self.object(with: id).value(forKey: "place") as? String }
  }
}
