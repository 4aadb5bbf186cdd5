import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Undo and redo of changed values, insertions and deletions.
@MainActor @Suite struct UndoTests {
  @Test(arguments: Store.every)
  func `a context without an undo manager ignores undo and redo`(_ store: Store) throws {
    let container = try store.container()
    #expect(container.viewContext.undoManager == nil && container.newBackgroundContext().undoManager == nil)
    let quake = container.viewContext.insert("Quake", ["code": "a"])
    container.viewContext.undo()
    container.viewContext.redo()
    #expect(quake.isInserted)
  }

  @Test(arguments: Store.every)
  func `updates can be undone and redone`(_ store: Store) throws {
    let context = try store.undoable()
    let quake = context.insert("Quake", ["code": "a", "place": "Tonga", "magnitude": 1.0])
    try context.save()
    context.undoManager?.removeAllActions()
    context.step {
      quake.setValue("Chile", forKey: "place")
      quake.setValue("Peru", forKey: "place")
      quake.setValue(nil, forKey: "magnitude")
    }
    context.step { quake.setValue(7, forKey: "felt") }
    #expect(context.undoManager?.undoCount == 2)
    context.undo()
    #expect(quake.value(forKey: "felt") == nil && quake.value(forKey: "place") as? String == "Peru")
    #expect(quake.isUpdated)
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 1)
    #expect(!context.hasChanges && !quake.isUpdated)
    context.redo()
    context.redo()
    #expect(quake.value(forKey: "place") as? String == "Peru" && quake.value(forKey: "magnitude") == nil)
    #expect(quake.value(forKey: "felt") as? Int == 7)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "place == 'Peru' AND felt == 7").count == 1)
  }

  @Test(arguments: Store.every)
  func `undo includes unprocessed changes`(_ store: Store) throws {
    let context = try store.undoable()
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    quake.setValue("Chile", forKey: "place")
    context.undoManager?.undo()
    #expect(quake.value(forKey: "place") == nil)
    quake.setValue("Peru", forKey: "place")
    #expect(context.undoManager?.canUndo == true && context.undoManager?.canRedo == false)
  }

  @Test(arguments: Store.every)
  func `an insertion can be undone and redone`(_ store: Store) throws {
    let context = try store.undoable()
    let region = context.insert("Region", ["name": "Tonga"])
    try context.save()
    nonisolated(unsafe) var posted: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { posted.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    var quake: NSManagedObject!
    context.step { quake = context.insert("Quake", ["code": "a", "magnitude": 5.0, "region": region]) }
    let id = quake.objectID
    context.undo()
    #expect(quake.managedObjectContext == nil && region.members("quakes").isEmpty && !context.hasChanges)
    #expect(posted.last?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [quake!])
    context.redo()
    #expect(quake.isInserted && quake.managedObjectContext === context && quake.objectID == id)
    #expect(posted.last?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [quake!])
    #expect(region.members("quakes") == [quake] && quake.value(forKey: "region") as? NSManagedObject === region)
    #expect(quake.value(forKey: "magnitude") as? Double == 5)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga'").count == 1)
  }

  @Test(arguments: Store.every)
  func `undoing an insertion does not delete related objects`(_ store: Store) throws {
    let context = try store.undoable()
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    var region: NSManagedObject!
    context.step {
      region = context.insert("Region", ["name": "Tonga"])
      quake.setValue(region, forKey: "region")
    }
    context.undo()
    #expect(region.managedObjectContext == nil && quake.managedObjectContext === context && !quake.isDeleted)
    #expect(quake.value(forKey: "region") == nil && !context.hasChanges)
    context.redo()
    #expect(quake.value(forKey: "region") as? NSManagedObject === region && region.members("quakes") == [quake])
  }

  @Test(arguments: Store.every)
  func `undoing a deletion restores cascaded deletions`(_ store: Store) throws {
    let context = try store.undoable()
    let region = context.insert("Region", ["name": "Tonga"])
    let tag = context.insert("Tag", ["name": "red"])
    let quake = context.insert("Quake", ["code": "a", "region": region, "tags": NSSet(object: tag)])
    try context.save()
    context.step { context.delete(region) }
    #expect(quake.isDeleted && tag.members("quakes").isEmpty)
    context.undo()
    #expect(!region.isDeleted && !quake.isDeleted && context.deletedObjects.isEmpty)
    #expect(region.members("quakes") == [quake] && tag.members("quakes") == [quake])
    #expect(quake.members("tags") == [tag] && !context.hasChanges)
    context.redo()
    #expect(context.deletedObjects == [region, quake] && tag.members("quakes").isEmpty)
    context.undo()
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga' AND ANY tags.name == 'red'").count == 1)
  }

  @Test(arguments: Store.every)
  func `undo restores an unsaved owner with its members`(_ store: Store) throws {
    let context = try store.undoable()
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    let region = context.insert("Region", ["name": "Tonga"])
    quake.setValue(region, forKey: "region")
    context.processPendingChanges()
    context.step { context.delete(region) }
    #expect(quake.isDeleted && region.managedObjectContext == nil)
    context.undo()
    #expect(region.members("quakes") == [quake] && quake.value(forKey: "region") as? NSManagedObject === region)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga'").count == 1)
  }

  @Test(arguments: Store.every)
  func `undoing a saved deletion inserts new objects`(_ store: Store) throws {
    let context = try store.undoable()
    let region = context.insert("Region", ["name": "Tonga"])
    let tag = context.insert("Tag", ["name": "red"])
    let quake = context.insert(
      "Quake", ["code": "a", "place": "here", "region": region, "tags": NSSet(object: tag)])
    try context.save()
    let id = quake.objectID
    context.step { context.delete(region) }
    try context.save()
    #expect(quake.managedObjectContext == nil && context.undoManager?.canUndo == true)
    context.undo()
    #expect(quake.isInserted && region.isInserted && quake.objectID.isTemporaryID && quake.objectID != id)
    #expect(region.members("quakes") == [quake] && tag.members("quakes") == [quake])
    try context.save()
    context.reset()
    let back = try context.fetch("Quake", "region.name == 'Tonga' AND ANY tags.name == 'red' AND place == 'here'")
    #expect(back.count == 1 && back.first?.objectID != id)
  }

  @Test(arguments: Store.every)
  func `undoing after a save makes new changes`(_ store: Store) throws {
    let context = try store.undoable()
    let quake = context.insert("Quake", ["code": "a", "place": "Tonga"])
    try context.save()
    quake.setValue("Chile", forKey: "place")
    try context.save()
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.isUpdated)
    try context.save()
    context.undo()
    #expect(quake.isDeleted)
    try context.save()
    #expect(try context.fetch("Quake").isEmpty)
    context.redo()
    #expect(quake.isInserted)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "place == 'Tonga'").count == 1)
  }
}
