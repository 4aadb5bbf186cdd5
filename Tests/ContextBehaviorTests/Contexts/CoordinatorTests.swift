import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Blocks, locks and IDs of a coordinator.
@Suite struct CoordinatorTests {
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    try Store.sqlite.container().persistentStoreCoordinator
  }

  @Test func `blocks run one at a time and can be nested`() async throws {
    let coordinator = try coordinator()
    let check = ExclusionCheck()
    let numbers = await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask { await coordinator.perform { check.runExclusively { coordinator.performAndWait { number } } } }
      }
      return await group.reduce(0, +)
    }
    #expect(numbers == 190)
    await #expect(throws: CocoaError.self) { try await coordinator.perform { throw CocoaError(.coreData) } }
    #expect(throws: CocoaError.self) { try coordinator.performAndWait { throw CocoaError(.coreData) } }
  }

  @available(*, deprecated)
  @Test func `a deprecated lock can be nested and excludes other threads`() throws {
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

  @Test func `stores and IDs do not retain their coordinator`() throws {
    var container: NSPersistentContainer? = try Store.sqlite.people()
    let store = try #require(container?.persistentStoreCoordinator.persistentStores.first)
    let ids = try idsOfPeople(in: container)
    #expect(store.persistentStoreCoordinator === container?.persistentStoreCoordinator)
    #expect(ids.allSatisfy { $0.persistentStore === store })
    container = nil
    #expect(store.persistentStoreCoordinator == nil)
    #expect(ids.map(\.entity.name) == ["Person", "Employee", "Employee", "Person"])
  }

  @Test func `IDs of many stores are created and released on many threads`() throws {
    let kept = Mutex<[NSManagedObjectID]>([])
    DispatchQueue.concurrentPerform(iterations: 24) { number in
      do {
        let ids = try idsOfPeople(in: Store.memory.people())
        if number.isMultiple(of: 3) { kept.withLock { $0 += ids } }
      } catch {
        Issue.record(error)
      }
    }
    let ids = kept.withLock { $0 }
    #expect(ids.count == 32 && Set(ids).count == 32 && Set(ids.map { $0.uriRepresentation() }).count == 32)
    #expect(ids.count { $0.entity.name == "Employee" } == 16)
    #expect(ids.allSatisfy { !$0.isTemporaryID && $0.persistentStore == nil })
  }

  /// An entity's last ID may be freed while the next is created.
  @Test func `IDs can be created while others are freed`() throws {
    let container = try Store.memory.people()
    let url = try #require(try idsOfPeople(in: container).first?.uriRepresentation())
    let coordinator = container.persistentStoreCoordinator
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<300 { #expect(coordinator.managedObjectID(forURIRepresentation: url)?.entity.name == "Person") }
    }
  }

  /// The IDs of objects of two entities, alternating.
  private func idsOfPeople(in container: NSPersistentContainer?) throws -> [NSManagedObjectID] {
    let context = try #require(container?.newBackgroundContext())
    return try context.performAndWait {
      for entity in ["Person", "Employee", "Employee", "Person"] {
        _ = context.insert(entity)
        try context.save()
      }
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      request.resultType = .managedObjectIDResultType
      let ids = try context.fetch(request)
      #expect(try ids.map { try context.existingObject(with: $0).entity } == ids.map(\.entity))
      return ids
    }
  }

  @Test func `an ID can be restored from its URI string`() throws {
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
  func `predicates accept objects and IDs as arguments`(_ store: Store) throws {
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

private final class ExclusionCheck: Sendable {
  private let count = Atomic(0)

  func runExclusively<T>(_ body: () -> T) -> T {
    #expect(count.add(1, ordering: .relaxed).newValue == 1)
    usleep(100)
    defer { #expect(count.subtract(1, ordering: .relaxed).newValue == 0) }
    return body()
  }
}
