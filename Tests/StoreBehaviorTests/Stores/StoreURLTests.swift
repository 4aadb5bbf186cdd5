import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Changing the URL of an open store.
@Suite struct StoreURLTests {
  private static let model = makeModel([makeEntity("Person", [attribute("name")])])

  /// A store with one person, open, and a copy of it, closed.
  private struct Pair {
    let context: NSManagedObjectContext
    let original: MigratedStore
    let copy: MigratedStore
    let store: NSPersistentStore

    var coordinator: NSPersistentStoreCoordinator { context.persistentStoreCoordinator! }

    init(history: Bool) throws {
      (original, copy) = (try MigratedStore(history: history), try MigratedStore(history: history))
      try original.open(StoreURLTests.model) { $0.make("Person", ["name": "Ada"]) }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreURLTests.model)
      try coordinator.replacePersistentStore(at: copy.url, withPersistentStoreFrom: original.url, type: .sqlite)
      store = try coordinator.addPersistentStore(type: .sqlite, at: original.url, options: original.options)
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.performAndWait { context.automaticallyMergesChangesFromParent = true }
    }
  }

  @Test(arguments: [false, true])
  func `an open store continues at another URL with the same objects`(history: Bool) throws {
    let pair = try Pair(history: history)
    let ada = try pair.context.performAndWait {
      let ada = try #require(pair.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first)
      #expect(ada.value(forKey: "name") as? String == "Ada")
      return ada
    }
    try pair.copy.open(Self.model) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first?.setValue("Eve", forKey: "name")
    }
    #expect(pair.coordinator.setURL(pair.copy.url, for: pair.store))
    #expect(pair.store.url == pair.copy.url && pair.coordinator.persistentStore(for: pair.copy.url) === pair.store)
    try pair.context.performAndWait {
      if !history { pair.context.refreshAllObjects() }
      #expect(ada.value(forKey: "name") as? String == "Eve")
      ada.setValue("Ida", forKey: "name")
      try pair.context.save()
    }
    try pair.copy.open(Self.model) { try #expect($0.texts("Person") == ["Ida"]) }
    try pair.original.open(Self.model) { try #expect($0.texts("Person") == ["Ada"]) }
  }

  @Test func `commits at the new URL are merged`() throws {
    let pair = try Pair(history: true)
    let ada = try pair.context.performAndWait {
      try #require(pair.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first)
    }
    #expect(pair.coordinator.setURL(pair.copy.url, for: pair.store))
    try pair.copy.open(Self.model) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first?.setValue("Eve", forKey: "name")
    }
    var name: String?
    for _ in 0..<120_000 where name != "Eve" {
      pair.context.performAndWait { name = ada.value(forKey: "name") as? String }
      usleep(5_000)
    }
    #expect(name == "Eve")
  }

  @Test(arguments: ["missing", "other"])
  func `a store keeps its URL if the new one is missing or has another store`(what: String) throws {
    let pair = try Pair(history: true)
    var url = pair.copy.url.deletingLastPathComponent().appendingPathComponent("missing.sqlite")
    let other = try MigratedStore(history: true)
    if what == "other" {
      try other.open(Self.model) { $0.make("Person", ["name": "Bob"]) }
      url = other.url
    }
    pair.store.url = url
    #expect(!pair.coordinator.setURL(url, for: pair.store) && pair.store.url == pair.original.url)
    #expect(what == "other" || !FileManager.default.fileExists(atPath: url.path))
    try pair.context.performAndWait { try #expect(pair.context.texts("Person") == ["Ada"]) }
  }

  @Test func `an in-memory store accepts any URL`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let url = URL(fileURLWithPath: "/dev/full")
    #expect(coordinator.setURL(url, for: store) && coordinator.url(for: store) == url)
    let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    #expect(!other.setURL(url, for: store))
  }
}
