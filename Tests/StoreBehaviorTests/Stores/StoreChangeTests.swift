import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// What a coordinator tells of its stores, and what makes a store another one.
@Suite struct StoreChangeTests {
  private static let keys = [
    NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
  ]

  /// What is told of the stores of a coordinator while `body` runs.
  private func changes(
    of coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void
  ) rethrows -> [[String: [NSPersistentStore]]] {
    nonisolated(unsafe) var told: [[String: [NSPersistentStore]]] = []
    let hears = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { note in
      #expect(note.userInfo?.count == 1)
      let changes = note.userInfo as? [String: [Any]] ?? [:]
      told.append(changes.mapValues { $0.compactMap { $0 as? NSPersistentStore } })
    }
    defer { NotificationCenter.default.removeObserver(hears) }
    try body()
    return told
  }

  private func url(_ name: String = "World") throws -> URL { try TemporaryFolder.make().appendingPathComponent(name) }

  private var coordinator: NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
  }

  // MARK: Notifications

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory, .xml])
  func storesThatComeAndGoAreTold(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    var store: NSPersistentStore?
    let added = try changes(of: coordinator) { store = try coordinator.addPersistentStore(type: type, at: url()) }
    let found = try #require(store)
    #expect(added == [[NSAddedPersistentStoresKey: [found]]])
    let removed = try changes(of: coordinator) { try coordinator.remove(found) }
    #expect(removed == [[NSRemovedPersistentStoresKey: [found]]])
  }

  @Test func aStoreThatMovesIsToldWithTheOneThatTakesItsPlace() throws {
    let coordinator = coordinator
    let old = try coordinator.addPersistentStore(type: .sqlite, at: url("Old"))
    var new: NSPersistentStore?
    let told = try changes(of: coordinator) {
      new = try coordinator.migratePersistentStore(old, to: url("New"), type: .sqlite)
    }
    let moved = try #require(new)
    #expect(moved.identifier != old.identifier)
    #expect(told.compactMap { $0[NSAddedPersistentStoresKey] } == [[moved]])
    #expect(told.compactMap { $0[NSRemovedPersistentStoresKey] } == [[old]])
    #expect(told.last == [NSUUIDChangedPersistentStoresKey: [old, moved]])
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
  func aNewUUIDIsTold(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    let store = try coordinator.addPersistentStore(type: type, at: url())
    let own = store.identifier
    let told = changes(of: coordinator) {
      coordinator.setMetadata([NSStoreUUIDKey: "8C2A0E94-1C9E-4E0E-9A5D-000000000002"], for: store)
      store.identifier = "8C2A0E94-1C9E-4E0E-9A5D-000000000002"
      coordinator.setMetadata(["mood": "good"], for: store)
    }
    #expect(told == [[NSUUIDChangedPersistentStoresKey: [store, store]]] && store.identifier != own)
  }

  // MARK: Metadata

  /// Type and UUID are there whatever is set; a UUID that is given is the store's.
  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary], [false, true])
  func aUUIDThatIsGivenWins(type: NSPersistentStore.StoreType, isOpen: Bool) throws {
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
  func aFileWithoutBytesIsANewStore(type: NSPersistentStore.StoreType) throws {
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
  func idsAreOthersWhereAStoreWasMovedTo(type: NSPersistentStore.StoreType) throws {
    let coordinator = coordinator
    let store = try coordinator.addPersistentStore(type: type, at: url("Old"))
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      let tag = context.insert("Tag", ["name": "x"])
      try context.save()
      let id = tag.objectID
      let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
      // Only SQLite keeps the keys of rows.
      #expect(tag.managedObjectContext === (type == .sqlite ? context : nil))
      let same = try #require(try context.fetch("Tag").first)
      #expect(same.objectID != id && same.objectID.uriRepresentation() != id.uriRepresentation())
      #expect(same.objectID.persistentStore === moved && same.text("name") == "x")
      #expect(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == nil)
    }
  }

  /// So that nothing is saved which those who follow the history never hear of.
  @Test func `opening a store with history without the key causes a warning`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = try QuakeHistory.container()
      try container.save("a")
      let url = container.url
      try container.close()
      _ = try QuakeHistory.container(at: url, history: false)
    }
    #expect(result.errorText.contains("NSPersistentHistoryTrackingKey - Forcing into Read Only mode"))
  }

  @Test func aDestroyedStoreIsAnEmptyDatabase() throws {
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

  /// What is no store of the type is refused, and stays as it is.
  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
  func filesOfAnotherTypeAreRefused(type: NSPersistentStore.StoreType) throws {
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
