import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// `migratePersistentStore` without options: the copy keeps the original's options.
@MainActor @Suite struct MovedStoreTests {
  private let folder: URL
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
  private let context: NSManagedObjectContext

  init() throws {
    folder = try TemporaryFolder.make()
    context = coordinator.context()
  }

  private func url(_ name: String) -> URL { folder.appendingPathComponent("\(name).sqlite") }

  private func open(_ options: [AnyHashable: Any]) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(type: .sqlite, at: url("Old"), options: options)
  }

  @Test func `a moved store keeps its history and can be written`() throws {
    let store = try open([NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 7])
    let tag = context.insert("Tag", ["name": "x"])
    try context.save()
    let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
    #expect(!moved.isReadOnly && moved.options?[NSPersistentHistoryTrackingKey] as? Bool == true)
    #expect(moved.options?[NSPersistentStoreTimeoutOption] as? Int == 7)
    tag.setValue("y", forKey: "name")
    try context.save()
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
    let history = try context.execute(request) as? NSPersistentHistoryResult
    #expect((history?.result as? [NSPersistentHistoryTransaction])?.count == 2)
  }

  @Test func `registered objects stay in their context and are saved to the copy`() throws {
    let store = try open([NSPersistentHistoryTrackingKey: true])
    let (region, quake) = (context.insert("Region", ["name": "Tonga"]), context.insert("Quake", ["code": "a"]))
    quake.setValue(region, forKey: "region")
    quake.setValue(NSSet(array: [context.insert("Tag", ["name": "x"])]), forKey: "tags")
    try context.save()
    let old = quake.objectID
    quake.setValue("b", forKey: "code")
    let new = context.insert("Quake", ["code": "c", "region": region])
    let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
    #expect(quake.managedObjectContext === context && quake.text("code") == "b" && new.isInserted)
    #expect(quake.objectID.persistentStore === moved && quake.objectID != old)
    #expect(region.set("quakes") == [quake, new] && quake.set("tags").count == 1)
    try context.save()
    context.refreshAllObjects()
    #expect(quake.text("code") == "b" && quake.object("region") === region && new.object("region") === region)
    #expect(try context.existingObject(with: quake.objectID) === quake)
    #expect(throws: CocoaError.self) { try context.existingObject(with: old) }
    let other = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    try other.addPersistentStore(type: .sqlite, at: url("Old"), options: [NSPersistentHistoryTrackingKey: true])
    #expect(try other.context().fetch("Quake").map { $0.text("code") } == ["a"])
  }

  @Test func `a moved read-only store can be written`() throws {
    try coordinator.remove(open([:]))
    let store = try open([NSReadOnlyPersistentStoreOption: true])
    let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
    _ = context.insert("Tag")
    try context.save()
    #expect(!moved.isReadOnly)
  }

  @Test func `a pinned context reads the copy`() throws {
    let store = try open([NSPersistentHistoryTrackingKey: true])
    let tag = context.insert("Tag", ["name": "x"])
    try context.save()
    try context.setQueryGenerationFrom(.current)
    #expect(try context.fetch("Tag").count == 1)
    context.refreshAllObjects()
    try coordinator.migratePersistentStore(store, to: url("New"), type: .sqlite)
    #expect(tag.text("name") == "x" && tag.set("quakes").isEmpty)
    try context.save()
  }

  @Test func `options without history tracking make the copy read-only`() throws {
    let store = try open([NSPersistentHistoryTrackingKey: true])
    _ = context.insert("Tag")
    try context.save()
    let moved = try coordinator.migratePersistentStore(store, to: url("New"), options: [:], type: .sqlite)
    #expect(moved.isReadOnly)
  }

  @Test func `a store migrated to another type keeps its options`() throws {
    let store = try open([NSPersistentStoreTimeoutOption: 7])
    _ = context.insert("Tag", ["name": "x"])
    try context.save()
    let moved = try coordinator.migratePersistentStore(store, to: url("New"), type: .xml)
    #expect(moved.options?[NSPersistentStoreTimeoutOption] as? Int == 7 && !moved.isReadOnly)
    #expect(try context.fetch("Tag").map { $0.text("name") } == ["x"])
  }
}
