import CoreData
import Foundation
import StrataTestSupport
import Testing

/// One thread releases contexts while another has their coordinator go through its contexts.
@Suite struct EndingContextTests {
  /// Creates and releases contexts whose objects stay alive, until `look` was called `count` times. Each call has the
  /// coordinator go through its contexts: if it retains one, it may release the last reference.
  private func endContexts(
    of container: NSPersistentContainer, keeping id: NSManagedObjectID, during count: Int,
    _ look: @escaping (_ number: Int) throws -> Void
  ) async throws {
    let isOver = Flag()
    let ending = Task {
      await onOwnThread {
        while !isOver.isSet {
          var contexts = (0..<20).map { _ in container.newBackgroundContext() }
          let objects = contexts.map { context in
            context.automaticallyMergesChangesFromParent = true
            return context.performAndWait { context.object(with: id) }
          }
          contexts.removeAll()
          withExtendedLifetime(objects) {}
        }
      }
    }
    nonisolated(unsafe) let look = look
    let result = await onOwnThread { Result { for number in 0..<count { try look(number) } } }
    isOver.set()
    await ending.value
    try result.get()
  }

  @Test(arguments: Store.allCases)
  func `a context can be released while another is created`(_ store: Store) async throws {
    let (container, ids) = try await store.quakeIDs()
    try await endContexts(of: container, keeping: ids[0], during: 2_000) { _ in
      _ = container.newBackgroundContext()
    }
  }

  @Test(arguments: Store.allCases)
  func `a context can be released while another saves`(_ store: Store) async throws {
    let (container, ids) = try await store.quakeIDs()
    let writer = container.newBackgroundContext()
    try await endContexts(of: container, keeping: ids[0], during: 100) { number in
      try writer.performAndWait {
        writer.object(with: ids[0]).setValue("place \(number)", forKey: "place")
        try writer.save()
      }
    }
  }
}

/// Set once, by any thread.
private final class Flag: @unchecked Sendable {
  // Sendable: the value is used under the lock.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

extension Store {
  /// A container with the quakes of `quakes()`, for tests that are not on the main actor.
  fileprivate func quakeIDs() async throws -> (NSPersistentContainer, [NSManagedObjectID]) {
    try await MainActor.run {
      let (container, quakes) = try quakes()
      return (container, quakes.map(\.objectID))
    }
  }
}
