import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// To-many relationships that were read before a save, a merge or a refresh, and must be current after it.
@Suite @MainActor struct CurrentRelationshipTests {
  /// Returns a context whose region "Chile" has the quakes "a" and "b", each with the tag "old", and that has nothing else
  /// registered.
  private func context(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    let region = context.insert("Region", ["name": "Chile"])
    let tag = context.insert("Tag", ["name": "old"])
    for code in ["a", "b"] {
      context.insert("Quake", ["code": code, "region": region]).mutableSetValue(forKey: "tags").add(tag)
    }
    try context.save()
    context.reset()
    return context
  }

  private func codes(_ object: NSManagedObject) -> [String] {
    let members = object.value(forKey: "quakes") as? Set<NSManagedObject> ?? []
    return members.compactMap { $0.value(forKey: "code") as? String }.sorted()
  }

  private func region(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch("Region").first)
  }

  private func quake(_ code: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch("Quake", "code == %@", [code]).first)
  }

  @Test(arguments: Store.every) func `a new member is shown after the save`(_ store: Store) throws {
    let context = try context(store)
    let region = try region(context)
    #expect(codes(region) == ["a", "b"])
    _ = context.insert("Quake", ["code": "c", "region": region])
    try context.save()
    #expect(codes(region) == ["a", "b", "c"])
  }

  @Test(arguments: Store.every) func `a deleted member is not shown after the save`(_ store: Store) throws {
    let context = try context(store)
    let region = try region(context)
    #expect(codes(region) == ["a", "b"])
    context.delete(try quake("a", context))
    try context.save()
    #expect(codes(region) == ["b"])
  }

  @Test(arguments: Store.every) func `a removed member can be added again`(_ store: Store) throws {
    let context = try context(store)
    let (region, quake) = (try region(context), try quake("a", context))
    #expect(codes(region) == ["a", "b"])
    quake.setValue(nil, forKey: "region")
    try context.save()
    #expect(codes(region) == ["b"])
    region.mutableSetValue(forKey: "quakes").add(quake)
    try context.save()
    context.reset()
    #expect(codes(try self.region(context)) == ["a", "b"])
  }

  @Test(arguments: Store.every) func `the other end of a many-to-many relationship is current`(_ store: Store) throws {
    let context = try context(store)
    let tag = try #require(try context.fetch("Tag").first)
    #expect(codes(tag) == ["a", "b"])
    try quake("a", context).setValue(NSSet(), forKey: "tags")
    context.insert("Quake", ["code": "c"]).mutableSetValue(forKey: "tags").add(tag)
    try context.save()
    #expect(codes(tag) == ["b", "c"])
  }

  @Test(arguments: Store.every) func `prefetched members are current after a save`(_ store: Store) throws {
    let context = try context(store)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Region")
    request.relationshipKeyPathsForPrefetching = ["quakes"]
    let region = try #require(try context.fetch(request).first)
    try quake("b", context).setValue(nil, forKey: "region")
    _ = context.insert("Quake", ["code": "c", "region": region])
    try context.save()
    #expect(codes(region) == ["a", "c"])
  }

  @Test(arguments: Store.every) func `observers of a save see the new members`(_ store: Store) throws {
    let context = try context(store)
    // The notification is posted where the context saves: on the main actor.
    nonisolated(unsafe) let region = try region(context)
    #expect(codes(region) == ["a", "b"])
    nonisolated(unsafe) var seen: [[String]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { _ in MainActor.assumeIsolated { seen.append(codes(region)) } }
    defer { NotificationCenter.default.removeObserver(observer) }
    _ = context.insert("Quake", ["code": "c", "region": region])
    try context.save()
    #expect(seen == [["a", "b", "c"]])
  }

  @Test(arguments: Store.allCases) func `an object that is fetched again has current members`(
    _ store: Store
  ) throws {
    let container = try store.container()
    let context = container.viewContext
    _ = context.insert("Quake", ["code": "a", "region": context.insert("Region", ["name": "Chile"])])
    try context.save()
    let reader = container.newBackgroundContext()
    try reader.performAndWait {
      #expect(codes(try region(reader)) == ["a"])
      let writer = container.newBackgroundContext()
      try writer.performAndWait {
        _ = writer.insert("Quake", ["code": "b", "region": try region(writer)])
        try writer.save()
      }
      #expect(codes(try region(reader)) == ["a", "b"])
      reader.reset()
      #expect(codes(try region(reader)) == ["a", "b"])
    }
  }

  @Test func `a mutable ordered set is current after a save`() throws {
    let container = try Store.sqlite.container(of: Albums.model)
    let context = container.viewContext
    let album = context.insert("Album", ["name": "Live"])
    _ = context.insert("Track", ["name": "1", "album": album])
    try context.save()
    context.reset()
    let again = try #require(try context.fetch("Album").first)
    let live = again.mutableOrderedSetValue(forKey: "tracks")
    #expect(live.count == 1)
    _ = context.insert("Track", ["name": "2", "album": again])
    try context.save()
    #expect(live.count == 2)
  }

  @Test func `a changed order survives a refresh before the save`() throws {
    let container = try Store.sqlite.container(of: Albums.model)
    let context = container.viewContext
    let album = context.insert("Album", ["name": "Live"])
    for name in ["1", "2", "3"] { _ = context.insert("Track", ["name": name, "album": album]) }
    try context.save()
    let order = album.mutableOrderedSetValue(forKey: "tracks")
    order.moveObjects(at: [2], to: 0)
    context.refreshAllObjects()
    try context.save()
    context.reset()
    let tracks = try #require(try context.fetch("Album").first).mutableOrderedSetValue(forKey: "tracks")
    #expect(tracks.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["3", "1", "2"])
  }
}

/// Relationships with local changes that another context changes too.
@Suite struct MergedMemberTests {
  @Test(arguments: Store.allCases) func `a reverted change leaves no outdated member`(
    _ store: Store
  ) throws {
    let container = try store.container()
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let ids = try context.performAndWait {
      let quake = context.insert("Quake", ["code": "a"])
      let (chile, tonga) = (context.insert("Region", ["name": "Chile"]), context.insert("Region", ["name": "Tonga"]))
      try context.save()
      #expect((chile.value(forKey: "quakes") as? NSSet)?.count == 0)
      quake.setValue(chile, forKey: "region")
      quake.setValue(tonga, forKey: "region")
      context.processPendingChanges()
      return (quake: quake.objectID, chile: chile.objectID)
    }
    try other.performAndWait {
      try other.existingObject(with: ids.quake).setValue(try other.existingObject(with: ids.chile), forKey: "region")
      try other.save()
    }
    try context.performAndWait {
      let chile = try context.existingObject(with: ids.chile)
      _ = (chile.value(forKey: "quakes") as? NSSet)?.count
      try context.save()
      #expect((chile.value(forKey: "quakes") as? NSSet)?.count == 0)
    }
  }
}
