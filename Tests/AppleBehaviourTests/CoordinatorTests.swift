import CoreData
import Foundation
import Synchronization
import Testing

/// What a coordinator does besides being asked by its contexts.
@Suite struct CoordinatorTests {
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    try Store.sqlite.container().persistentStoreCoordinator
  }

  @Test func blocksRunOneAtATimeAndMayNest() async throws {
    let coordinator = try coordinator()
    let running = Running()
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask { await coordinator.perform { running.alone { coordinator.performAndWait { number } } } }
      }
      return await group.reduce(0, +)
    }
    #expect(numbers == 190)
    await #expect(throws: CocoaError.self) { try await coordinator.perform { throw CocoaError(.coreData) } }
    #expect(throws: CocoaError.self) { try coordinator.performAndWait { throw CocoaError(.coreData) } }
  }

  @available(*, deprecated)
  @Test func theOldLocksKeepOutWhoAsksForThem() throws {
    let coordinator = try coordinator()
    let context = NSManagedObjectContext(.privateQueue)
    for lock in [coordinator as any NSLocking, context] {
      lock.lock()
      lock.lock()
      nonisolated(unsafe) let tried = lock
      let isFree = Mutex(true)
      let thread = Thread {
        let free = (tried as? NSPersistentStoreCoordinator)?.tryLock() ?? (tried as? NSManagedObjectContext)?.tryLock()
        isFree.withLock { $0 = free ?? true }
      }
      thread.start()
      while !thread.isFinished { usleep(100) }
      #expect(!isFree.withLock { $0 })
      lock.unlock()
      lock.unlock()
    }
  }

  @Test func idsComeBackFromTheTextOfTheirURIs() throws {
    let container = try Store.sqlite.container()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = context.insert("Quake")
      try context.save()
      let coordinator = container.persistentStoreCoordinator
      #expect(coordinator.managedObjectID(for: quake.objectID.uriRepresentation().absoluteString) == quake.objectID)
      #expect(coordinator.managedObjectID(for: "x-coredata://\(UUID().uuidString)/Quake/p1") == nil)
      #expect(coordinator.managedObjectID(for: "no URI at all") == nil)
      #expect(coordinator.managedObjectID(for: "") == nil)
    }
  }

  @Test(arguments: Store.allCases)
  func objectsAndIDsAreArgumentsOfPredicates(_ store: Store) throws {
    let context = try store.container().newBackgroundContext()
    try context.performAndWait {
      let tonga = context.insert("Region", ["name": "Tonga"])
      _ = context.insert("Quake", ["code": "a", "region": tonga])
      _ = context.insert("Quake", ["code": "b", "region": context.insert("Region")])
      try context.save()
      for argument in [tonga, tonga.objectID] as [any CVarArg] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
        request.predicate = NSPredicate(format: "region == %@", argument)
        #expect(try context.fetch(request).map { $0.value(forKey: "code") as? String } == ["a"])
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.predicate = NSPredicate(format: "region IN %@ AND code != %@", [tonga] as CVarArg, "z" as CVarArg)
      #expect(try context.count(for: request) == 1)
    }
  }
}

private final class Running: Sendable {
  private let count = Atomic(0)

  func alone<T>(_ body: () -> T) -> T {
    #expect(count.add(1, ordering: .relaxed).newValue == 1)
    usleep(100)
    defer { #expect(count.subtract(1, ordering: .relaxed).newValue == 0) }
    return body()
  }
}
