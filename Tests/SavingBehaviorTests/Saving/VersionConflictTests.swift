import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Conflicts with a context that has saved the same object first.
@MainActor @Suite struct VersionConflictTests {
  /// Two contexts on one coordinator, each with the same person.
  @MainActor struct Pair {
    let mine: NSManagedObjectContext
    let other: NSManagedObjectContext
    let person: NSManagedObject
    let twin: NSManagedObject

    init(_ store: Store, _ policy: NSMergePolicy = .error) throws {
      let coordinator = try store.coordinator()
      (mine, other) = (coordinator.context(), coordinator.context())
      mine.mergePolicy = policy
      person = mine.insert("Person", ["email": "a@x", "name": "Ann", "note": "old", "age": 30])
      try mine.save()
      twin = try other.existingObject(with: person.objectID)
    }

    /// The values as a third context reads them.
    func stored() throws -> [String: String] {
      let reader = try #require(mine.persistentStoreCoordinator).context()
      guard let row = try reader.fetch("Person").first else { return [:] }
      return ["name", "note"].reduce(into: [:]) { $0[$1] = row.text($1) }
    }
  }

  @Test(arguments: Store.every)
  func `a conflict has both snapshots`(_ store: Store) throws {
    let pair = try Pair(store)
    let team = pair.other.insert("Team", ["name": "Red"])
    pair.twin.setValue("theirs", forKey: "name")
    pair.twin.setValue(team, forKey: "team")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
    #expect(error.code.rawValue == 133020)
    let uri = pair.person.objectID.uriRepresentation()
    #expect(
      error.localizedDescription
        == "Could not merge changes: 'Person' \(uri) was changed by others since it was read (name).")
    let conflict = try #require(error.persistentStoreSaveConflicts?.first)
    #expect(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] == [conflict])
    #expect(conflict.sourceObject === pair.person)
    #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
    #expect(conflict.objectSnapshot?["name"] as? String == "Ann")
    #expect(conflict.objectSnapshot?["team"] is NSNull)
    #expect(conflict.cachedSnapshot?["name"] as? String == "theirs")
    #expect(conflict.cachedSnapshot?["team"] as? NSManagedObjectID == team.objectID)
    #expect(conflict.cachedSnapshot?["groups"] == nil && conflict.persistedSnapshot == nil)
    #expect(conflict.description.contains("with oldVersion = 1 and newVersion = 2 and old object snapshot = "))
    #expect(error.userInfo[NSUpdatedObjectsKey] as? [NSManagedObjectID] == [pair.person.objectID])
    #expect(pair.person.isUpdated && pair.person.text("name") == "mine")
  }

  @Test(arguments: Store.every)
  func `a conflict with a deletion has the new version 0`(_ store: Store) throws {
    let pair = try Pair(store)
    pair.other.delete(pair.twin)
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
    let conflict = try #require(error.persistentStoreSaveConflicts?.first)
    #expect(conflict.newVersionNumber == 0 && conflict.cachedSnapshot == nil && conflict.persistedSnapshot == nil)
    #expect(conflict.description.contains("newVersion = <deleted>"))
    #expect(pair.person.isUpdated)
  }

  /// Both contexts change the name; this one also changes the note, and the other changes the age.
  @Test(
    arguments: Store.every,
    [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "theirs", "my note", 41),
      (.mergeByPropertyObjectTrumpMergePolicyType, "mine", "my note", 41),
      (.overwriteMergePolicyType, "mine", "my note", 30),
      (.rollbackMergePolicyType, "theirs", "old", 41),
    ])
  func `the merge policy resolves each property`(
    _ store: Store, _ expected: (type: NSMergePolicyType, name: String, note: String, age: Int)
  ) throws {
    let pair = try Pair(store, NSMergePolicy(merge: expected.type))
    pair.twin.setValue("theirs", forKey: "name")
    pair.twin.setValue(41, forKey: "age")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    pair.person.setValue("my note", forKey: "note")
    try pair.mine.save()
    #expect(pair.person.text("name") == expected.name && pair.person.text("note") == expected.note)
    #expect(pair.person.value(forKey: "age") as? Int == expected.age)
    #expect(try pair.stored() == ["name": expected.name, "note": expected.note])
    #expect(!pair.mine.hasChanges && !pair.person.isUpdated)
    // The resolved state is the base of the next change.
    pair.person.setValue("again", forKey: "name")
    try pair.mine.save()
    #expect(try pair.stored()["name"] == "again")
  }

  @Test(
    arguments: Store.every, [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
  func `store trump and rollback discard changes of a deleted row`(_ store: Store, _ type: NSMergePolicyType) throws {
    let pair = try Pair(store, NSMergePolicy(merge: type))
    let boss = pair.mine.insert("Team", ["name": "Red"])
    pair.other.delete(pair.twin)
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    pair.person.setValue(boss, forKey: "team")
    try pair.mine.save()
    #expect(pair.person.managedObjectContext == nil && !pair.mine.hasChanges)
    #expect(try pair.stored().isEmpty)
    #expect(!boss.objectID.isTemporaryID)
  }

  @Test(
    arguments: Store.every, [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
  func `object trump and overwrite insert a deleted row again`(_ store: Store, _ type: NSMergePolicyType) throws {
    let pair = try Pair(store, NSMergePolicy(merge: type))
    let id = pair.person.objectID
    pair.other.delete(pair.twin)
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    try pair.mine.save()
    #expect(pair.person.objectID == id && !pair.person.hasChanges)
    #expect(try pair.stored() == ["name": "mine", "note": "old"])
    pair.person.setValue("again", forKey: "name")
    try pair.mine.save()
    #expect(try pair.stored()["name"] == "again")
  }

  @Test(
    arguments: Store.every,
    [
      NSMergePolicyType.errorMergePolicyType, .rollbackMergePolicyType,
      .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    ])
  func `the merge policy resolves the deletion of a changed row`(_ store: Store, _ type: NSMergePolicyType) throws {
    let pair = try Pair(store, NSMergePolicy(merge: type))
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.mine.delete(pair.person)
    switch type {
    case .errorMergePolicyType:
      let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
      #expect(error.code.rawValue == 133020 && pair.person.isDeleted)
    case .rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType:
      try pair.mine.save()
      #expect(!pair.person.isDeleted && pair.person.text("name") == "theirs")
      #expect(try pair.stored()["name"] == "theirs")
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try pair.mine.save()
      #expect(pair.person.managedObjectContext == nil)
      #expect(try pair.stored().isEmpty)
    }
  }

  nonisolated private static let mergingPolicies = [
    "mergeByPropertyStoreTrump", "mergeByPropertyObjectTrump", "overwrite", "rollback", "mergingRelationships",
  ]

  private func policy(named name: String) -> NSMergePolicy {
    switch name {
    case "mergeByPropertyStoreTrump": .mergeByPropertyStoreTrump
    case "mergeByPropertyObjectTrump": .mergeByPropertyObjectTrump
    case "overwrite": .overwrite
    case "rollback": .rollback
    default: .mergingRelationships
    }
  }

  @Test(arguments: Store.every, mergingPolicies)
  func `a row deleted by both is deleted without a conflict`(_ store: Store, _ name: String) throws {
    let pair = try Pair(store, policy(named: name))
    pair.other.delete(pair.twin)
    pair.mine.delete(pair.person)
    try pair.other.save()
    try pair.mine.save()
    #expect(!pair.mine.hasChanges && pair.person.managedObjectContext == nil)
    #expect(try pair.stored().isEmpty)
  }

  @Test(arguments: Store.every, mergingPolicies)
  func `related rows deleted by both are deleted without a conflict`(_ store: Store, _ name: String) throws {
    let pair = try Pair(store)
    let team = pair.mine.insert("Team", ["name": "Red"])
    let groups = ["Choir", "Band"].map { pair.mine.insert("Group", ["name": $0]) }
    pair.person.setValue(team, forKey: "team")
    pair.person.setValue(NSSet(array: groups), forKey: "groups")
    try pair.mine.save()
    pair.other.refreshAllObjects()
    for object in [pair.person, team, groups[0]] {
      pair.other.delete(try pair.other.existingObject(with: object.objectID))
      pair.mine.delete(object)
    }
    try pair.other.save()
    pair.mine.mergePolicy = policy(named: name)
    try pair.mine.save()
    #expect(!pair.mine.hasChanges && team.managedObjectContext == nil)
    let reader = try #require(pair.mine.persistentStoreCoordinator).context()
    #expect(try reader.fetch("Team").isEmpty && reader.fetch("Person").isEmpty)
    let group = try #require(try reader.fetch("Group").first)
    #expect(group.text("name") == "Band" && group.set("people").isEmpty)
  }

  @Test(arguments: Store.every)
  func `an unchanged object is checked on request`(_ store: Store) throws {
    let pair = try Pair(store)
    let team = pair.mine.insert("Team", ["name": "Red"])
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.mine.detectConflicts(for: pair.person)
    let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
    #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [pair.person])
    #expect(team.isInserted)
    pair.mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try pair.mine.save()
    #expect(pair.person.text("name") == "theirs" && !pair.mine.hasChanges)
    // The setting applies to one save only.
    pair.twin.setValue("more", forKey: "name")
    try pair.other.save()
    team.setValue("Blue", forKey: "name")
    try pair.mine.save()
  }

  @Test(arguments: Store.every)
  func `an unchanged object is checked on request by a save without other changes`(_ store: Store) throws {
    let pair = try Pair(store)
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.mine.detectConflicts(for: pair.person)
    let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
    #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [pair.person])
    // An edit that leaves the stored value in place writes nothing either.
    pair.person.setValue(pair.person.text("note"), forKey: "note")
    #expect(throws: CocoaError.self) { try pair.mine.save() }
    pair.mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try pair.mine.save()
    #expect(pair.person.text("name") == "theirs")
    #expect(!pair.mine.hasChanges)
    try pair.mine.save()
  }

  @Test(arguments: Store.allCases)
  func `an unchanged object is checked on request in a store that the save does not write`(_ store: Store) throws {
    let coordinator = try store.coordinator(["Teams", "Groups"])
    let (context, other) = (coordinator.context(), coordinator.context())
    let (team, group) = (context.insert("Team", ["name": "Red"]), context.insert("Group", ["name": "chess"]))
    try context.save()
    try other.existingObject(with: group.objectID).setValue("theirs", forKey: "name")
    try other.save()
    team.setValue("Blue", forKey: "name")
    context.detectConflicts(for: group)
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [group])
    #expect(team.hasChanges)
    #expect(try coordinator.context().fetch("Team").map { $0.text("name") } == ["Red"])
  }

  @Test(arguments: Store.every)
  func `relationships are updated after a conflict is resolved`(_ store: Store) throws {
    let pair = try Pair(store, .mergeByPropertyStoreTrump)
    let (red, blue) = (pair.mine.insert("Team", ["name": "Red"]), pair.mine.insert("Team", ["name": "Blue"]))
    try pair.mine.save()
    pair.twin.setValue(try pair.other.existingObject(with: blue.objectID), forKey: "team")
    try pair.other.save()
    pair.person.setValue(red, forKey: "team")
    #expect(red.set("members") == [pair.person])
    try pair.mine.save()
    #expect(pair.person.object("team") === blue)
    #expect(red.set("members").isEmpty && blue.set("members") == [pair.person])
    let reader = try #require(pair.mine.persistentStoreCoordinator).context()
    #expect(try reader.existingObject(with: pair.person.objectID).object("team")?.text("name") == "Blue")
  }

  @Test(arguments: Store.every)
  func `rollback removes many-to-many links of an object in conflict`(_ store: Store) throws {
    let pair = try Pair(store, .rollback)
    let group = pair.mine.insert("Group", ["name": "chess"])
    try pair.mine.save()
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue([group] as Set<NSManagedObject>, forKey: "groups")
    try pair.mine.save()
    #expect(pair.person.set("groups").isEmpty && group.set("people").isEmpty)
    let reader = try #require(pair.mine.persistentStoreCoordinator).context()
    #expect(try reader.existingObject(with: group.objectID).set("people").isEmpty)
  }

  @Test(arguments: Store.every)
  func `resolving a conflict posts refreshed objects`(_ store: Store) throws {
    let pair = try Pair(store, .rollback)
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    pair.mine.processPendingChanges()
    nonisolated(unsafe) var refreshed: [Any?] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: pair.mine, queue: nil
    ) { refreshed.append($0.userInfo?[NSRefreshedObjectsKey]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try pair.mine.save()
    #expect(refreshed.contains { $0 as? Set<NSManagedObject> == [pair.person] })
  }

  @Test(arguments: Store.every)
  func `undo reverts only the context's own changes`(_ store: Store) throws {
    let pair = try Pair(store, .mergeByPropertyObjectTrump)
    let manager = UndoManager()
    manager.groupsByEvent = false
    pair.mine.undoManager = manager
    pair.twin.setValue(41, forKey: "age")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    try pair.mine.save()
    pair.mine.undo()
    #expect(pair.person.text("name") == "Ann" && pair.person.value(forKey: "age") as? Int == 41)
    #expect(!manager.canUndo)
  }

  // MARK: Policies as objects

  @Test func `all names of a merge policy are the same object`() {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    // The macro cannot handle a comparison of objects without a class type.
    let pairs: [(AnyObject, AnyObject)] = [
      (context.mergePolicy as AnyObject, NSErrorMergePolicy), (NSErrorMergePolicy, NSMergePolicy.error),
      (NSMergeByPropertyStoreTrumpMergePolicy, NSMergePolicy.mergeByPropertyStoreTrump),
      (NSMergeByPropertyObjectTrumpMergePolicy, NSMergePolicy.mergeByPropertyObjectTrump),
      (NSOverwriteMergePolicy, NSMergePolicy.overwrite), (NSRollbackMergePolicy, NSMergePolicy.rollback),
    ]
    let areSame = pairs.allSatisfy { $0 === $1 }
    #expect(areSame)
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
    #expect(NSMergePolicyType(rawValue: 1) == .mergeByPropertyStoreTrumpMergePolicyType)
    #expect(NSMergePolicyType(rawValue: 4) == .rollbackMergePolicyType && NSMergePolicyType(rawValue: 5) == nil)
  }

  /// Joins both names, and leaves the rest to object trump.
  final class Joining: NSMergePolicy {
    var lists: [[Any]] = []

    override func resolve(mergeConflicts list: [Any]) throws {
      lists.append(list)
      for case let conflict as NSMergeConflict in list {
        let theirs = conflict.cachedSnapshot?["name"] as? String ?? ""
        conflict.sourceObject.setValue("\(theirs) + \(conflict.sourceObject.text("name") ?? "")", forKey: "name")
      }
      try super.resolve(mergeConflicts: list)
    }
  }

  @Test(arguments: Store.every)
  func `a subclass can resolve conflicts`(_ store: Store) throws {
    let policy = Joining(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let pair = try Pair(store, policy)
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    try pair.mine.save()
    #expect(try pair.stored()["name"] == "theirs + mine")
    #expect(policy.lists.count == 1)
  }

  /// Resolves nothing.
  final class Idle: NSMergePolicy {
    var calls = 0
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { calls += 1 }
  }

  @Test(arguments: Store.every)
  func `a policy that resolves nothing makes the save fail`(_ store: Store) throws {
    let policy = Idle(merge: .overwriteMergePolicyType)
    let pair = try Pair(store, policy)
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    let error = try #require(throws: CocoaError.self) { try pair.mine.save() }
    #expect(error.code.rawValue == 133020 && policy.calls == 1)
  }

  struct Refusal: Error {}
  final class Refusing: NSMergePolicy {
    override func resolve(mergeConflicts list: [Any]) throws { throw Refusal() }
  }

  @Test(arguments: Store.every)
  func `a save throws the error of its policy`(_ store: Store) throws {
    let pair = try Pair(store, Refusing(merge: .overwriteMergePolicyType))
    pair.twin.setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    #expect(throws: Refusal.self) { try pair.mine.save() }
    #expect(pair.person.isUpdated)
  }

  /// Merges by hand, as programs without a merge policy do.
  final class Refreshing: NSMergePolicy {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      for conflict in list {
        conflict.sourceObject.managedObjectContext?.refresh(conflict.sourceObject, mergeChanges: true)
      }
    }
  }

  @Test(arguments: Store.every)
  func `an object refreshed by the policy is no longer in conflict`(_ store: Store) throws {
    let pair = try Pair(store, Refreshing(merge: .errorMergePolicyType))
    pair.twin.setValue(41, forKey: "age")
    try pair.other.save()
    pair.person.setValue("mine", forKey: "name")
    try pair.mine.save()
    #expect(pair.person.value(forKey: "age") as? Int == 41)
    #expect(try pair.stored()["name"] == "mine")
  }
}
