import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Objects that are deleted, or whose context is reset, and the notifications of their context.
@MainActor @Suite struct ContextLifecycleTests {
  // MARK: Deleting

  @Test(arguments: Store.every)
  func `deleting a deleted object does nothing`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    let new = context.insert("Quake")
    for _ in 0..<2 { [quakes[0], new].forEach(context.delete) }
    context.processPendingChanges()
    for _ in 0..<2 { [quakes[0], new].forEach(context.delete) }
    #expect(context.deletedObjects == [quakes[0]] && new.managedObjectContext == nil)
    try context.save()
    [quakes[0], new].forEach(context.delete)
    context.mergeChanges(fromContextDidSave: try container.saveElsewhere(deleting: [quakes[1]]).ids)
    context.delete(quakes[1])
    #expect(!context.hasChanges && quakes[1].isDeleted)
    try context.save()
    context.delete(quakes[1])
    #expect(try context.fetch("Quake").count == 2 && !context.hasChanges)
  }

  @Test(arguments: Store.every)
  func `an object deleted by a merge cannot be changed or found`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let (context, gone) = (container.viewContext, quakes[1])
    context.mergeChanges(fromContextDidSave: try container.saveElsewhere(deleting: [gone]).objects)
    #expect(gone.isDeleted && gone.managedObjectContext === context && gone.value(forKey: "code") as? String == "b")
    #expect(!context.hasChanges && context.deletedObjects == [gone])
    // Nothing restores it, or treats it as an object with a row.
    context.refresh(gone, mergeChanges: false)
    gone.setValue("x", forKey: "place")
    #expect(gone.isDeleted && !context.hasChanges)
    #expect(throws: CocoaError.self) { try context.existingObject(with: gone.objectID) }
    #expect(gone.managedObjectContext == nil && !gone.isDeleted && context.registeredObject(for: gone.objectID) == nil)
  }

  @Test(arguments: Store.every, [0, 1, 2, 3])
  func `a context releases objects that others deleted`(_ store: Store, _ how: Int) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    context.mergeChanges(fromContextDidSave: try container.saveElsewhere(deleting: [quakes[1]]).ids)
    #expect(quakes[1].isDeleted)
    switch how {
    case 0: try context.save()
    case 1: _ = try context.fetch("Tag")
    case 2: context.mergeChanges(fromContextDidSave: try container.saveElsewhere(changing: [quakes[0]]).ids)
    default:
      // Without changes, the context posts no notification.
      context.processPendingChanges()
      #expect(quakes[1].isDeleted)
      quakes[0].setValue("here", forKey: "place")
      context.processPendingChanges()
    }
    #expect(!quakes[1].isDeleted && quakes[1].managedObjectContext == nil)
    #expect(quakes[1].value(forKey: "code") as? String == "b")
  }

  @Test(arguments: Store.allCases)
  func `an object deleted by a merge can be inserted again`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    context.mergeChanges(fromContextDidSave: try container.saveElsewhere(deleting: [quakes[1]]).ids)
    context.insert(quakes[1])
    #expect(quakes[1].isInserted && quakes[1].managedObjectContext === context)
    #expect(context.insertedObjects == [quakes[1]])
    context.processPendingChanges()
    try context.save()
    #expect(try context.fetch("Quake").count == 4)
  }

  // MARK: The end of a context

  @Test(arguments: Store.every)
  func `a reset turns objects into faults without values`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quake = context.insert("Quake", ["code": "a", "felt": 3, "region": region])
    try context.save()
    let new = context.insert("Quake", ["code": "b", "region": region])
    quake.setValue(4, forKey: "felt")
    context.reset()
    for object in [quake, new] {
      #expect(object.isFault && object.faultingState != 0 && object.managedObjectContext == nil)
      #expect(!object.isInserted && !object.isUpdated && !object.isDeleted && !object.hasChanges)
      #expect(object.value(forKey: "code") == nil && object.value(forKey: "felt") == nil)
      #expect(object.value(forKey: "region") == nil && (object.value(forKey: "tags") as? NSSet)?.count == 0)
      #expect(object.changedValues().isEmpty && object.committedValues(forKeys: nil).isEmpty)
      #expect(object.entity.name == "Quake" && object.description.contains("fault"))
    }
    #expect(!quake.objectID.isTemporaryID && (region.value(forKey: "quakes") as? NSSet)?.count == 0)
    let again = try context.existingObject(with: quake.objectID)
    #expect(again !== quake && again.value(forKey: "felt") as? Int == 3)
    context.delete(quake)
    #expect(!context.hasChanges)
  }

  /// A new object has no row to read again.
  @Test(arguments: Store.every)
  func `a merging refresh leaves a new object unchanged`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a"])
    context.refresh(quake, mergeChanges: true)
    #expect(quake.isInserted && !quake.isFault && quake.value(forKey: "code") as? String == "a")
    try context.save()
    #expect(try context.fetch("Quake", "code == 'a'") == [quake])
  }

  // MARK: Fetching with pending changes

  @Test(arguments: Store.every)
  func `fetched objects are not faults despite unsaved changes`(_ store: Store) throws {
    let context = try store.quakes().0.newBackgroundContext()
    try context.performAndWait {
      let new = context.insert("Quake", ["code": "e"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.returnsObjectsAsFaults = false
      let found = try context.fetch(request)
      #expect(found.count == 5 && found.contains(new) && found.allSatisfy { !$0.isFault })
    }
  }

  // MARK: Values

  /// Mutating a value after setting it has no effect on the object.
  @Test(arguments: Store.every)
  func `setting a value copies it`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a"])
    let (place, wave) = (NSMutableString(string: "Fiji"), NSMutableData(data: Data([1, 2])))
    let tags = NSMutableSet(object: context.insert("Tag"))
    for (key, value) in [("place", place), ("wave", wave), ("tags", tags)] as [(String, Any)] {
      quake.setValue(value, forKey: key)
    }
    place.append(" trench")
    wave.append(Data([3]))
    tags.removeAllObjects()
    func expectCopies() {
      #expect(quake.value(forKey: "place") as? String == "Fiji")
      #expect(quake.value(forKey: "wave") as? Data == Data([1, 2]))
      #expect((quake.value(forKey: "tags") as? NSSet)?.count == 1)
    }
    expectCopies()
    try context.save()
    context.refresh(quake, mergeChanges: false)
    expectCopies()
  }

  // MARK: Contents of notifications

  /// Code that iterates over all values of the dictionary must handle the context.
  @Test(arguments: Store.every)
  func `the did-save notification names its context`(_ store: Store) throws {
    let context = try store.container().viewContext
    let notices = Notices(of: context, .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs)
    _ = context.insert("Quake")
    try context.save()
    let key = NSManagedObjectContext.NotificationKey.sourceContext.rawValue
    for (name, inserted) in [
      (NSNotification.Name.NSManagedObjectContextDidSave, NSInsertedObjectsKey),
      (.NSManagedObjectContextDidSaveObjectIDs, NSInsertedObjectIDsKey),
    ] {
      #expect(notices.keys(name) == [[key, inserted]])
      #expect(notices.all(name).first?[key] as? NSManagedObjectContext === context)
    }
  }

  @Test(arguments: Store.every)
  func `a notification marks changes that come from a merge`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    let key = "NSObjectsChangedByMergeChangesKey"
    let save = try container.saveElsewhere(changing: [quakes[0]])
    var posted = context.changes { context.mergeChanges(fromContextDidSave: save.ids) }
    #expect(posted.map { $0[key] != nil } == [true] && posted[0][NSRefreshedObjectsKey] != nil)
    posted = context.changes {
      quakes[0].setValue("mine", forKey: "place")
      context.processPendingChanges()
    }
    #expect(posted.map { $0[key] != nil } == [false])
  }

  @Test func `the did-save notification of a pinned context carries its query generation`() throws {
    let context = try Store.sqlite.container().viewContext
    let notices = Notices(of: context, .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs)
    _ = context.insert("Quake")
    try context.save()
    try context.setQueryGenerationFrom(.current)
    _ = try context.fetch("Quake")
    _ = context.insert("Quake")
    try context.save()
    let key = NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
    for name in [NSNotification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs] {
      #expect(notices.all(name).map { $0[key] is NSQueryGenerationToken } == [false, true])
      #expect(key == NSManagedObjectContextQueryGenerationKey)
    }
  }
}
