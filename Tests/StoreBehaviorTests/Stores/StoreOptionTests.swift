import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Options of stores that change how they are opened.
@Suite struct StoreOptionTests {
  private static let old = makeModel([makeEntity("Person", [attribute("name")])])
  /// A model with other version hashes but the same table.
  private static let other: NSManagedObjectModel = {
    let person = makeEntity("Person", [attribute("name")])
    person.versionHashModifier = "2"
    return makeModel([person])
  }()
  private static let wider = makeModel([makeEntity("Person", [attribute("name"), attribute("town")])])

  private func store() throws -> URL {
    let store = try MigratedStore(history: false)
    try store.open(Self.old) { $0.make("Person", ["name": "Ada"]) }
    return store.url
  }

  private func people(
    _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
  ) throws -> [String] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    defer { try? coordinator.remove(store) }
    let context = coordinator.context(.privateQueueConcurrencyType)
    return try context.performAndWait { try context.texts("Person") }
  }

  @Test func `ignoring versioning opens a store of another version and updates its hashes`() throws {
    let url = try store()
    let error = try #require(throws: CocoaError.self) { try people(url, Self.other, [:]) }
    #expect(error.code == .persistentStoreIncompatibleVersionHash)
    let ignoring: [AnyHashable: Any] = [NSIgnorePersistentStoreVersioningOption: true]
    let reading = ignoring.merging([NSReadOnlyPersistentStoreOption: true]) { _, new in new }
    #expect(try people(url, Self.other, reading) == ["Ada"])
    #expect(throws: CocoaError.self) { try people(url, Self.other, [:]) }
    #expect(try people(url, Self.other, ignoring) == ["Ada"])
    #expect(try people(url, Self.other, [:]) == ["Ada"])
    #expect(throws: CocoaError.self) { try people(url, Self.old, [:]) }
  }

  @Test(arguments: [false, true])
  func `ignoring versioning still refuses a store that lacks a column`(isReadOnly: Bool) throws {
    let url = try store()
    let error = try #require(throws: CocoaError.self) {
      try people(
        url, Self.wider,
        [NSIgnorePersistentStoreVersioningOption: true, NSReadOnlyPersistentStoreOption: isReadOnly])
    }
    #expect(error.code == .persistentStoreIncompatibleVersionHash)
    #expect(error.localizedDescription.contains("ZTOWN"))
    #expect(try people(url, Self.old, [:]) == ["Ada"])
  }

  @Test(arguments: [0, 1, 16])
  func `concurrent readers work with any connection pool size`(poolSize: Int) async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.old)
    try coordinator.addPersistentStore(
      type: .sqlite, at: try store(), options: [NSPersistentStoreConnectionPoolMaxSizeKey: poolSize])
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let context = coordinator.context(.privateQueueConcurrencyType)
          return try context.performAndWait { try context.texts("Person") }
        }
      }
      for try await texts in group { #expect(texts == ["Ada"]) }
    }
  }
}
