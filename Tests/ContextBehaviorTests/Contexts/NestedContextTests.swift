import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Contexts that save into parent contexts, all on the main queue so that the order is visible.
@MainActor @Suite struct NestedContextTests {
  @Test(arguments: Store.every)
  func `a save moves changes up one level`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let root = coordinator.context()
    let middle = root.child()
    let leaf = middle.child()
    let team = leaf.insert("Team", ["name": "Red"])
    let ann = leaf.insert("Person", ["email": "a@x", "team": team])
    let group = leaf.insert("Group", ["name": "chess"])
    ann.setValue([group] as Set<NSManagedObject>, forKey: "groups")
    try leaf.save()
    #expect(!leaf.hasChanges && middle.insertedObjects.count == 3 && !root.hasChanges)
    try middle.save()
    #expect(!middle.hasChanges && root.insertedObjects.count == 3)
    #expect(try coordinator.context().fetch("Person").isEmpty)
    try root.save()
    let reader = coordinator.context()
    let row = try #require(try reader.fetch("Person").first)
    #expect(row.object("team")?.text("name") == "Red" && row.set("groups").count == 1)
    #expect(leaf.persistentStoreCoordinator === coordinator && leaf.parent === middle)
  }

  @Test(arguments: Store.every)
  func `a fetch sees unsaved changes of the parents`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let middle = root.child()
    let leaf = middle.child()
    let ann = root.insert("Person", ["email": "a@x", "name": "Ann"])
    #expect(try leaf.fetch("Person", "name == 'Ann'").count == 1)
    try root.save()
    ann.setValue("Anna", forKey: "name")
    _ = middle.insert("Person", ["email": "b@x", "name": "Anna"])
    #expect(try leaf.fetch("Person", "name == 'Anna'").count == 2)
    root.delete(ann)
    #expect(try leaf.fetch("Person").count == 1)
    #expect(try leaf.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 1)
  }

  @Test(arguments: Store.every)
  func `a child finds an object again after its parent undoes the deletion`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let leaf = root.child()
    let ann = root.insert("Person", ["email": "a@x"])
    try root.save()
    root.undoManager = UndoManager()
    root.undoManager?.groupsByEvent = false
    let fault = leaf.object(with: ann.objectID)
    root.step { root.delete(ann) }
    #expect(fault.value(forKey: "email") == nil && fault.isDeleted)
    root.undo()
    leaf.refreshAllObjects()
    #expect(!fault.isDeleted && !leaf.hasChanges && fault.value(forKey: "email") as? String == "a@x")
    #expect(try leaf.fetch("Person") == [fault])
  }

  @Test(arguments: Store.every)
  func `undoing a saved deletion inserts the object again`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let root = coordinator.context()
    let middle = root.child()
    let leaf = middle.child()
    leaf.undoManager = UndoManager()
    leaf.undoManager?.groupsByEvent = false
    _ = root.insert("Person", ["email": "a@x"])
    let ann = try #require(try leaf.fetch("Person").first)
    leaf.step { leaf.delete(ann) }
    try leaf.save()
    leaf.undo()
    for context in [leaf, middle, root] {
      try context.save()
      #expect(try context.fetch("Person").map { $0.text("email") } == ["a@x"])
    }
    #expect(try coordinator.context().fetch("Person").count == 1)
  }

  @Test(arguments: Store.every)
  func `a child keeps temporary IDs until its next fetch`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let middle = root.child()
    let leaf = middle.child()
    let ann = leaf.insert("Person", ["email": "a@x"])
    let team = leaf.insert("Team", ["name": "Red"])
    ann.setValue(team, forKey: "team")
    let temporary = ann.objectID
    try leaf.save()
    try middle.save()
    try root.save()
    #expect(ann.objectID == temporary && ann.objectID.isTemporaryID)
    let saved = try #require(try root.fetch("Person").first).objectID
    #expect(!saved.isTemporaryID)

    let found = try leaf.fetch("Person")
    #expect(found == [ann] && found[0] === ann && ann.objectID == saved)
    #expect(ann.object("team") === team && team.set("members") == [ann])
    #expect(leaf.registeredObject(for: saved) === ann && leaf.object(with: temporary) === ann)
  }

  @Test(arguments: Store.every)
  func `obtainPermanentIDs finds the row that a parent already saved`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let middle = root.child()
    let leaf = middle.child()
    let ann = leaf.insert("Person", ["email": "a@x"])
    try leaf.save()
    try middle.save()
    try root.save()
    // No ancestor retains the object any more.
    #expect(root.registeredObjects.isEmpty && ann.objectID.isTemporaryID)
    try leaf.obtainPermanentIDs(for: [ann])
    let saved = try #require(try root.fetch("Person").first)
    #expect(ann.objectID == saved.objectID && !ann.objectID.isTemporaryID)
    #expect(try leaf.existingObject(with: saved.objectID) === ann)
  }

  @Test(arguments: Store.every)
  func `a refresh replaces a temporary ID with the permanent one`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let leaf = root.child()
    let ann = leaf.insert("Person", ["email": "a@x", "name": "Ann"])
    try leaf.save()
    try root.save()
    let id = try #require(try root.fetch("Person").first).objectID
    try root.existingObject(with: id).setValue("Anna", forKey: "name")
    leaf.refresh(ann, mergeChanges: true)
    #expect(ann.objectID == id && ann.text("name") == "Anna")
  }

  @Test(arguments: Store.every)
  func `objects with outdated temporary IDs can be changed and deleted`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let root = coordinator.context()
    let leaf = root.child()
    let (ann, bob) = (leaf.insert("Person", ["email": "a@x"]), leaf.insert("Person", ["email": "b@x"]))
    let team = leaf.insert("Team", ["name": "Red"])
    try leaf.save()
    try root.save()
    ann.setValue("Ann", forKey: "name")
    let carl = leaf.insert("Person", ["email": "c@x", "team": team])
    #expect(carl.objectID.isTemporaryID && team.objectID.isTemporaryID)
    leaf.delete(bob)
    try leaf.save()
    #expect(root.deletedObjects.count == 1 && root.updatedObjects.count == 2 && root.insertedObjects.count == 1)
    try root.save()
    let reader = coordinator.context()
    let rows = try reader.fetch("Person", sort: [NSSortDescriptor(key: "email", ascending: true)])
    #expect(rows.map { $0.text("email") } == ["a@x", "c@x"] && rows[0].text("name") == "Ann")
    #expect(rows[1].object("team")?.text("name") == "Red")
  }

  @Test(arguments: Store.every)
  func `a predicate can refer to an object with an outdated temporary ID`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let leaf = root.child()
    let team = leaf.insert("Team", ["name": "Red"])
    _ = leaf.insert("Person", ["email": "a@x", "team": team])
    try leaf.save()
    try root.save()
    #expect(try leaf.fetch("Person", "team == %@", [team]).count == 1)
  }

  @Test(arguments: Store.every)
  func `permanent IDs are obtained through all parents`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let root = coordinator.context()
    let leaf = root.child().child()
    let ann = leaf.insert("Person", ["email": "a@x"])
    try leaf.obtainPermanentIDs(for: [ann])
    let id = ann.objectID
    #expect(!id.isTemporaryID && ann.isInserted)
    try leaf.save()
    try leaf.parent?.save()
    #expect(root.insertedObjects.map(\.objectID) == [id])
    try root.save()
    #expect(try coordinator.context().fetch("Person").map(\.objectID) == [id])
    // An object that was already saved into the parent has the same ID at all levels.
    let bob = leaf.insert("Person", ["email": "b@x"])
    try leaf.save()
    try leaf.obtainPermanentIDs(for: [bob])
    #expect(leaf.parent?.insertedObjects.map(\.objectID) == [bob.objectID] && !bob.objectID.isTemporaryID)
    bob.setValue("Bob", forKey: "name")
    try leaf.save()
    try leaf.parent?.save()
    try root.save()
    #expect(try coordinator.context().fetch("Person", "name == 'Bob'").map(\.objectID) == [bob.objectID])
  }

  @Test(arguments: Store.every)
  func `releasing a child leaves its parent unchanged`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let ann = root.insert("Person", ["email": "a@x", "name": "Ann"])
    try root.save()
    weak var released: NSManagedObjectContext?
    do {
      let leaf = root.child()
      released = leaf
      _ = leaf.insert("Person", ["email": "b@x"])
      try leaf.existingObject(with: ann.objectID).setValue("changed", forKey: "name")
      leaf.delete(try leaf.existingObject(with: ann.objectID))
      // The pending end-of-event block retains nothing either.
    }
    #expect(released == nil && !root.hasChanges && ann.text("name") == "Ann")
    #expect(try root.fetch("Person").count == 1)
  }

  @Test(arguments: Store.every)
  func `unused nested contexts are freed`(_ store: Store) throws {
    weak var root: NSManagedObjectContext?
    weak var leaf: NSManagedObjectContext?
    try autoreleased {
      let parent = try store.coordinator().context(.privateQueueConcurrencyType)
      let child = parent.child(.privateQueueConcurrencyType)
      (root, leaf) = (parent, child)
      try child.performAndWait {
        let team = child.insert("Team", ["name": "Red"])
        _ = child.insert("Person", ["email": "a@x", "team": team])
        try child.save()
      }
      try parent.performAndWait { try parent.save() }
      #expect(root != nil && leaf != nil)
    }
    #expect(root == nil && leaf == nil)
  }

  private func autoreleased(_ body: () throws -> Void) rethrows { try body() }

  @Test(arguments: Store.every)
  func `a child validates its own save`(_ store: Store) throws {
    let root = try store.container().viewContext
    let leaf = root.child()
    let quake = leaf.insert("Quake")
    quake.setValue(nil, forKey: "code")
    let error = try #require(throws: CocoaError.self) { try leaf.save() }
    #expect(error.code.rawValue == NSValidationMissingMandatoryPropertyError)
    #expect(quake.isInserted && !root.hasChanges)
  }

  @Test(arguments: Store.every)
  func `saves of siblings do not conflict`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let ann = root.insert("Person", ["email": "a@x", "name": "Ann", "note": "old"])
    try root.save()
    let (first, second) = (root.child(), root.child())
    try first.existingObject(with: ann.objectID).setValue("first", forKey: "name")
    let later = try second.existingObject(with: ann.objectID)
    later.setValue("second", forKey: "name")
    later.setValue("new", forKey: "note")
    try first.save()
    try second.save()
    #expect(ann.text("name") == "second" && ann.text("note") == "new")
    try root.save()
  }

  @Test(arguments: Store.every)
  func `siblings merge each other's saves`(_ store: Store) async throws {
    let root = try store.coordinator().context(.privateQueueConcurrencyType)
    let (writer, reader) = (
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    (writer.parent, reader.parent) = (root, root)
    reader.automaticallyMergesChangesFromParent = true
    let (id, doomed) = try await root.perform {
      let (ann, bob) = (
        root.insert("Person", ["email": "a@x", "name": "Ann"]), root.insert("Person", ["email": "b@x"])
      )
      try root.save()
      return (ann.objectID, bob.objectID)
    }
    nonisolated(unsafe) let (ann, bob) = try await reader.perform {
      nonisolated(unsafe) let pair = (try reader.existingObject(with: id), try reader.existingObject(with: doomed))
      return pair
    }
    try await writer.perform {
      try writer.existingObject(with: id).setValue("Anna", forKey: "name")
      writer.delete(try writer.existingObject(with: doomed))
      _ = writer.insert("Person", ["email": "c@x"])
      try writer.save()
    }
    await reader.perform(schedule: .enqueued) {
      #expect(ann.text("name") == "Anna" && bob.managedObjectContext == nil)
      #expect(!reader.hasChanges)
    }
    try await root.perform { try root.save() }
    await reader.perform(schedule: .enqueued) { #expect(!reader.hasChanges && ann.text("name") == "Anna") }
  }

  @Test(arguments: Store.every)
  func `a child cannot find an object that its parent deleted`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let ann = root.insert("Person", ["email": "a@x"])
    try root.save()
    let leaf = root.child()
    root.delete(ann)
    let error = try #require(throws: CocoaError.self) { try leaf.existingObject(with: ann.objectID) }
    #expect(error.code.rawValue == NSManagedObjectReferentialIntegrityError)
    let fault = leaf.object(with: ann.objectID)
    #expect(fault.text("email") == nil && fault.isDeleted)
  }

  @Test(arguments: Store.every)
  func `a rollback of a child leaves its parent unchanged`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let ann = root.insert("Person", ["email": "a@x", "name": "Ann"])
    let leaf = root.child()
    let childPerson = try leaf.existingObject(with: ann.objectID)
    childPerson.setValue("child", forKey: "name")
    _ = leaf.insert("Person")
    leaf.rollback()
    #expect(!leaf.hasChanges && childPerson.text("name") == "Ann" && ann.isInserted)
  }

  /// A child's new objects have only temporary IDs.
  @Test(arguments: Store.every)
  func `save notifications carry the IDs that their context uses`(_ store: Store) throws {
    let root = try store.coordinator().context()
    let leaf = root.child()
    nonisolated(unsafe) var notes: [[AnyHashable: Any]] = []
    let observers = [root, leaf].map { context in
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSaveObjectIDs, object: context, queue: nil
      ) { notes.append($0.userInfo ?? [:]) }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    let ann = leaf.insert("Person", ["email": "a@x"])
    try leaf.save()
    let ids = notes.map { $0[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> }
    #expect(ids == [[ann.objectID]] && ann.objectID.isTemporaryID)
    try root.save()
    let permanent = notes.last?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
    #expect(notes.count == 2 && permanent?.first?.isTemporaryID == false)
  }

  @Test func `a context cannot have both a parent and a coordinator`() async {
    let parentAfterCoordinator = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
      let context = coordinator.context(.privateQueueConcurrencyType)
      context.parent = coordinator.context(.privateQueueConcurrencyType)
    }
    #expect(parentAfterCoordinator.errorText.contains("Context already has a coordinator; cannot replace."))
    let coordinatorAfterParent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
      let context = coordinator.context(.privateQueueConcurrencyType).child(.privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    }
    #expect(coordinatorAfterParent.errorText.contains("Context already has a parent; cannot replace."))
  }
}
