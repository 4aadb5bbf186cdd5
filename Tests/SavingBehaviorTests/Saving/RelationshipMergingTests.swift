import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The policy that merges changes of relationships and fails for everything else.
@MainActor @Suite struct RelationshipMergingTests {
  /// Two contexts on one coordinator, with the same person, group and teams.
  @MainActor private struct Pair {
    let mine: NSManagedObjectContext
    let other: NSManagedObjectContext
    let person: NSManagedObject
    let group: NSManagedObject
    let teams: [NSManagedObject]

    init(_ store: Store) throws {
      let coordinator = try store.coordinator()
      let mine = coordinator.context()
      (self.mine, other) = (mine, coordinator.context())
      mine.mergePolicy = NSMergePolicy.mergingRelationships
      person = mine.insert("Person", ["email": "a@x", "name": "Ann"])
      group = mine.insert("Group", ["name": "Choir"])
      teams = ["Red", "Blue"].map { mine.insert("Team", ["name": $0]) }
      try mine.save()
    }

    func twin(_ object: NSManagedObject) throws -> NSManagedObject { try other.existingObject(with: object.objectID) }

    /// Others insert a person with links to the group and to a team.
    func insertElsewhere(_ email: String) throws {
      _ = other.insert(
        "Person", ["email": email, "groups": NSSet(object: try twin(group)), "team": try twin(teams[0])])
      try other.save()
    }

    func failure() throws -> CocoaError { try #require(throws: CocoaError.self) { try mine.save() } }

    /// Reads the store in a third context.
    func stored<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
      try body(try #require(mine.persistentStoreCoordinator).context())
    }
  }

  @Test(arguments: Store.every)
  func `new objects that others linked to the same object stay linked`(_ store: Store) throws {
    let pair = try Pair(store)
    _ = pair.group.mutableSetValue(forKey: "people").count
    try pair.insertElsewhere("b@x")
    _ = pair.mine.insert("Person", ["email": "c@x", "groups": NSSet(object: pair.group), "team": pair.teams[0]])
    try pair.mine.save()
    try pair.stored { context in
      let group = try #require(try context.fetch("Group").first)
      let people = try #require(group.value(forKey: "people") as? Set<NSManagedObject>)
      #expect(Set(people.compactMap { $0.text("email") }) == ["b@x", "c@x"])
      #expect(try context.fetch("Person", "team.name == %@", ["Red"]).count == 2)
    }
  }

  @Test(arguments: Store.every)
  func `attributes that only one side changed are kept`(_ store: Store) throws {
    let pair = try Pair(store)
    try pair.twin(pair.group).setValue("Quartet", forKey: "name")
    try pair.other.save()
    pair.person.setValue(NSSet(object: pair.group), forKey: "groups")
    try pair.mine.save()
    #expect(pair.group.text("name") == "Quartet")
    try pair.insertElsewhere("b@x")
    pair.group.setValue("Duo", forKey: "name")
    try pair.mine.save()
    try pair.stored { context in
      let group = try #require(try context.fetch("Group").first)
      #expect(group.text("name") == "Duo" && (group.value(forKey: "people") as? NSSet)?.count == 2)
    }
  }

  @Test(arguments: Store.every)
  func `attributes that both sides changed are a conflict`(_ store: Store) throws {
    let pair = try Pair(store)
    try pair.twin(pair.person).setValue("theirs", forKey: "name")
    try pair.other.save()
    pair.person.setValue(2, forKey: "age")
    let error = try pair.failure()
    #expect(error.code == .managedObjectMerge)
    #expect(error.localizedDescription.hasSuffix("was changed by others since it was read (name)."))
    #expect(pair.person.isUpdated && pair.person.value(forKey: "age") as? Int == 2)
    let stored = try pair.stored { try $0.fetch("Person").map { [$0.text("name"), $0.text("age")] } }
    #expect(stored == [["theirs", nil]])
  }

  @Test(arguments: Store.every)
  func `two targets of one relationship are a conflict, and one that both chose is not`(_ store: Store) throws {
    let pair = try Pair(store)
    try pair.twin(pair.person).setValue(try pair.twin(pair.teams[0]), forKey: "team")
    try pair.other.save()
    pair.person.setValue(pair.teams[1], forKey: "team")
    #expect(try pair.failure().code == .managedObjectMerge)
    pair.person.setValue(pair.teams[0], forKey: "team")
    try pair.mine.save()
    #expect(try pair.stored { try $0.fetch("Person", "team.name == %@", ["Red"]).count } == 1)
  }

  @Test(arguments: Store.every, [true, false])
  func `a deletion is a conflict`(_ store: Store, _ isTheirs: Bool) throws {
    let pair = try Pair(store)
    if isTheirs {
      pair.other.delete(try pair.twin(pair.group))
      try pair.other.save()
      pair.person.setValue(NSSet(object: pair.group), forKey: "groups")
    } else {
      try pair.insertElsewhere("b@x")
      pair.mine.delete(pair.group)
    }
    let error = try pair.failure()
    #expect(error.code == .managedObjectMerge)
    #expect(error.localizedDescription.contains("'Group'"))
    #expect(error.localizedDescription.contains("was deleted by others since it was read.") == isTheirs)
  }

