import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Undo and redo of relationships of every kind, and the calls that objects receive.
@MainActor @Suite struct UndoRelationshipTests {
  @Test(arguments: Store.every)
  func `undo restores both ends of a relationship`(_ store: Store) throws {
    let context = try store.undoable()
    let (tonga, chile) = (context.insert("Region"), context.insert("Region"))
    let (red, blue) = (context.insert("Tag"), context.insert("Tag"))
    let quake = context.insert("Quake", ["region": tonga, "tags": NSSet(object: red)])
    try context.save()
    context.step {
      quake.setValue(chile, forKey: "region")
      quake.setValue(NSSet(array: [blue]), forKey: "tags")
    }
    context.undo()
    #expect(tonga.members("quakes") == [quake] && chile.members("quakes").isEmpty)
    #expect(quake.value(forKey: "region") as? NSManagedObject === tonga)
    #expect(quake.members("tags") == [red] && red.members("quakes") == [quake] && blue.members("quakes").isEmpty)
    #expect(!context.hasChanges)
    context.redo()
    #expect(
      chile.members("quakes") == [quake] && blue.members("quakes") == [quake] && tonga.members("quakes").isEmpty)
    #expect(quake.members("tags") == [blue])
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Quake").first)
    #expect((read.value(forKey: "region") as? NSManagedObject)?.objectID == chile.objectID)
    #expect(read.members("tags").map(\.objectID) == [blue.objectID])
  }

  @Test(arguments: Store.every)
  func `undo restores the relationship of a fault`(_ store: Store) throws {
    let context = try store.undoable()
    let region = context.insert("Region", ["name": "Tonga"])
    let old = context.insert("Quake", ["region": region])
    let other = context.insert("Quake")
    try context.save()
    context.refresh(region, mergeChanges: false)
    context.processPendingChanges()
    context.step { other.setValue(region, forKey: "region") }
    #expect(region.isFault)
    context.undo()
    #expect(region.members("quakes") == [old] && other.value(forKey: "region") == nil && !context.hasChanges)
    context.redo()
    #expect(region.members("quakes") == [old, other])
  }

  @Test(arguments: Store.every)
  func `undo restores the order`(_ store: Store) throws {
    let context = try store.undoable(Albums.model)
    let album = context.insert("Album")
    let tracks = ["a", "b", "c"].map { context.insert("Track", ["name": $0]) }
    album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
    try context.save()
    func order() -> String {
      let now = (album.value(forKey: "tracks") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
      return now.compactMap { $0.value(forKey: "name") as? String }.joined()
    }
    context.step { album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks") }
    context.step { tracks[1].setValue(nil, forKey: "album") }
    context.step { context.delete(tracks[2]) }
    #expect(order() == "a")
    context.undo()
    #expect(order() == "ca")
    context.undo()
    #expect(order() == "cba")
    context.undo()
    #expect(order() == "abc")
    context.redo()
    #expect(order() == "cba")
    context.redo()
    #expect(order() == "ca")
    context.undo()
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Album").first?.value(forKey: "tracks") as? NSOrderedSet)
    #expect(read.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["c", "b", "a"])
  }

  @Test(arguments: Store.every)
  func `undo restores both ends of a one-to-one relationship`(_ store: Store) throws {
    let context = try store.undoable(Albums.model)
    let (first, second) = (context.insert("Album"), context.insert("Album"))
    let cover = context.insert("Cover")
    cover.setValue(first, forKey: "album")
    try context.save()
    context.step { second.setValue(cover, forKey: "cover") }
    #expect(first.value(forKey: "cover") == nil)
    context.undo()
    #expect(first.value(forKey: "cover") as? NSManagedObject === cover && second.value(forKey: "cover") == nil)
    #expect(cover.value(forKey: "album") as? NSManagedObject === first && !context.hasChanges)
  }

  @Test(arguments: Store.every)
  func `undo awakens objects without calling their accessors`(_ store: Store) throws {
    let context = try store.undoable(Albums.model)
    let track = try #require(context.insert("Track", ["name": "a"]) as? WatchedTrack)
    try context.save()
    track.setValue("b", forKey: "name")
    let settings = track.settings
    context.undo()
    #expect(track.settings == settings && track.awakened == [.undoUpdate])
    context.step { context.delete(track) }
    context.undo()
    #expect(track.awakened == [.undoUpdate, .undoDeletion])
    let new = try #require(context.insert("Track") as? WatchedTrack)
    context.undo()
    context.redo()
    #expect(new.awakened == [.undoInsertion, .undoDeletion] && new.insertions == 1)
  }
}
