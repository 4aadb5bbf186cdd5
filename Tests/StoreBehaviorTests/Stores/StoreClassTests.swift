import CoreData
import Foundation
import StrataSampleStores
import Testing

@testable import StrataBehaviorSupport

/// Behavior that store classes written for Apple's framework rely on.
@Suite struct StoreClassTests {
  /// An atomic store with its own properties and initializer, as in a textbook. It loses its rows when it closes.
  private final class BookStore: NSAtomicStore, @unchecked Sendable {
    let opened: Date
    nonisolated(unsafe) var whileSaving: (() throws -> Void)?
    private var next = 0

    override init(
      persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
      options: [AnyHashable: Any]? = nil
    ) {
      opened = Date()
      super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { "BookStore" }
    override var identifier: String! {
      get { "book-identifier" }
      set {}
    }
    override func loadMetadata() throws { metadata = [NSStoreUUIDKey: "book-identifier", NSStoreTypeKey: type] }
    override func load() throws {}
    override func save() throws { try whileSaving?() }
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
      next += 1
      return "\(managedObject.entity.name ?? "")/\(next) of ü?#%2F"
    }
  }

  /// Records its save requests, and identifies rows by the names that a test sets.
  private final class NoteStore: NSIncrementalStore, @unchecked Sendable {
    nonisolated(unsafe) var saves: [NSSaveChangesRequest] = []
    nonisolated(unsafe) var names: [String] = []
    nonisolated(unsafe) var canRead = true
    nonisolated(unsafe) var whileSaving: (() throws -> Void)?
    private let made: [String]

