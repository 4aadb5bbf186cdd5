import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Common uses of queues, IDs and notifications.
@Suite struct QueueUsageTests {
  @Test func `performAndWait can be used as a function value`() throws {
    let container = try Store.memory.container()
    let (context, coordinator) = (container.newBackgroundContext(), container.persistentStoreCoordinator)
    let forms: [(() -> Void) -> Void] = [context.performAndWait, coordinator.performAndWait]
    var runs = 0
    for form in forms { form { runs += 1 } }
    #expect(runs == 2)
    let count: Int = context.performAndWait { runs }
    let next = coordinator.performAndWait { count + 1 }
    #expect(count == 2 && next == 3)
    #expect(throws: CocoaError.self) { try context.performAndWait { throw CocoaError(.fileNoSuchFile) } }
    try context.performAndWait {
      _ = context.insert("Quake")
      try context.save()
    }
  }

  @Test func `an ID without an object equals only itself`() throws {
    let (id, other) = (NSManagedObjectID(), NSManagedObjectID())
    #expect(id == id && id != other && Set([id, other]).count == 2)
    #expect(id.isTemporaryID && id.persistentStore == nil && id.entity.name == nil && !id.description.isEmpty)
    let context = try Store.memory.container().newBackgroundContext()
    let child = context.child(.privateQueueConcurrencyType)
    for context in [context, child] {
      context.performAndWait {
        #expect(context.registeredObject(for: id) == nil)
        #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
      }
    }
  }

  /// Leak checks in programs run immediately after the last block.
  @Test(arguments: 0..<4)
  func `a block is released before performAndWait returns`(_ form: Int) async throws {
    final class Captured: Sendable {}
    let container = try Store.memory.container()
    let (context, coordinator) = (container.newBackgroundContext(), container.persistentStoreCoordinator)
    let child = container.viewContext.child(.privateQueueConcurrencyType)
    var alive = 0
    for _ in 0..<200 {
      weak var observed: Captured?
      do {
        let captured = Captured()
        observed = captured
        switch form {
        case 0: await context.perform { withExtendedLifetime(captured) {} }
        case 1: await child.perform { withExtendedLifetime(captured) {} }
        case 2: await coordinator.perform { withExtendedLifetime(captured) {} }
        default: await container.performBackgroundTask { _ in withExtendedLifetime(captured) {} }
        }
      }
      if observed != nil { alive += 1 }
    }
    #expect(alive == 0)
  }

  // MARK: Notifications as an asynchronous sequence

  private static let name = Notification.Name("QueueFormTests")

  @Test func `notifications are available as an asynchronous sequence`() async throws {
    let context = try Store.memory.container().newBackgroundContext()
    let notes = NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context)
    var iterator = notes.makeAsyncIterator()
    for code in ["a", "b"] {
      try await context.perform {
        _ = context.insert("Quake", ["code": code])
        try context.save()
      }
    }
    // Notifications posted since the iterator was created are buffered.
    for _ in 0..<2 {
      let note = await iterator.next()
      #expect(note?.object as? NSManagedObjectContext === context)
      #expect((note?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
    }
  }

  @Test func `a sequence receives notifications of one name and one object`() async {
    let (center, mine, other) = (NotificationCenter(), Sender(), Sender())
    var (all, own) = (
      center.notifications(named: Self.name).makeAsyncIterator(),
      center.notifications(named: Self.name, object: mine).makeAsyncIterator()
    )
    center.post(name: Notification.Name("else"), object: mine)
    for (number, sender) in [other, mine].enumerated() {
      center.post(name: Self.name, object: sender, userInfo: ["number": number])
    }
    var received: [Int?] = []
    for _ in 0..<2 { received.append(await all.next()?.userInfo?["number"] as? Int) }
    received.append(await own.next()?.userInfo?["number"] as? Int)
    #expect(received == [0, 1, 1])
  }

  @Test @MainActor func `canceling its task ends a notification sequence`() async {
    let center = NotificationCenter()
    let begun = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for await _ in center.notifications(named: Self.name) {
        count += 1
        begun.continuation.yield()
      }
      return count
    }
    let post = Task {
      while !Task.isCancelled {
        center.post(name: Self.name, object: nil)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    #expect(await task.value > 0)
    post.cancel()
  }

  private final class Sender: Sendable {}
}