  @Test(arguments: Store.allCases)
  func `unique values are a conflict that names them`(_ store: Store) throws {
    let pair = try Pair(store)
    _ = pair.mine.insert("Person", ["email": "a@x"])
    let error = try pair.failure()
    #expect(error.code == .managedObjectConstraintMerge)
    #expect(error.localizedDescription.hasSuffix("already have them: Person (email: \"a@x\")."))
  }

  @Test(arguments: Store.every)
  func `the error of the default policy names what only relationships changed, and the remedy`(_ store: Store) throws {
    let pair = try Pair(store)
    pair.mine.mergePolicy = NSMergePolicy.error
    try pair.insertElsewhere("b@x")
    pair.person.setValue(NSSet(object: pair.group), forKey: "groups")
    let one = try pair.failure()
    #expect(one.localizedDescription.contains("'Group' \(pair.group.objectID.uriRepresentation())"))
    #expect(
      one.localizedDescription.hasSuffix("was changed by others since it was read, but only in its relationships."))
    let remedy = try #require(one.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
    #expect(remedy.contains("NSMergePolicy.mergingRelationships") && remedy.contains("retryingConflicts:"))
    pair.person.setValue(pair.teams[0], forKey: "team")
    let two = try pair.failure().localizedDescription
    #expect(two.contains("2 objects were changed or deleted by others since they were read: "))
    #expect(two.contains("'Group'") && two.contains("'Team'") && two.contains("(only relationships)"))
    try pair.twin(pair.group).setValue("Quartet", forKey: "name")
    try pair.other.save()
    pair.group.setValue("Duo", forKey: "name")
    let three = try pair.failure()
    #expect(
      three.localizedDescription.contains("(name)") && three.localizedDescription.contains("(only relationships)"))
    let other = try #require(three.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
    #expect(other.contains("mergeByPropertyObjectTrump") && !other.contains("mergingRelationships"))
  }

  @Test(arguments: Store.allCases, [true, false])
  func `links of both sides that are too many or too few together are refused`(_ store: Store, adds: Bool) throws {
    let model = makeModel(makeEntity("Table"), makeEntity("Guest"))
      .relate("Table", "guests", .many, "Guest", "tables", .many)
    let relationship = try #require(model.entitiesByName["Table"]?.relationshipsByName["guests"])
    (relationship.minCount, relationship.maxCount, relationship.isOptional) = (1, 3, false)
    let coordinator = try store.container(of: model).persistentStoreCoordinator
    let (mine, other) = (coordinator.context(), coordinator.context())
    mine.mergePolicy = NSMergePolicy.mergingRelationships
    let guests = (0..<4).map { _ in mine.insert("Guest") }
    let table = mine.insert("Table", ["guests": NSSet(array: Array(guests.prefix(2)))])
    try mine.save()
    func change(_ table: NSManagedObject, _ guest: NSManagedObject) {
      let members = table.mutableSetValue(forKey: "guests")
      if adds { members.add(guest) } else { members.remove(guest) }
    }
    #expect(table.set("guests").count == 2)
    let (first, second) = adds ? (guests[2], guests[3]) : (guests[0], guests[1])
    change(try other.existingObject(with: table.objectID), try other.existingObject(with: first.objectID))
    try other.save()
    change(table, second)
    let error = try #require(throws: CocoaError.self) { try mine.save() }
    #expect(error.code.rawValue == (adds ? 1590 : 1580))
    let reader = coordinator.context()
    #expect(try reader.existingObject(with: table.objectID).set("guests").count == (adds ? 3 : 1))
  }

  @Test(arguments: Store.allCases, [Arity.one, .many])
  func `a member added at the end leaves the order of others alone`(_ store: Store, inverse: Arity) throws {
    let model = makeModel(makeEntity("List"), makeEntity("Song", [attribute("name")]))
      .relate("List", "songs", .ordered, "Song", "lists", inverse)
    let coordinator = try store.container(of: model).persistentStoreCoordinator
    let (mine, other) = (coordinator.context(), coordinator.context())
    mine.mergePolicy = NSMergePolicy.mergingRelationships
    let songs = ["a", "b", "c", "d"].map { mine.insert("Song", ["name": $0]) }
    let list = mine.insert("List", ["songs": NSOrderedSet(array: Array(songs.prefix(3)))])
    try mine.save()
    func names(_ list: NSManagedObject) -> [String?] {
      (list.value(forKey: "songs") as? NSOrderedSet)?.array.map { ($0 as? NSManagedObject)?.text("name") } ?? []
    }
    #expect(names(list) == ["a", "b", "c"])
    let turned = NSOrderedSet(array: try songs.prefix(3).reversed().map { try other.existingObject(with: $0.objectID) })
    try other.existingObject(with: list.objectID).setValue(turned, forKey: "songs")
    try other.save()
    list.mutableOrderedSetValue(forKey: "songs").add(songs[3])
    try mine.save()
    let reader = coordinator.context()
    #expect(names(try reader.existingObject(with: list.objectID)) == ["c", "b", "a", "d"])
  }

  /// A policy that counts what it is asked.
  private final class CountingPolicy: NSMergePolicy {
    var count = 0

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      count += list.count
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  @Test(arguments: Store.every)
  func `a policy of the program's own is asked about links`(_ store: Store) throws {
    let pair = try Pair(store)
    let policy = CountingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    pair.mine.mergePolicy = policy
    try pair.insertElsewhere("b@x")
    pair.person.setValue(NSSet(object: pair.group), forKey: "groups")
    try pair.mine.save()
    #expect(policy.count > 0)
  }

  @Test(arguments: Store.allCases)
  func `the program's validation sees the links of both sides`(_ store: Store) throws {
    let model = makeModel(makeEntity("Limited", of: Limited.self), makeEntity("Guest"))
      .relate("Limited", "guests", .many, "Guest", "tables", .many)
    let coordinator = try store.container(of: model).persistentStoreCoordinator
    let (mine, other) = (coordinator.context(), coordinator.context())
    mine.mergePolicy = NSMergePolicy.mergingRelationships
    let guests = (0..<3).map { _ in mine.insert("Guest") }
    let table = mine.insert("Limited", ["guests": NSSet(object: guests[0])])
    try mine.save()
    let theirs = try other.existingObject(with: table.objectID)
    theirs.mutableSetValue(forKey: "guests").add(try other.existingObject(with: guests[1].objectID))
    try other.save()
    table.mutableSetValue(forKey: "guests").add(guests[2])
    #expect(throws: Limited.TooMany.self) { try mine.save() }
    let reader = coordinator.context()
    #expect(try reader.existingObject(with: table.objectID).set("guests").count == 2)
  }

  @Test(arguments: Store.allCases, ["Arrival", "Departure", "Stay"])
  func `the validation of any object of the save sees the links of both sides`(_ store: Store, name: String) throws {
    let classes = ["Arrival": Arrival.self, "Departure": Departure.self] as [String: Visitor.Type]
    let model = makeModel(makeEntity("Room"), makeEntity(name, of: classes[name] ?? Stay.self))
      .relate("Room", "visitors", .many, name, "rooms", .many)
    let coordinator = try store.container(of: model).persistentStoreCoordinator
    let (mine, other) = (coordinator.context(), coordinator.context())
    mine.mergePolicy = NSMergePolicy.mergingRelationships
    let room = mine.insert("Room")
    let (first, second) = (mine.insert(name), mine.insert(name, ["rooms": NSSet(object: room)]))
    try mine.save()
    _ = other.insert(name, ["rooms": NSSet(object: try other.existingObject(with: room.objectID))])
    try other.save()
    switch name {
    case "Arrival": _ = mine.insert(name, ["rooms": NSSet(object: room)])
    case "Departure":
      mine.delete(second)
      first.mutableSetValue(forKey: "rooms").add(room)
      _ = mine.insert(name, ["rooms": NSSet(object: room)])
    default: first.mutableSetValue(forKey: "rooms").add(room)
    }
    #expect(throws: Visitor.TooMany.self) { try mine.save() }
    let reader = coordinator.context()
    #expect(try reader.existingObject(with: room.objectID).set("visitors").count == 2)
  }

  @Test(arguments: Store.every)
  func `links that were merged are all there, in the context and in its lists`(_ store: Store) throws {
    let pair = try Pair(store)
    #expect(pair.group.set("people").isEmpty)
    for round in 1...3 {
      try pair.twin(pair.group).setValue("Choir \(round)", forKey: "name")
      try pair.insertElsewhere("their \(round)")
      pair.other.refreshAllObjects()
      _ = pair.mine.insert("Person", ["email": "my \(round)", "groups": NSSet(object: pair.group)])
      try pair.mine.save()
      #expect(pair.group.text("name") == "Choir \(round)")
      #expect(pair.group.set("people").count == 2 * round)
      pair.other.refreshAllObjects()
    }
    // The version that the context has is the stored one.
    pair.group.setValue("Quartet", forKey: "name")
    pair.mine.mergePolicy = NSMergePolicy.error
    try pair.mine.save()
    #expect(try pair.stored { try $0.fetch("Group").first?.text("name") } == "Quartet")
  }
}

/// A visitor of rooms for two, who refuses a third.
class Visitor: NSManagedObject {
  struct TooMany: Error {}

  func check(_ rooms: Set<NSManagedObject>) throws {
    if rooms.contains(where: { $0.set("visitors").count > 2 }) { throw TooMany() }
  }
}

final class Arrival: Visitor {
  override func validateForInsert() throws {
    try super.validateForInsert()
    try check(set("rooms"))
  }
}

final class Departure: Visitor {
  override func validateForDelete() throws {
    try super.validateForDelete()
    let rooms = try managedObjectContext?.fetch("Room") ?? []
    try check(Set(rooms))
  }
}

final class Stay: Visitor {
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try check(set("rooms"))
  }
}

/// A table that refuses to be saved with three guests.
final class Limited: NSManagedObject {
  struct TooMany: Error {}

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if set("guests").count > 2 { throw TooMany() }
  }
}
