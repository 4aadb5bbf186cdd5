import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// SQLite stores at `/dev/null`: in memory, but otherwise like any other store.
@Suite struct NullDeviceTests {
  private static let null = URL(fileURLWithPath: "/dev/null")
  private static var devices: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []).filter { $0.hasPrefix("null") }
  }

  /// Returns the URL of an in-memory store with a unique name.
  private static func named() -> URL { URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)") }

  private func container(
    at url: URL, history: Bool = false, _ options: [String: Any] = [:]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "World", managedObjectModel: Quakes.model)
    container.persistentStoreDescriptions.first!.url = url
    let description = container.persistentStoreDescriptions[0]
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    for (key, value) in options { description.setOption(value as? NSObject, forKey: key) }
    try container.load()
    return container
  }

  private func codes(_ container: NSPersistentContainer) throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
        .map { $0.value(forKey: "code") as? String ?? "" }
    }
  }

  private func add(_ code: String, _ values: [String: Any] = [:], to container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      _ = context.insert("Quake", values.merging(["code": code]) { _, code in code })
      try context.save()
    }
  }

  @Test func `a new description is for an in-memory SQLite store`() throws {
    let description = NSPersistentStoreDescription()
    #expect(description.url == Self.null && description.type == NSSQLiteStoreType && !description.isReadOnly)
    let container = NSPersistentContainer(name: "World", managedObjectModel: Quakes.model)
    container.persistentStoreDescriptions = [description]
    try container.load()
    try add("a", to: container)
    #expect(try codes(container) == ["a"])
  }

  @Test func `a container with a store at the null device works`() throws {
    let container = try container(at: Self.null)
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.url == Self.null && store.type == NSSQLiteStoreType && !store.isReadOnly)
    #expect(container.persistentStoreCoordinator.url(for: store) == Self.null)
    #expect(container.persistentStoreCoordinator.persistentStore(for: Self.null) === store)
    #expect(store.metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    for code in ["b", "a"] { try add(code, to: container) }
    #expect(try codes(container) == ["a", "b"])
  }

  @Test func `unnamed in-memory stores are separate`() throws {
    let (one, other) = (try container(at: Self.null), try container(at: Self.null))
    try add("a", to: one)
    #expect(try codes(one) == ["a"] && codes(other).isEmpty)
    #expect(
      one.persistentStoreCoordinator.persistentStores[0].identifier
        != other.persistentStoreCoordinator.persistentStores[0].identifier)
  }

  @Test func `no files appear next to the device`() throws {
    let (one, other) = (try container(at: Self.null, history: true), try container(at: Self.named(), history: true))
    for container in [one, other] {
      try add("a", ["wave": Data(count: 2_000_000)], to: container)
      container.viewContext.performAndWait { container.viewContext.automaticallyMergesChangesFromParent = true }
    }
    try add("b", to: one)
    #expect(Self.devices == ["null"])
  }

  @Test func `stores with the same name are shared within the process`() throws {
    let url = Self.named()
    let (one, other) = (try container(at: url), try container(at: url))
    let unrelated = try container(at: Self.named())
    try add("a", to: one)
    try add("b", to: other)
    #expect(try codes(one) == ["a", "b"] && codes(other) == ["a", "b"] && codes(unrelated).isEmpty)
    #expect(other.persistentStoreCoordinator.persistentStores[0].url == url)
  }

  @Test func `a named store lasts until the last coordinator removes it`() throws {
    let url = Self.named()
    let first = try container(at: url)
    do {
      let second = try container(at: url)
      try add("a", to: second)
      for store in second.persistentStoreCoordinator.persistentStores {
        try second.persistentStoreCoordinator.remove(store)
      }
    }
    #expect(try codes(first) == ["a"])
    let store = first.persistentStoreCoordinator.persistentStores[0]
    try first.persistentStoreCoordinator.remove(store)
    let fresh = try container(at: url)
    #expect(try codes(fresh).isEmpty)
  }

  @Test func `removing an in-memory store deletes its files`() throws {
    let container = try container(at: Self.null)
    try add("a", ["wave": Data(count: 2_000_000)], to: container)
    let before = try Set(openFiles())
    #expect(!before.isEmpty)
    try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
    let left = before.filter { FileManager.default.fileExists(atPath: $0) }
    // The stores of other tests keep their files.
    #expect(left.count < before.count)
  }

  /// This process's open files of in-memory stores.
  private func openFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.contains("/coredata-") && $0.hasSuffix("store.sqlite") }
  }

  @Test func `concurrent readers never see fewer rows than before`() async throws {
    let container = try container(at: Self.null)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { for number in 0..<25 { try add("\(writer) \(number)", to: container) } }
        group.addTask {
          // Each fetch returns at least as many rows as the previous one.
          var seen = 0
          for _ in 0..<25 {
            let now = try codes(container).count
            #expect(now >= seen)
            seen = now
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try codes(container).count == 100)
  }

  @Test func `a writer does not wait for a pinned reader`() throws {
    let container = try container(at: Self.null)
    try add("a", to: container)
    let reader = container.newBackgroundContext()
    try reader.performAndWait {
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.fetch("Quake").count == 1)
    }
    try add("b", to: container)
    try reader.performAndWait {
      #expect(try reader.fetch("Quake").count == 1)
      try reader.setQueryGenerationFrom(nil)
      #expect(try reader.fetch("Quake").count == 2)
    }
  }

  @Test func `an in-memory store keeps its history`() throws {
    let container = try container(at: Self.null, history: true)
    try add("a", to: container)
    let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    try add("b", to: container)
    let context = container.newBackgroundContext()
    let changes = try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction])?.flatMap { $0.changes ?? [] }.map(\.changeType)
    }
    #expect(changes == [.insert])
  }

  @Test func `coordinators that share a store receive remote changes`() async throws {
    let url = Self.named()
    let options: [String: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber]
    let one = try container(at: url, history: true, options)
    let other = try container(at: url, history: true, options)
    other.viewContext.performAndWait { other.viewContext.automaticallyMergesChangesFromParent = true }
    let received = ReceivedURL()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: other.persistentStoreCoordinator, queue: nil
    ) { note in received.url.withLock { $0 = note.userInfo?[NSPersistentStoreURLKey] as? URL } }
    defer { NotificationCenter.default.removeObserver(observer) }
    try add("a", to: one)
    for _ in 0..<120_000 where received.url.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(received.url.withLock { $0 } == url)
  }

  private final class ReceivedURL: Sendable { let url = Mutex<URL?>(nil) }

  @Test func `large data is read back`() throws {
    let container = try container(at: Self.null)
    let wave = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0) })
    try add("a", ["wave": wave], to: container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try context.fetch("Quake").first
      #expect(quake?.value(forKey: "wave") as? Data == wave)
    }
  }

  @Test func `an in-memory store exists only while it is open`() throws {
    for url in [Self.null, Self.named()] {
      #expect(throws: CocoaError.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
      }
      #expect(throws: CocoaError.self) {
        try NSPersistentStoreCoordinator.setMetadata([:], type: .sqlite, at: url)
      }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
      #expect(throws: CocoaError.self) { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
      #expect(throws: CocoaError.self) {
        try coordinator.addPersistentStore(type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
      }
    }
    #expect(Self.devices == ["null"])
  }

  @Test func `an open named store can be inspected and destroyed by its URL`() throws {
    let url = Self.named()
    let container = try container(at: url)
    try add("a", to: container)
    let store = container.persistentStoreCoordinator.persistentStores[0]
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    try container.persistentStoreCoordinator.destroyPersistentStore(at: url, type: .sqlite)
    #expect(throws: CocoaError.self) { try codes(container) }
  }

  @Test func `a store can be migrated into memory and back to a file`() throws {
    let file = try TemporaryFolder.make().appendingPathComponent("World.sqlite")
    let container = try container(at: file)
    let coordinator = container.persistentStoreCoordinator
    try add("a", to: container)
    let memory = try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: Self.null, type: .sqlite)
    #expect(memory.url == Self.null && coordinator.persistentStores.count == 1)
    try add("b", to: container)
    let copy = file.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    try coordinator.migratePersistentStore(memory, to: copy, type: .sqlite)
    #expect(try codes(container) == ["a", "b"])
    let reopened = try self.container(at: copy)
    #expect(try codes(reopened) == ["a", "b"])
    let original = try self.container(at: file)
    #expect(try codes(original) == ["a"])
  }

  @Test func `an in-memory store accepts the null device or no URL`() throws {
    for url in [Self.null, nil] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
      let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: url)
      #expect(store.url == url && store.type == NSInMemoryStoreType)
    }
    #expect(Self.devices == ["null"])
  }

  @Test func `a container loads a store at the null device once`() throws {
    let container = try container(at: Self.null)
    try add("a", to: container)
    try container.load()
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    #expect(try codes(container) == ["a"])
  }
}
