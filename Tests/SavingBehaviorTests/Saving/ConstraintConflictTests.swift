import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Conflicts between objects with the same unique values.
@MainActor @Suite struct ConstraintConflictTests {
  nonisolated static let trumps: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
  ]

  @Test(arguments: Store.allCases)
  func `a new object conflicts with a stored row`(_ store: Store) throws {
    let context = try store.coordinator().context()
    let old = context.insert("Person", ["email": "a@x", "name": "Ann"])
    try context.save()
    let new = context.insert("Person", ["email": "a@x", "name": "Bob"])
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 133021)
    let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
    let conflict = try #require(list.first)
    #expect(list.count == 1 && conflict.constraint == ["email"])
    #expect(conflict.constraintValues["email"] as? String == "a@x")
    #expect(conflict.databaseObject === old && conflict.databaseSnapshot?["name"] as? String == "Ann")
    #expect(conflict.conflictingObjects == [new] && conflict.conflictingSnapshots.count == 1)
    #expect(error.userInfo[NSInsertedObjectsKey] as? [NSManagedObjectID] == [new.objectID])
    #expect(new.isInserted && new.objectID.isTemporaryID)
    // The error lists the merge policies.
    let suggestion = try #require(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
    for policy in ["mergeByPropertyStoreTrump", "mergeByPropertyObjectTrump", "overwrite", "rollback"] {
      #expect(suggestion.contains("NSMergePolicy.\(policy)"))
    }
    #expect(error.localizedDescription.contains("Person (email: \"a@x\")"))
    context.delete(new)
    try context.save()
  }

  @Test(arguments: Store.allCases)
  func `new objects of one save conflict with each other`(_ store: Store) throws {
    let context = try store.coordinator().context()
    let people = (0..<3).map { context.insert("Person", ["email": "a@x", "age": $0]) }
    let alone = context.insert("Person", ["email": "b@x"])
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code.rawValue == 133021)
    let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
    #expect(list.count == 1 && list[0].databaseObject == nil && list[0].databaseSnapshot == nil)
    #expect(Set(list[0].conflictingObjects) == Set(people))
    #expect(alone.isInserted)
    #expect(try context.persistentStoreCoordinator?.context().fetch("Person").isEmpty == true)
  }

  @Test(arguments: Store.allCases, trumps)
  func `the stored row keeps its object ID`(_ store: Store, _ type: NSMergePolicyType) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy(merge: type)
    let old = context.insert("Person", ["email": "a@x", "name": "Ann", "note": "kept", "age": 1])
    try context.save()
    let id = old.objectID
    let new = context.insert("Person", ["email": "a@x", "name": "Bob", "age": 2])
    try context.save()
    #expect(new.managedObjectContext == nil && !context.hasChanges)
    let expected: (String, String?, Int) =
      switch type {
      case .mergeByPropertyObjectTrumpMergePolicyType: ("Bob", "kept", 2)
      case .overwriteMergePolicyType: ("Bob", nil, 2)
      default: ("Ann", "kept", 1)
      }
    let reader = try #require(context.persistentStoreCoordinator).context()
    let rows = try reader.fetch("Person")
    #expect(rows.map(\.objectID) == [id])
    #expect(rows[0].text("name") == expected.0 && rows[0].text("note") == expected.1)
    #expect(rows[0].value(forKey: "age") as? Int == expected.2 && old.text("name") == expected.0)
  }

  @Test(arguments: Store.allCases, trumps)
  func `an object whose values lost a conflict is a fault`(_ store: Store, _ type: NSMergePolicyType) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy(merge: type)
    _ = context.insert("Person", ["email": "a@x", "name": "Ann"])
    try context.save()
    let (late, first) = (context.insert("Person", ["email": "a@x"]), context.insert("Person", ["email": "b@x"]))
    let second = context.insert("Person", ["email": "b@x", "name": "Bob"])
    try context.save()
    let loses = type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
    #expect(late.isFault == loses && second.isFault == loses && !first.isFault)
    #expect(late.managedObjectContext == nil && second.managedObjectContext == nil)
    #expect(second.text("name") == (loses ? nil : "Bob") && second.isFault == loses)
  }

  @Test(arguments: Store.allCases, trumps)
  func `duplicates in one save are merged`(_ store: Store, _ type: NSMergePolicyType) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy(merge: type)
    let first = context.insert("Person", ["email": "a@x", "name": "Ann", "note": "first"])
    let second = context.insert("Person", ["email": "a@x", "name": "Bob"])
    try context.save()
    #expect(!first.objectID.isTemporaryID && second.managedObjectContext == nil)
    let keepsNewest = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    #expect(first.text("name") == (keepsNewest ? "Bob" : "Ann"))
    #expect(first.text("note") == (type == .overwriteMergePolicyType ? nil : "first"))
    #expect(try context.persistentStoreCoordinator?.context().fetch("Person").count == 1)
  }

  @Test(arguments: Store.allCases, trumps)
  func `relationships move to the remaining object`(_ store: Store, _ type: NSMergePolicyType) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy(merge: type)
    let red = context.insert("Team", ["name": "Red"])
    let group = context.insert("Group", ["name": "chess"])
    let ann = context.insert("Person", ["email": "a@x", "team": red])
    try context.save()
    let again = context.insert("Team", ["name": "Red"])
    let bob = context.insert("Person", ["email": "b@x", "team": again])
    let twin = context.insert("Person", ["email": "a@x"])
    twin.setValue([group] as Set<NSManagedObject>, forKey: "groups")
    try context.save()
    // Overwriting includes the new person's nil for a team.
    #expect(bob.object("team") === red)
    #expect(red.set("members") == (type == .overwriteMergePolicyType ? [bob] : [ann, bob]))
    #expect(group.set("people") == [ann] && ann.set("groups") == [group])
    let reader = try #require(context.persistentStoreCoordinator).context()
    #expect(try reader.fetch("Team").count == 1)
    #expect(try reader.existingObject(with: bob.objectID).object("team")?.objectID == red.objectID)
    #expect(try reader.existingObject(with: group.objectID).set("people").map(\.objectID) == [ann.objectID])
  }

  @Test(arguments: Store.allCases, trumps)
  func `the policy resolves a duplicate value of an update`(_ store: Store, _ type: NSMergePolicyType) throws {
    let context = try store.coordinator().context()
    context.mergePolicy = NSMergePolicy(merge: type)
    let red = context.insert("Team", ["name": "Red"])
    let ann = context.insert("Person", ["email": "a@x", "name": "Ann", "groups": Set<NSManagedObject>()])
    let bob = context.insert("Person", ["email": "b@x", "name": "Bob"])
    ann.setValue(red, forKey: "team")
    try context.save()
    bob.setValue("a@x", forKey: "email")
    bob.setValue("Bobby", forKey: "name")
    try context.save()
    let reader = try #require(context.persistentStoreCoordinator).context()
    let rows = try reader.fetch("Person", sort: [NSSortDescriptor(key: "email", ascending: true)])
    let names = rows.map { "\($0.text("email") ?? "") \($0.text("name") ?? "")" }
    switch type {
    case .mergeByPropertyStoreTrumpMergePolicyType: #expect(names == ["a@x Ann", "b@x Bobby"])
    case .rollbackMergePolicyType: #expect(names == ["a@x Ann", "b@x Bob"])
    default:
      #expect(names == ["a@x Bobby"] && rows[0].objectID == bob.objectID)
      #expect(ann.managedObjectContext == nil && red.set("members").isEmpty)
    }
  }

  @Test(arguments: Store.allCases)
  func `a constraint applies to subentities too`(_ store: Store) throws {
    let context = try store.coordinator().context()
    let ann = context.insert("Person", ["email": "a@x", "name": "Ann"])
    try context.save()
    let boss = context.insert("Manager", ["email": "a@x", "name": "Boss", "title": "CEO"])
    let error = try #require(throws: CocoaError.self) { try context.save() }
    let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
    #expect(list.count == 1 && list[0].databaseObject === ann && list[0].conflictingObjects == [boss])
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.save()
    #expect(ann.text("name") == "Boss" && boss.managedObjectContext == nil)
  }

  @Test(arguments: Store.allCases)
  func `nil values are not in conflict`(_ store: Store) throws {
    let context = try store.coordinator().context()
    for _ in 0..<3 { _ = context.insert("Person") }
    try context.save()
    #expect(try context.fetch("Person").count == 3)
  }

  @Test(arguments: Store.allCases)
  func `a save may move unique values between objects`(_ store: Store) throws {
    let context = try store.coordinator().context()
    let (ann, bob) = (context.insert("Person", ["email": "a@x"]), context.insert("Person", ["email": "b@x"]))
    try context.save()
    context.delete(ann)
    bob.setValue("a@x", forKey: "email")
    let new = context.insert("Person", ["email": "b@x"])
    try context.save()
    #expect(bob.text("email") == "a@x" && !new.objectID.isTemporaryID)
  }

  /// Records the order of its calls.
  final class RecordingPolicy: NSMergePolicy {
    var order: [String] = []
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      order.append("versions")
      try super.resolve(optimisticLockingConflicts: list)
    }
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      order.append("constraints")
      try super.resolve(constraintConflicts: list)
    }
  }

  @Test(arguments: Store.allCases)
  func `version conflicts are resolved before constraint conflicts`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let (mine, other) = (coordinator.context(), coordinator.context())
    let policy = RecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    mine.mergePolicy = policy
    let ann = mine.insert("Person", ["email": "a@x", "name": "Ann"])
    try mine.save()
    try other.existingObject(with: ann.objectID).setValue("theirs", forKey: "name")
    _ = other.insert("Person", ["email": "b@x", "name": "theirs"])
    try other.save()
    ann.setValue("mine", forKey: "name")
    _ = mine.insert("Person", ["email": "b@x", "name": "mine"])
    try mine.save()
    #expect(policy.order == ["versions", "constraints"])
    let names = try coordinator.context().fetch("Person").map { $0.text("name") }
    #expect(names == ["mine", "mine"])
  }

  @Test(arguments: Store.allCases)
  func `many duplicates are resolved in one round`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let (mine, other) = (coordinator.context(), coordinator.context())
    for number in 0..<500 { _ = other.insert("Person", ["email": "\(number)@x", "age": 1]) }
    try other.save()
    let policy = RecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    mine.mergePolicy = policy
    for number in 250..<750 { _ = mine.insert("Person", ["email": "\(number)@x", "age": 2]) }
    try mine.save()
    #expect(policy.order == ["constraints"])
    let reader = coordinator.context()
    #expect(try reader.fetch("Person").count == 750)
    #expect(try reader.fetch("Person", "age == 2").count == 500)
  }
}
