import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Stores that a program creates itself, without a coordinator.
@Suite struct StandaloneStoreTests {
  private final class ShelfStore: NSAtomicStore, @unchecked Sendable {
    override var configurationName: String { "Shelf" }
    override var options: [AnyHashable: Any]? { ["shelf": 1] }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator? { nil }
    override func loadMetadata() throws { metadata = [NSStoreTypeKey: "Shelf", NSStoreUUIDKey: "shelf-1"] }
  }

  @Test func `an atomic store needs no coordinator`() throws {
    let url = URL(fileURLWithPath: "/shelf")
    let store = NSAtomicStore(
      persistentStoreCoordinator: nil, configurationName: "Shelf", at: url,
      options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
    #expect(store.persistentStoreCoordinator == nil && store.url == url && store.configurationName == "Shelf")
    #expect(store.isReadOnly && store.cacheNodes().isEmpty)
    store.metadata = ["author": "Ada"]
    #expect(store.metadata["author"] as? String == "Ada")
    store.url = URL(fileURLWithPath: "/other")
    #expect(store.url?.path == "/other")
  }

  @Test func `an incremental store needs no coordinator`() throws {
    let store = NSIncrementalStore(
      persistentStoreCoordinator: nil, configurationName: nil, at: URL(fileURLWithPath: "/shelf"))
    #expect(store.persistentStoreCoordinator == nil && !store.isReadOnly)
  }

  @Test func `a subclass can override the properties of a store`() throws {
    let store = ShelfStore(
      persistentStoreCoordinator: nil, configurationName: nil, at: URL(fileURLWithPath: "/shelf"))
    try store.loadMetadata()
    #expect(store.identifier == "shelf-1" && store.configurationName == "Shelf")
    #expect(store.options?["shelf"] as? Int == 1)
  }
}
