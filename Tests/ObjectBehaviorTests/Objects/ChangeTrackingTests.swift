import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct ChangeTrackingTests {
  private func members(_ info: [AnyHashable: Any], _ key: String) -> Set<NSManagedObject>? {
    info[key] as? Set<NSManagedObject>
  }

  @Test(arguments: Store.every)
  func `changes of an event are posted together without empty sets`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (kept, gone) = (context.insert("Person"), context.insert("Person"))
    try context.save()
    var new: NSManagedObject?
    var posted = context.changes {
      new = context.insert("Person", ["name": "Ada"])
      context.processPendingChanges()
      context.processPendingChanges()
    }
    #expect(posted.count == 1 && posted[0].count == 1)
    #expect(try members(posted[0], NSInsertedObjectsKey) == [#require(new)])
    posted = context.changes {
      kept.setValue("a", forKey: "name")
      kept.setValue("b", forKey: "name")
      context.delete(gone)
      context.processPendingChanges()
    }
    #expect(posted.count == 1 && Set(posted[0].keys) == [NSUpdatedObjectsKey, NSDeletedObjectsKey])
    #expect(members(posted[0], NSUpdatedObjectsKey) == [kept] && members(posted[0], NSDeletedObjectsKey) == [gone])
    posted = context.changes {
      context.refresh(kept, mergeChanges: true)
      context.processPendingChanges()
    }
    #expect(posted.count == 1 && members(posted[0], NSRefreshedObjectsKey) == [kept])
  }

  @Test(arguments: Store.every)
  func `a retained notification does not change`(_ store: Store) throws {
    let context = try store.people().viewContext
    var objects: [NSManagedObject] = []
    let posted = context.changes {
      for _ in 0..<3 {
        objects.append(context.insert("Person"))
        context.processPendingChanges()
      }
    }
    #expect(posted.map { members($0, NSInsertedObjectsKey) } == objects.map { [$0] })
  }

  @Test(arguments: Store.every)
  func `a change during a notification posts a nested notification`(_ store: Store) throws {
    let context = try store.people().viewContext
    nonisolated(unsafe) var received: [Set<NSManagedObject>?] = []
    nonisolated(unsafe) var isFirst = true
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { note in
      isFirst.toggle()
      if !isFirst {
        _ = context.insert("Person")
        context.processPendingChanges()
      }
      received.append(note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let first = context.insert("Person")
    context.processPendingChanges()
    // The inner block ends first.
    #expect(received.count == 2 && received[1] == [first])
    #expect(received[0]?.count == 1 && received[0]?.contains(first) == false)
  }

  @Test(arguments: Store.every)
  func `a fetch sees the changes of the event without ending it`(_ store: Store) throws {
    let context = try store.people().viewContext
    let old = context.insert("Person", ["name": "old"])
    _ = context.insert("Pet", ["owner": old])
    try context.save()
    nonisolated(unsafe) var received: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { received.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let first = context.insert("Person", ["name": "first"])
    #expect(try context.fetch("Person").count == 2)
    context.delete(old)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Pet")
    request.predicate = NSPredicate(format: "owner == nil")
    let free = try context.count(for: request) + context.fetch("Pet").count
    #expect(try context.fetch("Person") == [first] && received.isEmpty)
    let second = context.insert("Person", ["name": "second"])
    try context.save()
    #expect(received.count == 1 && received[0][NSInsertedObjectsKey] as? Set<NSManagedObject> == [first, second])
    #expect((received[0][NSDeletedObjectsKey] as? Set<NSManagedObject>)?.contains(old) == true)
    #expect(free == 2, "The delete rule was applied.")
  }

  @Test(arguments: Store.every)
  func `notifications do not retain objects`(_ store: Store) throws {
    let context = try store.people().newBackgroundContext()
    weak var person: NSManagedObject?
    try context.performAndWait {
      person = context.insert("Person")
      try context.save()
    }
    #expect(person == nil)
    context.performAndWait { #expect(context.registeredObjects.isEmpty) }
  }

  @Test(arguments: Store.every)
  func `no notification is posted without changes`(_ store: Store) throws {
    let container = try store.people()
    _ = container.viewContext.insert("Person")
    try container.viewContext.save()
    let context = container.persistentStoreCoordinator.context()
    let posted = try context.changes {
      _ = try context.fetch("Person").map { $0.value(forKey: "name") }
      context.processPendingChanges()
      try context.save()
    }
    #expect(posted.isEmpty)
  }

  @Test(arguments: Store.every)
  func `the change sets are updated immediately`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (changed, gone) = (context.insert("Person"), context.insert("Person"))
    #expect(context.insertedObjects == [changed, gone])
    try context.save()
    changed.setValue(1, forKey: "age")
    context.delete(gone)
    #expect(context.updatedObjects == [changed] && context.deletedObjects == [gone] && context.insertedObjects.isEmpty)
  }

  @Test(arguments: Store.every)
  func `perform ends the event, and performAndWait does not`(_ store: Store) async throws {
    let context = try store.people().newBackgroundContext()
    let posted = NotificationCounter(of: context)
    context.performAndWait { _ = context.insert("Person") }
    #expect(posted.count == 0)
    context.performAndWait { context.processPendingChanges() }
    #expect(posted.count == 1)
    await context.perform { _ = context.insert("Person") }
    #expect(posted.count == 2)
    later(context) { _ = context.insert("Person") }
    await context.perform(schedule: .enqueued) {}
    #expect(posted.count == 3)
    context.performAndWait { context.performAndWait { _ = context.insert("Person") } }
    #expect(posted.count == 3)
  }

  /// The overload of `perform` that does not wait.
  private func later(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) { context.perform(block) }

  @Test(arguments: Store.every)
  func `the main queue ends the event automatically`(_ store: Store) async throws {
    let context = try store.people().viewContext
    let posted = NotificationCounter(of: context)
    _ = context.insert("Person")
    #expect(posted.count == 0)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(posted.count == 1)
  }

  @Test(arguments: Store.every)
  func `the will-save notification follows willSave and has no user info`(_ store: Store) throws {
    let context = try store.people().viewContext
    context.startLog()
    nonisolated(unsafe) var found: [String] = []
    let observers = [NSNotification.Name.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
        let keys = note.userInfo?.keys.map { "\($0)" }.sorted() ?? []
        found += context.takeLog() + ["\(keys)"]
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    _ = context.insert("Person")
    _ = context.takeLog()
    try context.save()
    #expect(found == ["Person willSave", "[]", "Person didSave", "[\"inserted\", \"managedObjectContext\"]"])
  }
}

/// Counts a context's ObjectsDidChange notifications.
private final class NotificationCounter: @unchecked Sendable {
  // @unchecked: the count is locked.
  private let lock = NSLock()
  private var number = 0
  private var observer: (any NSObjectProtocol)?

  var count: Int { lock.withLock { number } }

  init(of context: NSManagedObjectContext) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [weak self] _ in self?.add() }
  }

  private func add() { lock.withLock { number += 1 } }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
