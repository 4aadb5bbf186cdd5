import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Releases of contexts on one thread while their coordinator visits its contexts on another.
@Suite struct ContextReleaseTests {
  /// Creates and releases contexts whose objects stay alive, until `operation` was called `count` times. Each call makes
  /// the coordinator visit its contexts: if it retains one, it may release the last reference.
  private func releaseContexts(
    of container: NSPersistentContainer, keeping id: NSManagedObjectID, during count: Int,
    _ operation: @escaping @Sendable (_ number: Int) throws -> Void
  ) async throws {
    let isFinished = Flag()
    let releaseTask = Task {
      await onOwnThread {
        while !isFinished.isSet.load(ordering: .acquiring) {
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
    let result = await onOwnThread { Result { for number in 0..<count { try operation(number) } } }
    isFinished.isSet.store(true, ordering: .releasing)
    await releaseTask.value
    try result.get()
  }

  @Test(arguments: Store.allCases)
  func `a context can be released while another is created`(_ store: Store) async throws {
    let (container, ids) = try await store.quakeIDs()
    try await releaseContexts(of: container, keeping: ids[0], during: 2_000) { _ in
      _ = container.newBackgroundContext()
    }
  }

  @Test(arguments: Store.allCases)
  func `a context can be released while another saves`(_ store: Store) async throws {
    let (container, ids) = try await store.quakeIDs()
    let (writer, reader) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    nonisolated(unsafe) let quake = try reader.performAndWait { try reader.existingObject(with: ids[0]) }
    try await releaseContexts(of: container, keeping: ids[0], during: 100) { number in
      try writer.performAndWait {
        writer.object(with: ids[0]).setValue("place \(number)", forKey: "place")
        try writer.save()
      }
    }
    try await eventually { reader.performAndWait { quake.value(forKey: "place") as? String == "place 99" } }
  }
}

/// Set once, by any thread.
private final class Flag: Sendable {
  let isSet = Atomic(false)
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
