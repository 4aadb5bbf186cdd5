import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// An object with hooks that a test sets.
final class Stamp: NSManagedObject {
  var beforeSaving: (Stamp) -> Void = { _ in }
  var afterSaving: (Stamp) -> Void = { _ in }
  var check: (Stamp) throws -> Void = { _ in }
  var awakening: (Stamp) -> Void = { _ in }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { awakening(self) }
  override func willSave() { beforeSaving(self) }
  override func didSave() { afterSaving(self) }
  override func validateForInsert() throws {
    try super.validateForInsert()
    try check(self)
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try check(self)
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    try check(self)
  }
}

/// The steps of a save; a save that fails in any of them changes nothing.
@MainActor @Suite struct SaveStepsTests {
  struct Refusal: Error, Equatable {}

  private static let model = makeModel(
    makeEntity("Stamp", of: Stamp.self, [attribute("code"), attribute("count", .integer32)])
  ).relate("Stamp", "parts", .many, "Stamp", "whole", .one, rule: .cascadeDeleteRule)

  private func coordinator(_ store: Store, options: [AnyHashable: Any]? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try coordinator.addPersistentStore(
      type: .init(rawValue: store.rawValue), at: store.url("Stamps"), options: options)
    return coordinator
  }

  private func stamp(_ context: NSManagedObjectContext, _ code: String) throws -> Stamp {
    try #require(context.insert("Stamp", ["code": code, "count": 0]) as? Stamp)
  }

  private func stored(_ coordinator: NSPersistentStoreCoordinator?) throws -> [String] {
    let reader = try #require(coordinator).context()
    return try reader.fetch("Stamp", sort: [NSSortDescriptor(key: "code", ascending: true)]).map {
      "\($0.text("code") ?? "") \($0.value(forKey: "count") ?? "")"
    }
  }

  // MARK: Hooks

  @Test(arguments: Store.every)
  func `a fault that fires during a rollback is rolled back too`(_ store: Store) throws {
    let coordinator = try coordinator(store)
    let writer = coordinator.context()
    let (part, first, second) = (try stamp(writer, "a"), try stamp(writer, "b"), try stamp(writer, "c"))
    part.setValue(first, forKey: "whole")
    try writer.save()
    let context = coordinator.context()
    let object = try #require(context.object(with: part.objectID) as? Stamp)
    let old = try #require(object.object("whole"))
    object.setValue(context.object(with: second.objectID), forKey: "whole")
    object.awakening = { _ = $0.object("whole")?.text("code") }
    context.rollback()
    #expect(object.object("whole") === old)
    #expect(old.set("parts") == [object])
    #expect(!old.hasChanges)
    #expect(!context.hasChanges)
    _ = first
  }