    override init(
      persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
      options: [AnyHashable: Any]? = nil
    ) {
      made = ["here"]
      super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override func loadMetadata() throws { metadata = [NSStoreUUIDKey: "notes", NSStoreTypeKey: "NoteStore"] }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
      if let save = request as? NSSaveChangesRequest {
        saves.append(save)
        try whileSaving?()
      }
      return [NSManagedObject]()
    }
    override func newValuesForObject(
      with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
      guard canRead else { throw CocoaError(.fileReadUnknown) }
      return NSIncrementalStoreNode(objectID: objectID, withValues: [:], version: 1)
    }
    override func newValue(
      forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
      with context: NSManagedObjectContext?
    ) throws -> Any { relationship.isToMany ? [NSManagedObjectID]() : NSNull() }
    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
      array.map { newObjectID(for: $0.entity, referenceObject: names.removeFirst()) }
    }
  }

  private func coordinator(_ storeClass: AnyClass) throws -> NSPersistentStoreCoordinator {
    let type = "\(storeClass)"
    NSPersistentStoreCoordinator.registerStoreClass(storeClass, forStoreType: type)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/nowhere/\(type)"))
    return coordinator
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = coordinator.context(.privateQueueConcurrencyType)
    return context
  }

  @Test func `a store class with its own initializer can be registered and used`() throws {
    let coordinator = try coordinator(BookStore.self)
    let store = try #require(coordinator.persistentStores.first as? BookStore)
    #expect(store.opened.timeIntervalSinceNow < 0 && store.identifier == "book-identifier")
    let context = context(coordinator)
    try context.performAndWait {
      let quake = context.insert("Quake", ["code": "a"])
      try context.save()
      let id = quake.objectID
      let uri = id.uriRepresentation()
      #expect(uri.absoluteString.hasPrefix("x-coredata://book-identifier/Quake/p"))
      #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
      #expect(store.referenceObject(for: id) as? String == "Quake/1 of ü?#%2F")
    }
  }

  @Test(arguments: [
    "a/b", "/", "a/", "//x", "a%2Fb", "%", "..", ".", "", "p", "ü ñ 日本", "?query#fragment", "007", "+7", "a\u{0}b",
    "a b",
  ])
  func `a reference object can be any string`(name: String) throws {
    let coordinator = try coordinator(NoteStore.self)
    let store = try #require(coordinator.persistentStores.first as? NoteStore)
    store.names = [name, "7"]
    let context = context(coordinator)
    let (uri, id) = try context.performAndWait {
      let quake = context.insert("Quake")
      try context.save()
      return (quake.objectID.uriRepresentation(), quake.objectID)
    }
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    #expect(coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: uri.absoluteString))) == id)
    // A coordinator that has not read the row yet finds it by its reference object.
    let later = try self.coordinator(NoteStore.self)
    let found = try #require(later.managedObjectID(forURIRepresentation: uri))
    #expect((later.persistentStores[0] as? NoteStore)?.referenceObject(for: found) as? String == name)
    #expect(found.uriRepresentation() == uri)
  }

  @Test func `a save without changes sends a request without objects`() throws {
    let coordinator = try coordinator(NoteStore.self)
    let store = try #require(coordinator.persistentStores.first as? NoteStore)
    let context = context(coordinator)
    try context.performAndWait {
      try context.save()
      #expect(store.saves.count == 1)
      coordinator.setMetadata(["mood": "good"], for: store)
      try context.save()
      #expect(store.saves.count == 2)
      for empty in store.saves {
        #expect(empty.insertedObjects == nil && empty.updatedObjects == nil)
        #expect(empty.deletedObjects == nil && empty.lockedObjects == nil)
      }
    }
  }

  @Test func `an incremental store may save another context while it saves`() throws {
    let coordinator = try coordinator(NoteStore.self)
    let store = try #require(coordinator.persistentStores.first as? NoteStore)
    let (first, second) = (context(coordinator), context(coordinator))
    store.names = ["one", "two"]
    store.whileSaving = {
      store.whileSaving = nil
      try second.performAndWait {
        _ = second.insert("Quake", ["code": "b"])
        try second.save()
      }
    }
    try first.performAndWait {
      _ = first.insert("Quake", ["code": "a"])
      try first.save()
    }
    #expect(store.saves.map { $0.insertedObjects?.count } == [1, 1])
    #expect(store.names == [])
  }

  @Test func `an atomic store cannot save another context while it saves`() throws {
    let coordinator = try coordinator(BookStore.self)
    let store = try #require(coordinator.persistentStores.first as? BookStore)
    let (first, second) = (context(coordinator), context(coordinator))
    var refusal: (any Error)?
    store.whileSaving = {
      store.whileSaving = nil
      second.performAndWait {
        _ = second.insert("Quake", ["code": "b"])
        refusal = #expect(throws: CocoaError.self) { try second.save() }
      }
    }
    try first.performAndWait {
      _ = first.insert("Quake", ["code": "a"])
      try first.save()
    }
    #expect(String(describing: refusal).contains("during another save to it"))
    try second.performAndWait {
      try second.save()
      #expect(try second.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 2)
    }
  }

  @Test func `a save succeeds although the store cannot read its rows back`() throws {
    let coordinator = try coordinator(NoteStore.self)
    let store = try #require(coordinator.persistentStores.first as? NoteStore)
    let context = context(coordinator)
    store.names = ["one"]
    store.canRead = false
    try context.performAndWait {
      let quake = context.insert("Quake", ["code": "a"])
      try context.save()
      #expect(!quake.objectID.isTemporaryID && !context.hasChanges)
      try context.save()
      #expect(store.saves.compactMap(\.insertedObjects).count == 1)
    }
  }

  @Test func `the will-remove notification has the store as its object`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    nonisolated(unsafe) var notifications: [Bool] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
    ) { note in
      notifications.append(coordinator.persistentStores.contains(store) && note.userInfo == nil)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try coordinator.remove(store)
    #expect(notifications == [true])
  }

  @Test(arguments: Store.allCases)
  func `the next save writes a new store identifier`(_ kind: Store) throws {
    let container = try kind.container()
    let store = container.persistentStoreCoordinator.persistentStores[0]
    let url = try #require(store.url)
    store.identifier = "8C2A0E94-1C9E-4E0E-9A5D-000000000001"
    #expect(store.identifier == "8C2A0E94-1C9E-4E0E-9A5D-000000000001")
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      _ = context.insert("Quake")
      try context.save()
      #expect(try context.fetch("Quake").count == 1)
    }
    #expect(store.identifier == "8C2A0E94-1C9E-4E0E-9A5D-000000000001")
    guard kind == .sqlite else { return }
    try container.persistentStoreCoordinator.remove(store)
    let again = try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(again.identifier == "8C2A0E94-1C9E-4E0E-9A5D-000000000001")
  }

  @Test func `a save to a read-only store fails with a permission error`() throws {
    let container = try Store.sqlite.container()
    let coordinator = container.persistentStoreCoordinator
    let url = try #require(coordinator.persistentStores[0].url)
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      _ = writer.insert("Quake", ["code": "a"])
      try writer.save()
    }
    try coordinator.remove(coordinator.persistentStores[0])
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    for change in ["insert", "update", "delete"] {
      let context = context(coordinator)
      try context.performAndWait {
        let quake = try #require(try context.fetch("Quake").first)
        switch change {
        case "insert": _ = context.insert("Quake", ["code": "b"])
        case "update": quake.setValue("c", forKey: "code")
        default: context.delete(quake)
        }
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code.rawValue == 513, "\(change)")
        #expect(error.code == .fileWriteNoPermission)
      }
    }
  }
}
