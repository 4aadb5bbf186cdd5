import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Groups of changes that are undone together, and changes that cannot be undone.
@MainActor @Suite struct UndoGroupTests {
  @Test(arguments: Store.every)
  func `changes made while registration is disabled cannot be undone`(_ store: Store) throws {
    let context = try store.undoable()
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    manager.removeAllActions()
    context.step { quake.setValue("Chile", forKey: "place") }
    context.processPendingChanges()
    manager.disableUndoRegistration()
    context.step { quake.setValue(3.0, forKey: "magnitude") }
    manager.enableUndoRegistration()
    #expect(manager.undoCount == 1)
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 3)
    quake.setPrimitiveValue("silent", forKey: "place")
    context.processPendingChanges()
    #expect(!manager.canUndo)
  }

  @Test(arguments: Store.every)
  func `an explicit group includes several batches of changes`(_ store: Store) throws {
    let context = try store.undoable()
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    manager.removeAllActions()
    quake.setValue(1.0, forKey: "magnitude")
    manager.beginUndoGrouping()
    context.step { quake.setValue("Chile", forKey: "place") }
    quake.setValue("Peru", forKey: "place")
    manager.setActionName("Move")
    manager.endUndoGrouping()
    #expect(manager.undoCount == 2 && manager.undoActionName == "Move")
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 1)
    #expect(manager.redoActionName == "Move")
    manager.levelsOfUndo = 1
    context.redo()
    #expect(quake.value(forKey: "place") as? String == "Peru" && manager.undoCount == 1)
  }

  @Test(arguments: Store.every)
  func `an event of a private queue is one undo group`(_ store: Store) async throws {
    let context = try store.container().newBackgroundContext()
    context.undoManager = UndoManager()
    let quake = try await context.perform { [unowned context] in
      nonisolated(unsafe) let quake = context.insert("Quake", ["place": "Tonga"])
      try context.save()
      quake.setValue("Chile", forKey: "place")
      context.processPendingChanges()
      quake.setValue(2.0, forKey: "magnitude")
      return quake
    }
    nonisolated(unsafe) let shared = quake
    await context.perform { shared.setValue("Peru", forKey: "place") }
    context.performAndWait {
      #expect(context.undoManager?.groupingLevel == 0 && context.undoManager?.undoCount == 2)
      context.undo()
      #expect(shared.value(forKey: "place") as? String == "Chile")
      context.undo()
      #expect(shared.isDeleted && !context.undoManager!.canUndo)
    }
  }

  @Test(arguments: Store.every)
  func `a turn of the main queue is one undo group`(_ store: Store) async throws {
    let context = try store.container().viewContext
    context.undoManager = UndoManager()
    let quake = context.insert("Quake", ["place": "Tonga"])
    await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } }
    #expect(context.undoManager?.undoCount == 1)
    quake.setValue("Chile", forKey: "place")
    context.processPendingChanges()
    quake.setValue("Peru", forKey: "place")
    await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } }
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.isInserted)
  }

  @Test(arguments: Store.every)
  func `rollback and reset clear the undo stack`(_ store: Store) throws {
    let context = try store.undoable()
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    context.step { quake.setValue("Chile", forKey: "place") }
    let extra = context.insert("Quake")
    context.rollback()
    #expect(!manager.canUndo && !manager.canRedo && extra.managedObjectContext == nil)
    #expect(quake.value(forKey: "place") as? String == "Tonga")
    context.step { quake.setValue("Chile", forKey: "place") }
    context.reset()
    #expect(!manager.canUndo)
  }

  @Test(arguments: Store.every)
  func `undo does not revert merged changes`(_ store: Store) throws {
    let container = try store.container()
    let (context, other) = (container.viewContext, container.newBackgroundContext())
    context.undoManager = UndoManager()
    let quake = context.insert("Quake", ["place": "Tonga", "magnitude": 1.0])
    let doomed = context.insert("Quake", ["place": "x"])
    try context.save()
    let id = quake.objectID
    context.undoManager?.removeAllActions()
    quake.setValue("Chile", forKey: "place")
    doomed.setValue("y", forKey: "place")
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try other.existingObject(with: id).setValue(2.0, forKey: "magnitude")
      other.delete(try other.existingObject(with: doomed.objectID))
      try other.save()
    }
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 2)
    #expect(doomed.managedObjectContext == nil && context.undoManager?.canUndo == false)
    try context.save()
  }

  @Test(arguments: Store.every)
  func `a parent can undo the save of its child`(_ store: Store) throws {
    let parent = try store.undoable()
    let quake = parent.insert("Quake", ["place": "Tonga"])
    try parent.save()
    let child = parent.child()
    try child.existingObject(with: quake.objectID).setValue("Chile", forKey: "place")
    _ = child.insert("Quake", ["place": "new"])
    try child.save()
    #expect(quake.value(forKey: "place") as? String == "Chile" && parent.insertedObjects.count == 1)
    parent.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && parent.insertedObjects.isEmpty)
    #expect(!parent.hasChanges)
  }

}
