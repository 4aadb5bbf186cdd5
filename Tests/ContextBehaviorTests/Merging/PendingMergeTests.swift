import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Commits that arrive while a context is busy. The context merges them one after the other, or together if
/// `combinesPendingMerges` is set, and no object that it reads between two of them may become stale.
@Suite struct PendingMergeTests {
  /// A context that merges automatically, and the one whose commits it merges.
  private struct Pair {
    let reader: NSManagedObjectContext
    let writer: NSManagedObjectContext

    init(_ store: Store, history: Bool) throws {
      let container = try store.container(history: history)
      (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
      reader.automaticallyMergesChangesFromParent = true
    }

    /// Makes and saves changes while the reader's queue is busy: its merge waits for the end of the block.
    func commit(_ change: (NSManagedObjectContext) throws -> Void) throws {
      try writer.performAndWait {
        try change(writer)
        try writer.save()
      }
    }

    func first(_ entity: String, of context: NSManagedObjectContext) throws -> NSManagedObject {
      try #require(try context.fetch(entity).first)
    }
  }

  /// The numbers of objects that each notification reports as inserted, refreshed and deleted.
  private func reports(_ notices: Notices) -> [[Int]] {
    notices.all(.NSManagedObjectContextObjectsDidChange).map { changes in
      [NSInsertedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey].map {
        (changes[$0] as? Set<NSManagedObject>)?.count ?? 0
      }
    }
  }

  /// Inserts a row, reads it, changes it, inserts another, and deletes that one.
  private func fourCommits(_ pair: Pair) throws -> NSManagedObject {
    try pair.reader.performAndWait {
      try pair.commit { _ = $0.insert("Quake", ["code": "a"]) }
      let quake = try pair.first("Quake", of: pair.reader)
      try pair.commit { try pair.first("Quake", of: $0).setValue("new", forKey: "place") }
      try pair.commit { _ = $0.insert("Quake", ["code": "b"]) }
      try pair.commit { context in
        for quake in try context.fetch("Quake", "code == 'b'") { context.delete(quake) }
      }
      return quake
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `each pending save is merged and reported separately`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    let notices = Notices(of: pair.reader, .NSManagedObjectContextObjectsDidChange)
    let quake = try fourCommits(pair)
    pair.reader.performAndWait {
      #expect(reports(notices) == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
      #expect(quake.value(forKey: "place") as? String == "new" && pair.reader.registeredObjects == [quake])
      #expect(pair.reader.deletedObjects.isEmpty && !pair.reader.hasChanges)
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `a context that combines pending merges reports their net effect`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    pair.reader.combinesPendingMerges = true
    let notices = Notices(of: pair.reader, .NSManagedObjectContextObjectsDidChange)
    let quake = try fourCommits(pair)
    pair.reader.performAndWait {
      #expect(reports(notices) == [[1, 0, 0]])
      #expect(quake.value(forKey: "place") as? String == "new" && pair.reader.registeredObjects == [quake])
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `an inserted object whose row is gone has no values until its deletion is merged`(
    _ store: Store, history: Bool
  ) throws {
    let pair = try Pair(store, history: history)
    pair.reader.shouldDeleteInaccessibleFaults = false
    let codes = Mutex<[String?]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: pair.reader, queue: nil
    ) { note in
      for object in note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] {
        let code = object.value(forKey: "code") as? String
        codes.withLock { $0.append(code) }
        #expect(throws: CocoaError.self) { try pair.reader.existingObject(with: object.objectID) }
      }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try pair.reader.performAndWait {
      try pair.commit { _ = $0.insert("Quake", ["code": "a"]) }
      try pair.commit { $0.delete(try pair.first("Quake", of: $0)) }
    }
    pair.reader.performAndWait {
      #expect(codes.withLock { $0 } == [nil])
      #expect(pair.reader.registeredObjects.isEmpty && !pair.reader.hasChanges)
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `a row read between its insertion and a change is read again`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    let quake = try pair.reader.performAndWait {
      try pair.commit { _ = $0.insert("Quake", ["code": "a", "place": "old"]) }
      let quake = try pair.first("Quake", of: pair.reader)
      #expect(quake.value(forKey: "place") as? String == "old")
      #expect((quake.value(forKey: "tags") as? Set<NSManagedObject>)?.isEmpty == true)
      try pair.commit { context in
        let quake = try pair.first("Quake", of: context)
        quake.setValue("new", forKey: "place")
        quake.setValue(Set([context.insert("Tag", ["name": "red"])]), forKey: "tags")
      }
      return quake
    }
    // The queue runs the merge before this block.
    pair.reader.performAndWait {
      #expect(quake.value(forKey: "place") as? String == "new" && !quake.hasChanges)
      let tags = quake.value(forKey: "tags") as? Set<NSManagedObject>
      #expect(tags?.map { $0.value(forKey: "name") as? String } == ["red"])
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `a row read between its insertion and its deletion is removed`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    let quake = try pair.reader.performAndWait {
      try pair.commit { _ = $0.insert("Quake", ["code": "a"]) }
      let quake = try pair.first("Quake", of: pair.reader)
      #expect(quake.value(forKey: "code") as? String == "a")
      try pair.commit { $0.delete(try pair.first("Quake", of: $0)) }
      return quake
    }
    pair.reader.performAndWait {
      #expect(quake.managedObjectContext == nil && pair.reader.registeredObjects.isEmpty && !pair.reader.hasChanges)
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `a merged change discards a row that was prefetched after its insertion`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    let quake = try pair.reader.performAndWait {
      try pair.commit { context in
        let region = context.insert("Region", ["name": "old"])
        for code in ["a", "b"] { _ = context.insert("Quake", ["code": code, "region": region]) }
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.relationshipKeyPathsForPrefetching = ["region"]
      let quakes = try pair.reader.fetch(request)
      try pair.commit { try pair.first("Region", of: $0).setValue("new", forKey: "name") }
      return quakes
    }
    pair.reader.performAndWait {
      let regions = quake.map { $0.value(forKey: "region") as? NSManagedObject }
      #expect(regions.map { $0?.value(forKey: "name") as? String } == ["new", "new"])
    }
  }

  @Test(arguments: Store.allCases, [false, true])
  func `an unsaved edit survives the merge of a change to the same row`(_ store: Store, history: Bool) throws {
    let pair = try Pair(store, history: history)
    let quake = try pair.reader.performAndWait {
      try pair.commit { _ = $0.insert("Quake", ["code": "a", "place": "old"]) }
      let quake = try pair.first("Quake", of: pair.reader)
      quake.setValue(7, forKey: "felt")
      try pair.commit { try pair.first("Quake", of: $0).setValue("new", forKey: "place") }
      return quake
    }
    try pair.reader.performAndWait {
      #expect(quake.value(forKey: "place") as? String == "new" && quake.value(forKey: "felt") as? Int == 7)
      try pair.reader.save()
    }
  }
}