  @Test(arguments: Store.every)
  func `objects deleted by a rule during willSave get their own willSave`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let (whole, part, other) = (try stamp(context, "a"), try stamp(context, "b"), try stamp(context, "c"))
    part.setValue(whole, forKey: "whole")
    try context.save()
    var calls: [String] = []
    for stamp in [whole, part] { stamp.beforeSaving = { calls.append("\($0.text("code") ?? "") \($0.isDeleted)") } }
    other.beforeSaving = { _ in if !whole.isDeleted { context.delete(whole) } }
    other.setValue(1, forKey: "count")
    try context.save()
    #expect(calls == ["a true", "b true"])
    #expect(try stored(context.persistentStoreCoordinator) == ["c 1"])
  }

  @Test(arguments: Store.every)
  func `a save of values equal to the stored ones posts both notifications`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let first = try stamp(context, "a")
    try context.save()
    nonisolated(unsafe) var posted: [Notification] = []
    let names: [Notification.Name] = [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { posted.append($0) }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    first.setValue(0, forKey: "count")
    try context.save()
    #expect(posted.map(\.name) == names)
    #expect(posted.last?.userInfo?[NSUpdatedObjectsKey] == nil)
    #expect(!first.hasChanges)
  }

  @Test(arguments: Store.every)
  func `changes in willSave are saved`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let first = try stamp(context, "a")
    var rounds = 0
    first.beforeSaving = { stamp in
      rounds += 1
      if rounds == 1 {
        stamp.setValue(7, forKey: "count")
        _ = context.insert("Stamp", ["code": "b", "count": 1])
      }
    }
    try context.save()
    #expect(rounds == 2)
    #expect(try stored(context.persistentStoreCoordinator) == ["a 7", "b 1"])
  }

  @Test(arguments: Store.every)
  func `a fault that another object's willSave changes gets its own willSave`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let (first, second) = (try stamp(context, "a"), try stamp(context, "b"))
    try context.save()
    context.refresh(second, mergeChanges: false)
    first.beforeSaving = { _ in if second.isFault { second.setValue(5, forKey: "count") } }
    second.beforeSaving = { stamp in
      if stamp.value(forKey: "code") as? String == "b" { stamp.setValue("c", forKey: "code") }
    }
    first.setValue(1, forKey: "count")
    try context.save()
    #expect(try stored(context.persistentStoreCoordinator) == ["a 1", "c 5"])
  }

  @Test(arguments: Store.every)
  func `a willSave that always changes values makes the save fail`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let first = try stamp(context, "a")
    var rounds: Int32 = 0
    first.beforeSaving = { stamp in
      rounds += 1
      stamp.setValue(rounds, forKey: "count")
    }
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == NSPersistentStoreSaveError && rounds == 1_000 && first.isInserted)
    first.beforeSaving = { _ in }
    try context.save()
  }

  @Test(arguments: Store.every)
  func `deleted objects receive didSave while still in their context`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let first = try stamp(context, "a")
    try context.save()
    var heard: [String] = []
    first.beforeSaving = { heard.append("will \($0.isDeleted)") }
    first.afterSaving = { heard.append("did \($0.isDeleted) \($0.managedObjectContext === context)") }
    context.delete(first)
    try context.save()
    #expect(heard == ["will true", "did true true"] && first.managedObjectContext == nil && !first.isDeleted)
  }

  @Test(arguments: Store.every)
  func `a change in didSave is saved by the next save`(_ store: Store) throws {
    let context = try coordinator(store).context()
    let first = try stamp(context, "a")
    first.afterSaving = { stamp in
      stamp.afterSaving = { _ in }
      stamp.setValue(1, forKey: "count")
    }
    try context.save()
    #expect(first.isUpdated && context.hasChanges)
    #expect(try stored(context.persistentStoreCoordinator) == ["a 0"])
    try context.save()
    #expect(try stored(context.persistentStoreCoordinator) == ["a 1"])
  }

  /// Programs that merge by hand are notified of every save; one without changes has nothing to merge.
  @Test(arguments: Store.every)
  func `a save without changes posts notifications`(_ store: Store) throws {
    let context = try coordinator(store).context()
    nonisolated(unsafe) var notes: [Notification] = []
    let observer = NotificationCenter.default.addObserver(forName: nil, object: context, queue: nil) {
      notes.append($0)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    #expect(notes.map(\.name) == [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave])
    #expect(notes.last?.userInfo?.keys.map { $0 as? String } == ["managedObjectContext"])
    context.mergeChanges(fromContextDidSave: try #require(notes.last))
    _ = try stamp(context, "a")
    context.reset()
    notes = []
    try context.save()
    #expect(notes.map(\.name) == [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave])
    #expect(try stored(context.persistentStoreCoordinator).isEmpty)
  }

  /// The last changes that a save includes are made during willSave, even if the context had no changes before.
  @Test(arguments: Store.every)
  func `a change during the willSave notification of a clean context is saved`(_ store: Store) throws {
    let context = try coordinator(store).context()
    nonisolated(unsafe) var names: [Notification.Name] = []
    let observer = NotificationCenter.default.addObserver(forName: nil, object: context, queue: nil) { note in
      names.append(note.name)
      guard note.name == .NSManagedObjectContextWillSave else { return }
      MainActor.assumeIsolated { _ = try? stamp(context, "a") }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    #expect(!context.hasChanges && names.filter { $0 == .NSManagedObjectContextWillSave }.count == 1)
    #expect(names.filter { $0 == .NSManagedObjectContextDidSave }.count == 1)
    #expect(try stored(context.persistentStoreCoordinator) == ["a 0"])
  }

  // MARK: Atomicity

  /// A context with an insertion, an update and a deletion, for a save that fails.
  @MainActor struct Pending {
    let context: NSManagedObjectContext
    let new: Stamp
    let changed: Stamp
    let deleted: Stamp
    let temporary: NSManagedObjectID

    init(_ tests: SaveStepsTests, _ coordinator: NSPersistentStoreCoordinator) throws {
      context = coordinator.context()
      (changed, deleted) = (try tests.stamp(context, "b"), try tests.stamp(context, "c"))
      try context.save()
      new = try tests.stamp(context, "a")
      temporary = new.objectID
      changed.setValue(5, forKey: "count")
      context.delete(deleted)
    }

    func expectUnsaved(_ location: SourceLocation = #_sourceLocation) {
      #expect(new.isInserted && new.objectID == temporary, sourceLocation: location)
      #expect(changed.isUpdated && changed.value(forKey: "count") as? Int == 5, sourceLocation: location)
      #expect(changed.committedValues(forKeys: ["count"])["count"] as? Int == 0, sourceLocation: location)
      #expect(deleted.isDeleted && deleted.managedObjectContext === context, sourceLocation: location)
      #expect(context.insertedObjects == [new] && context.updatedObjects == [changed], sourceLocation: location)
      #expect(context.deletedObjects == [deleted], sourceLocation: location)
    }
  }

  @Test(arguments: Store.every, [0, 1, 2])
  func `a validation error leaves the context and the store unchanged`(_ store: Store, _ which: Int) throws {
    let coordinator = try coordinator(store)
    let pending = try Pending(self, coordinator)
    let refusing = [pending.new, pending.changed, pending.deleted][which]
    refusing.check = { _ in throw Refusal() }
    nonisolated(unsafe) var saves = 0
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: pending.context, queue: nil
    ) { _ in saves += 1 }
    defer { NotificationCenter.default.removeObserver(observer) }
    #expect(throws: Refusal.self) { try pending.context.save() }
    pending.expectUnsaved()
    #expect(saves == 0)
    #expect(try stored(coordinator) == ["b 0", "c 0"])
    refusing.check = { _ in }
    try pending.context.save()
    #expect(try stored(coordinator) == ["a 0", "b 5"])
  }

  @Test(arguments: Store.every)
  func `a conflict leaves the context and the store unchanged`(_ store: Store) throws {
    let coordinator = try coordinator(store)
    let pending = try Pending(self, coordinator)
    let other = coordinator.context()
    try other.existingObject(with: pending.changed.objectID).setValue("bb", forKey: "code")
    try other.save()
    #expect(throws: CocoaError.self) { try pending.context.save() }
    pending.expectUnsaved()
    #expect(try stored(coordinator) == ["bb 0", "c 0"])
    pending.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try pending.context.save()
    #expect(try stored(coordinator) == ["a 0", "bb 5"])
  }

  @Test func `a full disk leaves the context and the store unchanged`() throws {
    let coordinator = try coordinator(.sqlite, options: [NSSQLitePragmasOption: ["max_page_count": "60"]])
    let pending = try Pending(self, coordinator)
    let long = String(repeating: "x", count: 1_000_000)
    pending.new.setValue(long, forKey: "code")
    let error = try #require(throws: CocoaError.self) { try pending.context.save() }
    #expect(error.code == .fileWriteOutOfSpace)
    pending.expectUnsaved()
    #expect(try stored(coordinator) == ["b 0", "c 0"])
    pending.new.setValue("a", forKey: "code")
    try pending.context.save()
    #expect(try stored(coordinator) == ["a 0", "b 5"])
  }

  @Test func `a save to a read-only store fails`() throws {
    let first = try coordinator(.sqlite)
    let url = try #require(first.persistentStores[0].url)
    let writer = first.context()
    _ = try stamp(writer, "b")
    try writer.save()
    try first.remove(first.persistentStores[0])
    let sealed = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try sealed.addPersistentStore(type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    let context = sealed.context()
    let old = try #require(try context.fetch("Stamp").first)
    old.setValue(5, forKey: "count")
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .fileWriteNoPermission && old.isUpdated)
    context.rollback()
    #expect(old.value(forKey: "count") as? Int == 0 && !context.hasChanges)
  }
}
