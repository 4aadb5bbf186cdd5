import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Effects of merges on relationships and deleted rows.
@MainActor @Suite struct MergedRelationshipTests {
  private typealias IDs = Set<NSManagedObjectID>

  @Test(arguments: Store.every)
  func `relationships follow merged changes`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let (tonga, chile) = (context.insert("Region"), context.insert("Region"))
    let red = context.insert("Tag")
    let quakes = (0..<3).map {
      context.insert("Quake", ["code": "\($0)", "region": tonga, "tags": NSSet(object: red)])
    }
    let unsaved = context.insert("Quake", ["code": "mine"])
    try context.save()
    unsaved.setValue(tonga, forKey: "region")
    let ids = (quakes.map(\.objectID), tonga.objectID, chile.objectID)
    let other = container.newBackgroundContext()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: other, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    func members(_ object: NSManagedObject) -> Set<NSManagedObject> {
      object.value(forKey: "quakes") as? Set<NSManagedObject> ?? []
    }
    #expect(members(tonga) == Set(quakes + [unsaved]) && members(red) == Set(quakes))
    try other.performAndWait {
      try other.existingObject(with: ids.0[0]).setValue(try other.existingObject(with: ids.2), forKey: "region")
      other.delete(try other.existingObject(with: ids.0[1]))
      _ = other.insert("Quake", ["code": "new", "region": try other.existingObject(with: ids.1)])
      try other.save()
    }
    #expect(Set(members(tonga).map { $0.value(forKey: "code") as? String }) == ["2", "mine", "new"])
    #expect(members(chile) == [quakes[0]] && members(red) == [quakes[0], quakes[2]])
    #expect(context.hasChanges)
    try context.save()
    #expect(members(tonga).count == 3)
  }

  @Test(arguments: Store.every)
  func `delete rules apply to an object that a merge relates to a deleted one`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    let ids = (region: region.objectID, quake: quake.objectID)
    context.delete(region)
    context.processPendingChanges()
    let other = container.newBackgroundContext()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: other, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try other.existingObject(with: ids.quake).setValue(try other.existingObject(with: ids.region), forKey: "region")
      try other.save()
    }
    try context.save()
    // The relationship's delete rule is cascade.
    let reader = container.newBackgroundContext()
    let isGone = try reader.performAndWait { try reader.fetch("Quake").isEmpty }
    #expect(isGone && quake.managedObjectContext == nil)
  }

  @Test(arguments: Store.every)
  func `a merged deletion removes the object from relationships`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let quakes = (0..<2).map { context.insert("Quake", ["code": "\($0)", "region": region]) }
    try context.save()
    #expect((region.value(forKey: "quakes") as? Set<NSManagedObject>)?.count == 2)
    let save = try container.saveElsewhere(deleting: [quakes[0]])
    // As after a batch request, which reports only the IDs of deleted rows.
    let deleted = Array(save.ids.userInfo?[NSDeletedObjectIDsKey] as? IDs ?? [])
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
    #expect(region.value(forKey: "quakes") as? Set<NSManagedObject> == [quakes[1]])
    let change = try #require(notices.all(.NSManagedObjectContextObjectsDidChange).first)
    #expect(change[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [region])
    #expect(!context.hasChanges)
  }

  @Test(arguments: Store.every)
  func `a merge ignores an inserted row that no longer exists`(_ store: Store) throws {
    let (container, _) = try store.quakes()
    let context = container.viewContext
    let save = try container.saveElsewhere(inserting: ["e"])
    let id = try #require((save.ids.userInfo?[NSInsertedObjectIDsKey] as? IDs)?.first)
    let other = container.newBackgroundContext()
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try other.save()
    }
    let notices = Notices(of: context, .NSManagedObjectContextObjectsDidChange)
    context.mergeChanges(fromContextDidSave: save.ids)
    #expect(notices.all(.NSManagedObjectContextObjectsDidChange).isEmpty && !context.hasChanges)
  }
}
