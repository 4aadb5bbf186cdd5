import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Common ways of using queues, ids and notifications.
@Suite struct QueueFormTests {
  @Test func performAndWaitIsAPlainFunctionToo() throws {
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

  @Test func anIDOfNothingIsEqualToItselfAlone() throws {
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

  /// Programs that look for leaks do it at once after the last block.
  @Test(arguments: 0..<4)
  func `a block is released before performAndWait returns`(_ form: Int) async throws {
    final class Captured: Sendable {}
    let container = try Store.memory.container()
    let (context, coordinator) = (container.newBackgroundContext(), container.persistentStoreCoordinator)
    let child = container.viewContext.child(.privateQueueConcurrencyType)
    var alive = 0
    for _ in 0..<200 {
      weak var seen: Captured?
      do {
        let captured = Captured()
        seen = captured
        switch form {
        case 0: await context.perform { withExtendedLifetime(captured) {} }
        case 1: await child.perform { withExtendedLifetime(captured) {} }
        case 2: await coordinator.perform { withExtendedLifetime(captured) {} }
        default: await container.performBackgroundTask { _ in withExtendedLifetime(captured) {} }
        }
      }
      if seen != nil { alive += 1 }
    }
    #expect(alive == 0)
  }

  // MARK: Notifications as an asynchronous sequence

  private static let name = Notification.Name("QueueFormTests")

  @Test func notificationsComeAsASequence() async throws {
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
    var heard: [Int?] = []
    for _ in 0..<2 { heard.append(await all.next()?.userInfo?["number"] as? Int) }
    heard.append(await own.next()?.userInfo?["number"] as? Int)
    #expect(heard == [0, 1, 1])
  }

  @Test @MainActor func sequenceEndsWithItsTask() async {
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
