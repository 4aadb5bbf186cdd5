import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Merges of saves by other contexts.
@MainActor @Suite struct MergeTests {
  private typealias IDs = Set<NSManagedObjectID>

  @Test(arguments: Store.every, [false, true])
  func `a merge posts its changes`(_ store: Store, byIDs: Bool) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    quakes[2].setValue(9, forKey: "felt")
    context.processPendingChanges()
    let save = try container.saveElsewhere(
      changing: [quakes[0], quakes[2]], deleting: [quakes[1]], inserting: ["e"])
    let gone = quakes[1].objectID
    let notices = Notices(
      of: context, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs)
    context.mergeChanges(fromContextDidSave: byIDs ? save.ids : save.objects)

    let changes = notices.all(.NSManagedObjectContextObjectsDidChange)
    #expect(changes.count == 1)
    let new = try #require(changes[0][NSInsertedObjectsKey] as? Set<NSManagedObject>)
    #expect(new.map { $0.value(forKey: "code") as? String } == ["e"] && new.first?.managedObjectContext === context)
    #expect(changes[0][NSRefreshedObjectsKey] as? Set<NSManagedObject> == [quakes[0]])
    #expect(changes[0][NSUpdatedObjectsKey] as? Set<NSManagedObject> == [quakes[2]])
    #expect(changes[0][NSDeletedObjectsKey] as? Set<NSManagedObject> == [quakes[1]])
    let merges = notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs)
    #expect(merges.count == 1)
    #expect(merges[0][NSInsertedObjectIDsKey] as? IDs == Set(new.map(\.objectID)))
    #expect(merges[0][NSUpdatedObjectIDsKey] as? IDs == [quakes[0].objectID, quakes[2].objectID])
    #expect(merges[0][NSRefreshedObjectIDsKey] as? IDs == [quakes[0].objectID])
    #expect(merges[0][NSDeletedObjectIDsKey] as? IDs == [gone])
    #expect(
      merges[0][NSManagedObjectContext.NotificationKey.sourceContext.rawValue] as? NSManagedObjectContext === context)
    #expect(quakes[0].value(forKey: "place") as? String == "new" && !quakes[0].hasChanges)
    #expect(quakes[2].value(forKey: "place") as? String == "new" && quakes[2].value(forKey: "felt") as? Int == 9)
    #expect(quakes[1].isDeleted && quakes[1].managedObjectContext === context)
    #expect(context.updatedObjects == [quakes[2]] && context.insertedObjects.isEmpty)
    #expect(context.deletedObjects == [quakes[1]] && !context.registeredObjects.contains(quakes[1]))
    try context.save()
    #expect(context.deletedObjects.isEmpty)
    #expect(quakes[1].managedObjectContext == nil && !quakes[1].isDeleted)
  }

  @Test(arguments: Store.every)
  func `a merge notification omits empty sets`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    let save = try container.saveElsewhere(changing: [quakes[0]])
    let notices = Notices(
      of: context, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidMergeChangesObjectIDs)
    context.mergeChanges(fromContextDidSave: save.ids)
    let merged = "NSObjectsChangedByMergeChangesKey"
    #expect(notices.keys(.NSManagedObjectContextObjectsDidChange) == [[NSRefreshedObjectsKey, merged]])
    #expect(
      notices.keys(.NSManagedObjectContextDidMergeChangesObjectIDs)
        == [[NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey, "managedObjectContext"]])
    context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: nil))
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).count == 1)
    #expect(notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).count == 1)
    // A context does not retain unchanged objects.
    withExtendedLifetime(quakes) {}
  }

  @Test(arguments: Store.every)
  func `a merge does not register unknown objects`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.newBackgroundContext()
    let save = try container.saveElsewhere(changing: [quakes[0]], deleting: [quakes[1]])
    let id = quakes[0].objectID
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    context.performAndWait {
      context.mergeChanges(fromContextDidSave: save.ids)
      #expect(context.registeredObjects.isEmpty && context.registeredObject(for: id) == nil && !context.hasChanges)
    }
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).isEmpty)
  }

  enum Form: CaseIterable { case ids, uris, setOfIDs, setOfURIs, foundationSet, foundationArray, orderedSet }

  @Test(arguments: Store.every, Form.allCases)
  func `a merge accepts remote changes in every form`(_ store: Store, _ form: Form) throws {
    let (container, quakes) = try store.quakes()
    let save = try container.saveElsewhere(changing: [quakes[0]], deleting: [quakes[1]], inserting: ["e"])
    func given(_ key: String) -> Any {
      let ids = Array(save.ids.userInfo?[key] as? IDs ?? [])
      return switch form {
      case .ids: ids
      case .uris: ids.map { $0.uriRepresentation() }
      case .setOfIDs: Set(ids)
      case .setOfURIs: Set(ids.map { $0.uriRepresentation() })
      case .foundationSet: NSSet(array: ids)
      case .foundationArray: NSArray(array: ids.map { $0.uriRepresentation() })
      case .orderedSet: NSOrderedSet(array: ids)
      }
    }
    for (inserted, updated, deleted) in [
      (NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey),
      (NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey),
    ] {
      let context = container.newBackgroundContext()
      let ids = quakes.map(\.objectID)
      let notices = Notices(of: context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      try context.performAndWait {
        let known = ids.map(context.object)
        let changes = [
          inserted: given(NSInsertedObjectIDsKey), updated: given(NSUpdatedObjectIDsKey),
          deleted: given(NSDeletedObjectIDsKey),
        ]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        #expect(known[0].value(forKey: "place") as? String == "new" && known[1].isDeleted)
        try context.save()
        #expect(known[1].managedObjectContext == nil)
      }
      let merge = try #require(notices.all(.NSManagedObjectContextDidMergeChangesObjectIDs).first)
      #expect((merge[NSInsertedObjectIDsKey] as? IDs)?.count == 1)
    }
  }

  @Test(arguments: Store.every)
  func `remote changes reach parents before children`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let child = container.viewContext.child()
    let grandchild = child.child()
    let objects = try [child, grandchild].map { try $0.existingObject(with: quakes[0].objectID) }
    let doomed = try [child, grandchild].map { try $0.existingObject(with: quakes[1].objectID) }
    let save = try container.saveElsewhere(changing: [quakes[0]], deleting: [quakes[1]])
    let changes = [
      NSUpdatedObjectsKey: Array(save.ids.userInfo?[NSUpdatedObjectIDsKey] as? IDs ?? []),
      NSDeletedObjectsKey: Array(save.ids.userInfo?[NSDeletedObjectIDsKey] as? IDs ?? []),
    ]
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: changes, into: [grandchild, container.viewContext, child])
    #expect(objects.map { $0.value(forKey: "place") as? String } == ["new", "new"])
    #expect(doomed.allSatisfy { $0.isDeleted })
    try grandchild.save()
    try child.save()
    try container.viewContext.save()
    #expect(doomed.allSatisfy { $0.managedObjectContext == nil })
  }

  @Test(arguments: Store.every)
  func `a local deletion of an object changed elsewhere can be saved`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    context.delete(quakes[0])
    context.processPendingChanges()
    let save = try container.saveElsewhere(changing: [quakes[0]])
    context.mergeChanges(fromContextDidSave: save.ids)
    #expect(quakes[0].isDeleted && context.deletedObjects == [quakes[0]])
    try context.save()
    #expect(try context.fetch("Quake").count == 3)
  }

  @Test(arguments: Store.every)
  func `an object deleted elsewhere is deleted despite local changes`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    quakes[0].setValue("mine", forKey: "place")
    quakes[0].setValue(region, forKey: "region")
    context.delete(quakes[1])
    context.processPendingChanges()
    let save = try container.saveElsewhere(deleting: [quakes[0], quakes[1]])
    context.mergeChanges(fromContextDidSave: save.objects)
    #expect(quakes[0].isDeleted && quakes[1].isDeleted)
    #expect(context.updatedObjects.isEmpty && context.deletedObjects == [quakes[0], quakes[1]])
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>)?.isEmpty == true)
    try context.save()
    #expect(quakes[0].managedObjectContext == nil && quakes[1].managedObjectContext == nil)
    #expect(try context.fetch("Quake").count == 2)
  }

  @Test(arguments: Store.every)
  func `merged insertions are registered until the end of the block`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let writer = coordinator.context()
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    let teams = (0..<700).map { writer.insert("Team", ["name": "\($0)"]) }
    try writer.save()
    let ids = teams.map(\.objectID)
    let saved = [NSInsertedObjectIDsKey: Set(ids)]
    reader.performAndWait {
      reader.mergeChanges(
        fromContextDidSave: Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: writer, userInfo: saved)
      )
      #expect(Set(reader.registeredObjects.map(\.objectID)) == Set(ids))
    }
    reader.performAndWait { #expect(reader.registeredObjects.isEmpty) }
  }
}
