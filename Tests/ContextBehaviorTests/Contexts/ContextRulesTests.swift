import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Rare cases of refreshes, deletions, resets and notifications.
@Suite struct ContextRulesTests {
  @Test(arguments: Store.every) @MainActor
  func `a refresh in a child reads the parent again`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a", "felt": 1])
    try context.save()
    let child = context.child()
    let below = try child.existingObject(with: quake.objectID)
    below.setValue(2, forKey: "felt")
    quake.setValue("b", forKey: "code")
    #expect(below.value(forKey: "code") as? String == "a")
    child.refresh(below, mergeChanges: true)
    #expect(below.value(forKey: "code") as? String == "b" && below.value(forKey: "felt") as? Int == 2)
    child.refresh(below, mergeChanges: false)
    #expect(below.isFault && below.value(forKey: "felt") as? Int == 1 && !child.hasChanges)
  }

  @Test(arguments: Store.every) @MainActor
  func `an object deleted in a child is deleted by the parent's save`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    let child = context.child()
    child.delete(child.object(with: quake.objectID))
    try child.save()
    #expect(quake.isDeleted && context.deletedObjects == [quake])
    let reader = container.newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    #expect(try reader.performAndWait { try reader.count(for: request) } == 1)
    try context.save()
    #expect(try reader.performAndWait { try reader.count(for: request) } == 0)
  }

  @Test(arguments: Store.every) @MainActor
  func `fetching an unsaved object of the parent calls awakeFromFetch`(_ store: Store) throws {
    let context = try store.container(of: PetOwners.model).viewContext
    _ = context.insert("Pet", ["name": "Tom"])
    let child = context.child()
    let log = Log()
    child.userInfo["log"] = log
    _ = try child.fetch("Pet").first?.value(forKey: "name")
    #expect(log.lines == ["Pet awakeFromFetch"])
  }

  @Test(arguments: Store.every) @MainActor
  func `redoing an insertion does not call awakeFromInsert again`(_ store: Store) throws {
    let context = try store.container(of: PetOwners.model).viewContext
    context.undoManager = UndoManager()
    let log = Log()
    context.userInfo["log"] = log
    _ = context.insert("Pet", ["name": "Tom"])
    context.processPendingChanges()
    context.undo()
    context.redo()
    #expect(context.insertedObjects.count == 1)
    #expect(log.lines.filter { $0 == "Pet awakeFromInsert" }.count == 1)
  }

  @Test(arguments: Store.every) @MainActor
  func `the deny rule allows a deletion together with all its destinations`(_ store: Store) throws {
    let context = try store.library().viewContext
    let file = context.make("File", "f")[0]
    let lock = context.insert("Lock", ["name": "l", "files": Set([file])])
    try context.save()
    context.delete(lock)
    #expect(throws: CocoaError.self) { try context.save() }
    context.delete(file)
    try context.save()
    #expect(try context.fetch("Lock").isEmpty && context.fetch("File").isEmpty)
  }

  @Test(arguments: Store.every) @MainActor
  func `fetching an object is not a change, but setting the same value is`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    _ = context.insert("Quake", ["code": "a"])
    try context.save()
    context.reset()
    nonisolated(unsafe) var posted: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { posted.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let quake = try #require(try context.fetch("Quake").first)
    context.processPendingChanges()
    #expect(posted.isEmpty)
    quake.setValue("a", forKey: "code")
    #expect(quake.hasChanges && context.hasChanges && !quake.hasPersistentChangedValues)
    context.processPendingChanges()
    #expect(posted.count == 1 && posted[0].keys.map { "\($0)" } == [NSUpdatedObjectsKey])
  }

  @Test(arguments: Store.allCases) @MainActor
  func `a reset posts the IDs of all objects that it discards`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quakes = ["a", "b"].map { context.insert("Quake", ["code": $0]) }
    try context.save()
    let ids = Set(quakes.map(\.objectID))
    nonisolated(unsafe) var posted: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { posted.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.reset()
    let all = try #require(posted.first?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID])
    #expect(posted.count == 1 && Set(all) == ids && context.registeredObjects.isEmpty)
    #expect(quakes.allSatisfy { $0.managedObjectContext == nil })
  }

  @Test @MainActor func `a context without a coordinator cannot save`() throws {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let entity = try #require(Quakes.model.entitiesByName["Quake"])
    let quake = NSManagedObject(entity: entity, insertInto: context)
    #expect(throws: CocoaError.self) { try context.save() }
    #expect(quake.isInserted && context.insertedObjects == [quake])
  }
}
