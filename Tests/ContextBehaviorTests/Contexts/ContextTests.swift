import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct ContextTests {
  @Test(arguments: Store.every)
  func `a child sees changes of its parent and saves into it`(_ store: Store) throws {
    let container = try store.container()
    let parent = container.newBackgroundContext()
    let child = parent.child(.privateQueueConcurrencyType)
    parent.performAndWait { _ = parent.insert("Region", ["name": "Tonga"]) }
    try child.performAndWait {
      let region = try #require(try child.fetch("Region", "name == 'Tonga'").first)
      #expect(region.objectID.isTemporaryID)
      _ = child.insert("Quake", ["code": "x", "region": region])
      region.setValue("Tonga Trench", forKey: "name")
      try child.save()
    }
    try parent.performAndWait {
      let quake = try #require(try parent.fetch("Quake").first)
      #expect(quake.isInserted && quake.value(forKeyPath: "region.name") as? String == "Tonga Trench")
      try parent.save()
    }
    let reader = container.newBackgroundContext()
    try reader.performAndWait {
      let quake = try #require(try reader.fetch("Quake").first)
      #expect(quake.value(forKeyPath: "region.name") as? String == "Tonga Trench")
    }
    try child.performAndWait {
      let quake = try #require(try child.fetch("Quake").first)
      quake.setValue(7.0, forKey: "magnitude")
      child.delete(try #require(quake.value(forKey: "region") as? NSManagedObject))
      try child.save()
    }
    parent.performAndWait { #expect(parent.deletedObjects.count == 2) }
  }

  @Test(arguments: Store.every)
  func `a child can fetch and save inside a block of its parent`(_ store: Store) throws {
    let parent = try store.container().newBackgroundContext()
    let child = parent.child(.privateQueueConcurrencyType)
    try parent.performAndWait {
      _ = parent.insert("Region", ["name": "Tonga"])
      try child.performAndWait {
        let region = try #require(try child.fetch("Region").first)
        region.setValue("Chile", forKey: "name")
        try child.save()
      }
      let names = try parent.fetch("Region").map { $0.value(forKey: "name") as? String }
      #expect(names == ["Chile"])
    }
  }

  @Test(arguments: Store.every)
  func `the did-save notification carries the saved objects`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let kept = context.insert("Quake", ["code": "kept"])
    let gone = context.insert("Quake", ["code": "gone"])
    try context.save()
    nonisolated(unsafe) var saves: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { saves.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let new = context.insert("Quake", ["code": "new"])
    kept.setValue(3.0, forKey: "magnitude")
    context.delete(gone)
    try context.save()
    let info = try #require(saves.first)
    #expect(saves.count == 1)
    #expect(info[NSInsertedObjectsKey] as? Set<NSManagedObject> == [new])
    #expect(info[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [kept])
    #expect(info[NSDeletedObjectsKey] as? Set<NSManagedObject> == [gone])
  }

  @Test(arguments: Store.every)
  func `merging a save keeps unsaved edits`(_ store: Store) throws {
    let container = try store.container()
    let (mine, other) = (container.viewContext, container.newBackgroundContext())
    let quake = mine.insert("Quake", ["code": "a", "place": "old", "magnitude": 1.0])
    let doomed = mine.insert("Quake", ["code": "b"])
    try mine.save()
    quake.setValue("mine", forKey: "place")
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { note in mine.mergeChanges(fromContextDidSave: note) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try other.existingObject(with: quake.objectID).setValue(2.0, forKey: "magnitude")
      other.delete(try other.existingObject(with: doomed.objectID))
      try other.save()
    }
    #expect(quake.value(forKey: "place") as? String == "mine")
    #expect(quake.value(forKey: "magnitude") as? Double == 2.0)
    #expect(doomed.isDeleted)
    try mine.save()
    #expect(doomed.managedObjectContext == nil)
  }

  @Test(arguments: Store.every, [false, true])
  func `a context automatically merges saves through its coordinator`(_ store: Store, history: Bool) async throws {
    let container = try store.container(history: history)
    let reader = container.newBackgroundContext()
    reader.automaticallyMergesChangesFromParent = true
    let writer = container.newBackgroundContext()
    let id = try await writer.perform {
      let quake = writer.insert("Quake", ["code": "a", "magnitude": 1.0])
      try writer.save()
      return quake.objectID
    }
    let quake = try await reader.perform { [unowned reader] in
      nonisolated(unsafe) let quake = try reader.existingObject(with: id)
      return quake
    }
    try await writer.perform {
      try writer.existingObject(with: id).setValue(2.0, forKey: "magnitude")
      try writer.save()
    }
    let magnitude = await reader.perform(schedule: .enqueued) { quake.value(forKey: "magnitude") as? Double }
    #expect(magnitude == 2.0)
  }

  @Test(arguments: Store.every)
  func `concurrent background saves lose nothing`(_ store: Store) async throws {
    let container = try store.container(history: true)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            await container.performBackgroundTask { context in
              _ = context.insert("Quake", ["code": "\(writer)-\(number)"])
              do { try context.save() } catch { Issue.record(error) }
            }
          }
        }
      }
    }
    let count = try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake"))
    #expect(count == 100)
  }

  @available(*, deprecated)
  @Test func `a context made without a queue has the main queue on the main thread`() async {
    #expect(NSManagedObjectContext().concurrencyType == .mainQueueConcurrencyType)
    await Task.detached { #expect(NSManagedObjectContext().concurrencyType == .privateQueueConcurrencyType) }.value
  }
}
