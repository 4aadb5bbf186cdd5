import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Operations on a whole store: destroying, replacing, migrating and vacuuming it, and its metadata.
@Suite struct StoreFileTests {
  private static let model = makeModel([makeEntity("Person", [attribute("name")])])

  private func filled(_ names: [String]) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.open(Self.model) { context in for name in names { context.make("Person", ["name": name]) } }
    return store
  }

  private var coordinator: NSPersistentStoreCoordinator { NSPersistentStoreCoordinator(managedObjectModel: Self.model) }

  @Test func `a destroyed store is empty and keeps its file`() throws {
    let store = try filled(["Ada"])
    let file = try FileManager.default.attributesOfItem(atPath: store.url.path)[.systemFileNumber] as? Int
    try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
    let after = try FileManager.default.attributesOfItem(atPath: store.url.path)[.systemFileNumber] as? Int
    #expect(file == after)
    try store.open(Self.model) { try #expect($0.texts("Person") == []) }
  }

  /// Programs remove the file afterwards, and treat a missing file as an error.
  @Test func `destroying a missing store creates an empty file`() throws {
    let store = try MigratedStore()
    for _ in 1...2 {
      try coordinator.destroyPersistentStore(at: store.url, type: .sqlite)
      #expect(FileManager.default.fileExists(atPath: store.url.path))
    }
    try store.open(Self.model) { context in context.make("Person", ["name": "Ada"]) }
    try store.open(Self.model) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `a store in a missing folder cannot be destroyed`() throws {
    let url = try TemporaryFolder.make().appendingPathComponent("missing/People.sqlite")
    let error = try #require(throws: CocoaError.self) { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
    #expect("\(error)".contains(url.path) && "\(error)".contains("No such file or directory"))
  }

  @Test func `an open store with an empty log is destroyed without waiting`() throws {
    let store = try filled(["Ada"])
    let reader = coordinator
    try reader.addPersistentStore(type: .sqlite, at: store.url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = reader
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada"]) }
    try coordinator.destroyPersistentStore(
      at: store.url, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 2 as NSNumber])
    try store.open(Self.model) { try #expect($0.texts("Person") == []) }
  }

  @Test func `a store can be replaced while it is open`() throws {
    let (first, second) = (try filled(["Ada"]), try filled(["Bob", "Eve"]))
    let reader = coordinator
    try reader.addPersistentStore(type: .sqlite, at: first.url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = reader
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada"]) }
    try coordinator.replacePersistentStore(at: first.url, withPersistentStoreFrom: second.url, type: .sqlite)
    try context.performAndWait {
      try #expect(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).count == 2)
    }
    try first.open(Self.model) { try #expect($0.texts("Person") == ["Bob", "Eve"]) }
    try second.open(Self.model) { try #expect($0.texts("Person") == ["Bob", "Eve"]) }
  }

  @Test func `replacing a missing store creates it`() throws {
    let (first, second) = (try filled(["Ada"]), try MigratedStore())
    try coordinator.replacePersistentStore(at: second.url, withPersistentStoreFrom: first.url, type: .sqlite)
    try second.open(Self.model) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .inMemory])
  func `a migrated store keeps its objects`(type: NSPersistentStore.StoreType) throws {
    let target = try MigratedStore()
    let coordinator = coordinator
    let source = type == .sqlite ? try filled([]).url : URL(fileURLWithPath: "/dev/null")
    let store = try coordinator.addPersistentStore(type: type, at: source)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      for name in ["Ada", "Bob"] { context.make("Person", ["name": name]) }
      try context.save()
    }
    let moved = try coordinator.migratePersistentStore(store, to: target.url, type: .sqlite)
    let isAlone = coordinator.persistentStores.count == 1 && coordinator.persistentStores[0] === moved
    #expect(isAlone && moved.identifier != store.identifier)
    try context.performAndWait { try #expect(context.texts("Person") == ["Ada", "Bob"]) }
    try target.open(Self.model) { try #expect($0.texts("Person") == ["Ada", "Bob"]) }
  }

  /// SQLite keeps its statistics in a separate table, which a migration does not change.
  @Test func `a store can be vacuumed and analyzed when it opens`() throws {
    let names = (0..<2_000).map { "\($0) \(String(repeating: "x", count: 100))" }
    let store = try filled(names)
    try store.open(Self.model) { context in
      for person in try context.all("Person").dropLast() { context.delete(person) }
    }
    let before = try store.bytes().count
    let description = NSPersistentStoreDescription(url: store.url)
    description.setOption(true as NSNumber, forKey: NSSQLiteManualVacuumOption)
    description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
    let vacuuming = coordinator
    var problem: (any Error)?
    vacuuming.addPersistentStore(with: description) { problem = $1 }
    #expect(problem == nil)
    try vacuuming.remove(vacuuming.persistentStores[0])
    try #expect(store.bytes().count < before / 4)
    try #expect(store.bytes().range(of: Data("sqlite_stat1".utf8)) != nil)
    let newer = makeModel([makeEntity("Person", [attribute("name"), attribute("city")])])
    try store.open(newer) { try #expect($0.texts("Person").count == 1) }
  }

  @Test func `a description determines whether an old store is migrated`() throws {
    let store = try filled(["Ada"])
    let newer = makeModel([makeEntity("Person", [attribute("name"), attribute("city")])])
    let description = NSPersistentStoreDescription(url: store.url)
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    func code() -> CocoaError.Code? {
      var code: CocoaError.Code?
      NSPersistentStoreCoordinator(managedObjectModel: newer).addPersistentStore(with: description) {
        code = ($1 as? CocoaError)?.code
      }
      return code
    }
    description.shouldMigrateStoreAutomatically = false
    #expect(code() == .persistentStoreIncompatibleVersionHash)
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = false
    #expect(code() != nil, "The mapping model is missing.")
    description.shouldInferMappingModelAutomatically = true
    #expect(code() == nil)
  }

  @MainActor @Test(arguments: ["OFF", "MEMORY"]) func `a journal mode without a journal on disk leaves a single file`(
    _ mode: String
  ) throws {
    let store = try filled(["Ada"])
    let copy = store.url.deletingLastPathComponent().appendingPathComponent("copy/People.archive")
    try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: false)
    let coordinator = coordinator
    let original = try coordinator.addPersistentStore(type: .sqlite, at: store.url, options: store.options)
    let options = [NSSQLitePragmasOption: ["journal_mode": mode]]
    _ = try coordinator.migratePersistentStore(original, to: copy, options: options, type: .sqlite)
    let container = NSPersistentContainer(name: "People", managedObjectModel: Self.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: copy)]
    container.persistentStoreDescriptions[0].setValue(mode as NSString, forPragmaNamed: "journal_mode")
    try coordinator.remove(coordinator.persistentStores[0])
    container.loadPersistentStores { #expect($1 == nil) }
    container.viewContext.make("Person", ["name": "Grace"])
    try container.viewContext.save()
    try #expect(container.viewContext.texts("Person") == ["Ada", "Grace"])
    let files = try FileManager.default.contentsOfDirectory(atPath: copy.deletingLastPathComponent().path)
    #expect(!files.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-journal") }, "\(files)")
  }

  @Test func `metadata can be read and written without a model`() throws {
    let store = try filled(["Ada"])
    let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)
    #expect(Self.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: before))
    try NSPersistentStoreCoordinator.setMetadata(["color": "red"], type: .sqlite, at: store.url)
    let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)
    #expect(after["color"] as? String == "red" && after[NSStoreUUIDKey] as? String == before[NSStoreUUIDKey] as? String)
    try store.open(Self.model) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `the next save writes the metadata of an open store`() throws {
    let store = try filled([])
    func color() throws -> String? {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)["color"] as? String
    }
    try store.open(Self.model) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      coordinator.setMetadata(["color": "red"], for: coordinator.persistentStores[0])
      #expect(coordinator.metadata(for: coordinator.persistentStores[0])["color"] as? String == "red")
      try #expect(color() == nil)
      context.make("Person", ["name": "Ada"])
    }
    try #expect(color() == "red")
  }

  private func color(_ url: URL) throws -> String? {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)["color"] as? String
  }

  @Test func `a save without changes writes pending metadata`() throws {
    let store = try filled(["Ada"])
    try store.open(Self.model) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      coordinator.setMetadata(["color": "red"], for: coordinator.persistentStores[0])
      let child = context.child(.privateQueueConcurrencyType)
      try child.performAndWait { try child.save() }
      try #expect(color(store.url) == nil, "A child saves to its parent.")
      #expect(!context.hasChanges)
      try context.save()
      try #expect(color(store.url) == "red")
      coordinator.persistentStores[0].metadata = ["color": "blue"]
      try context.save()
      try #expect(color(store.url) == "blue")
    }
  }

  @Test func `a save writes the metadata of every store`() throws {
    let (first, second) = (try filled([]), try filled([]))
    try first.open(Self.model) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      let other = try coordinator.addPersistentStore(type: .sqlite, at: second.url, options: second.options)
      coordinator.setMetadata(["color": "red"], for: other)
      context.assign(context.make("Person", ["name": "Ada"]), to: coordinator.persistentStores[0])
      try context.save()
    }
    try #expect(color(second.url) == "red" && color(first.url) == nil)
  }

  @Test func `a failed save writes no metadata`() throws {
    let store = try filled(["Ada"])
    try store.open(Self.model) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      let other = coordinator.context(.privateQueueConcurrencyType)
      let ada = try context.all("Person")[0]
      _ = ada.storedText()
      try other.performAndWait {
        try other.all("Person")[0].setValue("Bob", forKey: "name")
        try other.save()
      }
      coordinator.setMetadata(["color": "red"], for: coordinator.persistentStores[0])
      ada.setValue("Eve", forKey: "name")
      #expect(throws: CocoaError.self) { try context.save() }
      try #expect(color(store.url) == nil)
      context.rollback()
      try context.save()
      try #expect(color(store.url) == "red", "The next save writes the metadata.")
    }
  }

  @Test func `a store with missing external data can be read but not migrated`() throws {
    let photo = attribute("photo", .binaryData)
    photo.allowsExternalBinaryDataStorage = true
    let model = makeModel([makeEntity("Person", [attribute("name"), photo])])
    let store = try MigratedStore()
    try store.open(model) { $0.make("Person", ["name": "Ada", "photo": Data(count: 300_000)]) }
    let files = store.url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.removeItem(at: files)
    try store.open(model) { context in
      let ada = try context.all("Person")[0]
      #expect(ada.storedText() == "Ada" && ada.value(forKey: "photo") == nil)
      ada.setValue("Eve", forKey: "name")
      try context.save()
      let coordinator = try #require(context.persistentStoreCoordinator)
      let copy = URL(fileURLWithPath: "/dev/null")
      let error = #expect(throws: CocoaError.self) {
        try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: copy, type: .inMemory)
      }
      #expect(error?.localizedDescription.contains("is missing") == true)
      ada.setValue(Data(count: 300_000), forKey: "photo")
    }
    try store.open(model) { try #expect($0.all("Person")[0].value(forKey: "photo") as? Data == Data(count: 300_000)) }
  }
}
