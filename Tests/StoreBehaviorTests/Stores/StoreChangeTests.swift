import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Notifications about a coordinator's stores, and changes of a store's identity.
@Suite struct StoreChangeTests {
  private static let keys = [
    NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
  ]

  /// Returns the notifications about a coordinator's stores that are posted while `body` runs.
  private func changes(
    of coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void
  ) rethrows -> [[String: [NSPersistentStore]]] {
    nonisolated(unsafe) var notifications: [[String: [NSPersistentStore]]] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { note in
      #expect(note.userInfo?.count == 1)
      let changes = note.userInfo as? [String: [Any]] ?? [:]
      notifications.append(changes.mapValues { $0.compactMap { $0 as? NSPersistentStore } })
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
    return notifications
  }

  private func url(_ name: String = "World") throws -> URL { try TemporaryFolder.make().appendingPathComponent(name) }

  private var coordinator: NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
  }

  // MARK: Notifications

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory, .xml])
  func `adding and removing a store posts notifications`(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    var store: NSPersistentStore?
    let added = try changes(of: coordinator) { store = try coordinator.addPersistentStore(type: type, at: url()) }
    let found = try #require(store)
    #expect(added == [[NSAddedPersistentStoresKey: [found]]])
    let removed = try changes(of: coordinator) { try coordinator.remove(found) }
    #expect(removed == [[NSRemovedPersistentStoresKey: [found]]])
  }

  @Test func `migrating a store posts notifications with the old and the new store`() throws {
    let coordinator = coordinator
    let old = try coordinator.addPersistentStore(type: .sqlite, at: url("Old"))
    var new: NSPersistentStore?
    let notifications = try changes(of: coordinator) {
      new = try coordinator.migratePersistentStore(old, to: url("New"), type: .sqlite)
    }
    let moved = try #require(new)
    #expect(moved.identifier != old.identifier)
    #expect(notifications.compactMap { $0[NSAddedPersistentStoresKey] } == [[moved]])
    #expect(notifications.compactMap { $0[NSRemovedPersistentStoresKey] } == [[old]])
    #expect(notifications.last == [NSUUIDChangedPersistentStoresKey: [old, moved]])
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml])
  func `a migrated store reports the IDs of its objects before and after`(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    let old = try coordinator.addPersistentStore(type: .sqlite, at: url("Old"))
    let context = coordinator.context(.privateQueueConcurrencyType)
    let before = try context.performAndWait { () -> [NSManagedObjectID] in
      let objects = [context.insert("Quake", ["code": "a"]), context.insert("Tag", ["name": "red"])]
      try context.save()
      return objects.map(\.objectID)
    }
    let ids = Mutex<[NSManagedObjectID]?>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { note in
      guard let changed = note.userInfo?[NSUUIDChangedPersistentStoresKey] as? NSArray else { return }
      ids.withLock { $0 = changed[2] as? [NSManagedObjectID] }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let new = try coordinator.migratePersistentStore(old, to: url("New"), type: type)
    let found = try #require(ids.withLock { $0 })
    let pairs = stride(from: 0, to: found.count, by: 2).map { (found[$0], found[$0 + 1]) }
    #expect(Set(pairs.map(\.0)) == Set(before))
    for (before, after) in pairs {
      #expect(after.uriRepresentation().host == new.identifier && after.entity == before.entity)
      #expect((try? context.performAndWait { try context.existingObject(with: after) }) != nil)
    }
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory, .xml])
  func `changing the UUID of a store posts a notification`(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    let store = try coordinator.addPersistentStore(type: type, at: url())
    let own = store.identifier
    let notifications = changes(of: coordinator) {
      coordinator.setMetadata([NSStoreUUIDKey: "8C2A0E94-1C9E-4E0E-9A5D-000000000002"], for: store)
      store.identifier = "8C2A0E94-1C9E-4E0E-9A5D-000000000002"
      coordinator.setMetadata(["mood": "good"], for: store)
    }
    #expect(notifications == [[NSUUIDChangedPersistentStoresKey: [store, store]]] && store.identifier != own)
  }

  // MARK: Metadata

  /// The metadata always contain the type and the UUID. A UUID that is set becomes the store's.
  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary], [false, true])
  func `a UUID in the metadata becomes the UUID of the store`(type: NSPersistentStore.StoreType, isOpen: Bool) throws {
    let url = try self.url()
    let given = "8C2A0E94-1C9E-4E0E-9A5D-000000000003"
    let first = coordinator
    let store = try first.addPersistentStore(type: type, at: url)
    let context = first.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      first.setMetadata([:], for: store)
      _ = context.insert("Tag", ["name": "x"])
      try context.save()
    }
    #expect(first.metadata(for: store)[NSStoreUUIDKey] as? String == store.identifier)
    #expect(first.metadata(for: store)[NSStoreTypeKey] as? String == type.rawValue)
    let metadata = [NSStoreUUIDKey: given, "mood": "good"]
    if isOpen {
      first.setMetadata(metadata, for: store)
      #expect(first.metadata(for: store)[NSStoreUUIDKey] as? String == given)
      try context.performAndWait {
        _ = context.insert("Tag", ["name": "y"])
        try context.save()
      }
    }
    try first.remove(store)
    if !isOpen { try NSPersistentStoreCoordinator.setMetadata(metadata, type: type, at: url) }
    let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
    #expect(kept[NSStoreUUIDKey] as? String == given && kept["mood"] as? String == "good")
    #expect(kept[NSStoreTypeKey] as? String == type.rawValue)
    let again = try coordinator.addPersistentStore(type: type, at: url)
    #expect(again.identifier == given)
  }

  // MARK: Files

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary, .init(rawValue: Store.atomic.rawValue)])
  func `an empty file is opened as a new store`(type: NSPersistentStore.StoreType) throws {
    _ = Store.every
    let url = try self.url()
    try Data().write(to: url)
    for count in 1...2 {
      let coordinator = coordinator
      let store = try coordinator.addPersistentStore(type: type, at: url)
      let context = coordinator.context(.privateQueueConcurrencyType)
      try context.performAndWait {
        _ = context.insert("Tag", ["name": "x"])
        try context.save()
        #expect(try context.fetch("Tag").count == count)
      }
      try coordinator.remove(store)
    }
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .inMemory])
  func `a migrated store has new object IDs`(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    let store = try coordinator.addPersistentStore(type: type, at: url("Old"))
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      let tag = context.insert("Tag", ["name": "x"])
      try context.save()
      let id = tag.objectID
      let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
      // Only SQLite keeps the primary keys, so that objects stay registered.
      #expect(tag.managedObjectContext === (type == .sqlite ? context : nil))
      let same = try #require(try context.fetch("Tag").first)
      #expect(same.objectID != id && same.objectID.uriRepresentation() != id.uriRepresentation())
      #expect(same.objectID.persistentStore === moved && same.text("name") == "x")
      #expect(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == nil)
    }
  }

  /// Otherwise saves would be missing from the history that other processes read.
  @Test func `opening a store with history but without the key logs a warning`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = try QuakeHistory.container()
      try container.save("a")
      let url = container.url
      try container.close()
      _ = try QuakeHistory.container(at: url, history: false)
    }
    #expect(result.errorText.contains("NSPersistentHistoryTrackingKey - Forcing into Read Only mode"))
  }

  @Test func `destroying a store leaves an empty database`() throws {
    let url = try self.url("World.sqlite")
    let first = coordinator
    let store = try first.addPersistentStore(type: .sqlite, at: url)
    try first.remove(store)
    try first.destroyPersistentStore(
      at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true as NSNumber])
    #expect(FileManager.default.fileExists(atPath: url.path))
    for suffix in ["-wal", "-shm"] { #expect(((try? Data(contentsOf: companion(of: url, suffix)))?.count ?? 0) == 0) }
    #expect(throws: CocoaError.self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    }
    #expect(try coordinator.addPersistentStore(type: .sqlite, at: url).identifier != store.identifier)
  }

  private func companion(of url: URL, _ suffix: String) -> URL { URL(fileURLWithPath: url.path + suffix) }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
  func `files of another type are refused and not changed`(type: NSPersistentStore.StoreType) throws {
    for other in [NSPersistentStore.StoreType.sqlite, .xml, .binary] where other != type {
      let url = try self.url()
      let maker = coordinator
      let context = maker.context(.privateQueueConcurrencyType)
      let store = try maker.addPersistentStore(type: other, at: url)
      try context.performAndWait {
        _ = context.insert("Tag", ["name": "x"])
        try context.save()
      }
      try maker.remove(store)
      let bytes = try Data(contentsOf: url)
      let error = #expect(throws: CocoaError.self) { try coordinator.addPersistentStore(type: type, at: url) }
      #expect([134010, 134000, 134080, 259, 256].contains(error?.code.rawValue), "\(String(describing: error))")
      #expect(type != .sqlite || error?.userInfo[NSSQLiteErrorDomain] as? Int == 26)
      #expect(try Data(contentsOf: url) == bytes)
    }
  }
}
