import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Transient properties: values and relationships that exist only while the object is not a fault.
@MainActor @Suite struct TransientTests {
  private static let model: NSManagedObjectModel = {
    let note = makeEntity(
      "Note",
      [
        attribute("title"), attribute("draft", optional: false, transient: true),
        attribute("state", default: "new", transient: true),
        attribute("count", .integer32, default: 3, transient: true),
        attribute("cache", .undefined, transient: true),
      ])
    let tag = makeEntity("Tag", [attribute("name")])
    let model = makeModel(note, tag)
      .relate("Note", "helper", .one, "Tag").relate("Note", "marks", .many, "Tag", "owner", .one)
      .relate("Note", "steps", .ordered, "Tag")
    for case let relationship as NSRelationshipDescription in note.properties + tag.properties {
      relationship.isTransient = true
    }
    model.setEntities([note], forConfigurationName: "Notes")
    model.setEntities([tag], forConfigurationName: "Tags")
    return model
  }()

  /// A container with a saved note and a saved tag.
  private func filled(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.people(Self.model)
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      _ = writer.insert("Note", ["title": "saved", "draft": "d"])
      _ = writer.insert("Tag", ["name": "t"])
      try writer.save()
    }
    return container
  }

  private func first(_ context: NSManagedObjectContext, _ entity: String = "Note") throws -> NSManagedObject {
    try #require(try context.fetch(entity).first)
  }

  // MARK: Validation

  @Test(arguments: Store.every)
  func `a fetched object can be saved without its required transient value`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let note = try first(context)
    #expect(note.value(forKey: "draft") == nil)
    note.setValue("changed", forKey: "title")
    try context.save()
    note.setValue("draft", forKey: "draft")
    #expect(note.hasChanges && !note.hasPersistentChangedValues)
    try context.save()
    // A value that the program sets to nil is missing.
    note.setValue(nil, forKey: "draft")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .validationMissingMandatoryProperty)
    context.rollback()
    #expect(note.value(forKey: "draft") as? String == "draft")
    _ = context.insert("Note")
    #expect(throws: CocoaError.self) { try context.save() }
  }

  // MARK: Defaults

  @Test(arguments: Store.every)
  func `a fetched object has transient default values`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let note = try first(context)
    func isDefault(_ note: NSManagedObject) -> Bool {
      note.value(forKey: "state") as? String == "new" && note.value(forKey: "count") as? Int == 3
    }
    #expect(isDefault(note) && !note.hasChanges && note.value(forKey: "title") as? String == "saved")
    let child = context.child()
    #expect(isDefault(try first(child)))
    note.setValue("old", forKey: "state")
    note.setValue("changed", forKey: "title")
    context.refresh(note, mergeChanges: true)
    #expect(note.value(forKey: "state") as? String == "old" && note.value(forKey: "count") as? Int == 3)
    context.rollback()
    #expect(isDefault(note) && !note.hasChanges)
    note.setValue(5, forKey: "count")
    note.setValue("changed", forKey: "title")
    try context.save()
    #expect(note.value(forKey: "count") as? Int == 5)
    context.refreshAllObjects()
    #expect(note.isFault && isDefault(note) && note.value(forKey: "title") as? String == "changed")
  }

  @Test(arguments: Store.every)
  func `a fault changed only through an inverse has transient default values`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let note = context.object(with: try first(context).objectID)
    context.refreshAllObjects()
    try first(context, "Tag").setValue(note, forKey: "owner")
    try context.save()
    #expect(note.value(forKey: "count") as? Int == 3 && (note.value(forKey: "marks") as? NSSet)?.count == 1)
  }

  // MARK: A child's values

  @Test(arguments: Store.every)
  func `a child saves its transient values to its parent`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let (note, tag) = (try first(context), try first(context, "Tag"))
    let child = context.child().child()
    let below = try #require(try child.existingObject(with: note.objectID) as NSManagedObject?)
    below.setValue("typed", forKey: "draft")
    try child.save()
    try child.parent?.save()
    #expect(note.value(forKey: "draft") as? String == "typed" && note.hasChanges && !note.hasPersistentChangedValues)

    below.setValue([1, 2], forKey: "cache")
    let other = child.object(with: tag.objectID)
    below.setValue(other, forKey: "helper")
    below.setValue(Set([other]), forKey: "marks")
    below.setValue(NSOrderedSet(array: [other]), forKey: "steps")
    let new = child.insert("Note", ["title": "new", "draft": "fresh", "cache": 7])
    try child.save()
    try child.parent?.save()
    #expect(
      note.value(forKey: "cache") as? [Int] == [1, 2] && note.value(forKey: "helper") as? NSManagedObject === tag)
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag])
    #expect((note.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == [tag])
    #expect(tag.value(forKey: "owner") as? NSManagedObject === note)
    let inserted = try #require(context.insertedObjects.first)
    #expect(inserted.value(forKey: "draft") as? String == "fresh" && inserted.value(forKey: "cache") as? Int == 7)
    try context.save()
    #expect(note.value(forKey: "draft") as? String == "typed" && inserted.value(forKey: "cache") as? Int == 7)
    #expect(below.value(forKey: "helper") as? NSManagedObject === other && new.value(forKey: "cache") as? Int == 7)
  }

  /// Each object computes its own transient values: a child starts with those of a newly fetched object.
  @Test(arguments: Store.every)
  func `a child does not see transient values of its parent`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let (note, tag) = (try first(context), try first(context, "Tag"))
    note.setValue("typed", forKey: "draft")
    note.setValue("old", forKey: "state")
    note.setValue(9, forKey: "count")
    note.setValue([1], forKey: "cache")
    note.setValue(tag, forKey: "helper")
    let new = context.insert("Note", ["title": "new", "draft": "fresh", "count": 8])
    let child = context.child()
    let saved = try #require(try child.fetch("Note", "title == 'saved'").first)
    let unsaved = try #require(try child.existingObject(with: new.objectID) as NSManagedObject?)
    for below in [saved, unsaved] {
      #expect(below.value(forKey: "draft") == nil && below.value(forKey: "cache") == nil)
      #expect(below.value(forKey: "state") as? String == "new" && below.value(forKey: "count") as? Int == 3)
      #expect(below.value(forKey: "helper") == nil && !below.hasChanges)
    }
    #expect(unsaved.value(forKey: "title") as? String == "new")
    saved.setValue("changed", forKey: "title")
    try child.save()
    #expect(note.value(forKey: "title") as? String == "changed" && note.value(forKey: "draft") as? String == "typed")
    #expect(note.value(forKey: "count") as? Int == 9 && note.value(forKey: "helper") as? NSManagedObject === tag)
  }

  // MARK: Relationships

  @Test(arguments: Store.every)
  func `transient relationships keep their members until a refresh`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let (note, tag) = (try first(context), try first(context, "Tag"))
    let new = context.insert("Tag", ["name": "new"])
    tag.setValue(note, forKey: "owner")
    new.setValue(note, forKey: "owner")
    note.mutableOrderedSetValue(forKey: "steps").add(new)
    note.setValue(new, forKey: "helper")
    #expect(note.hasChanges && !note.hasPersistentChangedValues && note.changedValues().isEmpty)
    try context.save()
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag, new])
    #expect((note.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == [new])
    #expect(note.value(forKey: "helper") as? NSManagedObject === new && !new.objectID.isTemporaryID)
    #expect(note.committedValues(forKeys: nil)["marks"] == nil)

    tag.setValue(nil, forKey: "owner")
    note.setValue("changed", forKey: "title")
    context.refresh(note, mergeChanges: true)
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [new])
    context.rollback()
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag, new])
    context.delete(new)
    try context.save()
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag])
    context.refresh(note, mergeChanges: true)
    #expect(note.isFault && (note.value(forKey: "marks") as? NSSet)?.count == 0)
    #expect(note.value(forKey: "helper") == nil)
  }

  @Test(arguments: Store.every)
  func `undo restores transient values`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let (note, tag) = (try first(context), try first(context, "Tag"))
    context.undoManager = UndoManager()
    note.setValue("draft", forKey: "draft")
    note.setValue(9, forKey: "count")
    note.setValue(Set([tag]), forKey: "marks")
    context.processPendingChanges()
    context.undo()
    #expect(note.value(forKey: "draft") == nil && note.value(forKey: "count") as? Int == 3)
    #expect((note.value(forKey: "marks") as? NSSet)?.count == 0 && tag.value(forKey: "owner") == nil)
    context.redo()
    #expect(note.value(forKey: "draft") as? String == "draft" && note.value(forKey: "count") as? Int == 9)
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag])
  }

  @Test(arguments: Store.allCases)
  func `transient relationships can lead to another store`(_ store: Store) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    for name in ["Notes", "Tags"] {
      let url = try store.url(name)
      _ = try coordinator.addPersistentStore(
        ofType: store.rawValue, configurationName: name, at: url, options: nil)
    }
    let context = coordinator.context()
    let (note, tag) = (context.insert("Note", ["title": "n", "draft": "d"]), context.insert("Tag", ["name": "t"]))
    note.setValue(tag, forKey: "helper")
    note.setValue(Set([tag]), forKey: "marks")
    note.setValue(NSOrderedSet(array: [tag]), forKey: "steps")
    try context.obtainPermanentIDs(for: [note, tag])
    try context.save()
    #expect(note.objectID.persistentStore !== tag.objectID.persistentStore)
    let more = context.insert("Tag", ["name": "more"])
    note.setValue(more, forKey: "helper")
    more.setValue(note, forKey: "owner")
    note.setValue("changed", forKey: "title")
    try context.save()
    #expect(note.value(forKey: "helper") as? NSManagedObject === more && more.objectID.persistentStore != nil)
    #expect(note.value(forKey: "marks") as? Set<NSManagedObject> == [tag, more])
    let reader = coordinator.context()
    #expect(try first(reader).value(forKey: "title") as? String == "changed" && reader.fetch("Tag").count == 2)
  }
}
