import CoreData
import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Unique values that move between objects of one save: only the final state may be in conflict.
@MainActor @Suite struct MovingUniqueValueTests {
  /// The kinds of stores and a policy of each type, alone and for a child context.
  struct Scenario: CustomTestStringConvertible, Sendable {
    var store: NSPersistentStore.StoreType
    var policy: NSMergePolicyType
    var isNested: Bool

    var testDescription: String { "\(store.rawValue), policy \(policy.rawValue)\(isNested ? ", nested" : "")" }

    static let policies: [NSMergePolicyType] = [
      .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
      .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]
    static let stores: [NSPersistentStore.StoreType] = [
      .sqlite, .inMemory, .xml, .binary, .init(rawValue: NSPostgreSQLStoreType),
    ]
    static let all = stores.flatMap { store in
      policies.flatMap { policy in
        [false, true].map { Scenario(store: store, policy: policy, isNested: $0) }
      }
    }.sampled(every: 3)
    static let flat = all.filter { !$0.isNested }
  }

  /// A store, the context that changes its objects, and those that save the changes.
  @MainActor struct HallStore {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Halls.model)
    let context: NSManagedObjectContext
    private let root: NSManagedObjectContext
    let policy: CountingPolicy

    init(_ scenario: Scenario) throws {
      let url =
        scenario.store.rawValue == NSPostgreSQLStoreType
        ? try PostgreSQLServer.shared.get().freshURL()
        : try TemporaryFolder.make().appendingPathComponent("Halls")
      try coordinator.addPersistentStore(type: scenario.store, at: url)
      policy = CountingPolicy(merge: scenario.policy)
      root = coordinator.context()
      root.mergePolicy = policy
      if scenario.isNested {
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = root
        context.mergePolicy = policy
      } else {
        context = root
      }
    }

    func save() throws {
      try context.save()
      if root !== context { try root.save() }
    }

    /// The values that a property has in the store, in the order of some objects.
    func stored(_ key: String, of objects: [NSManagedObject]) throws -> [String?] {
      let reader = coordinator.context()
      return try objects.map { object in
        let value = try reader.existingObject(with: object.objectID).value(forKey: key)
        return (value as? NSManagedObject).map { $0.text("code") } ?? value.map { "\($0)" }
      }
    }
  }

  /// Counts its calls.
  final class CountingPolicy: NSMergePolicy {
    var calls = 0
    override func resolve(mergeConflicts list: [Any]) throws {
      calls += 1
      try super.resolve(mergeConflicts: list)
    }
  }

  @Test(arguments: Scenario.all)
  func `two objects swap unique values under every policy`(_ scenario: Scenario) throws {
    let scene = try HallStore(scenario)
    let seats = ["x", "y", "z"].map { scene.context.insert("Seat", ["code": $0]) }
    try scene.save()
    seats[0].setValue("y", forKey: "code")
    seats[1].setValue("x", forKey: "code")
    try scene.save()
    #expect(seats.map { $0.text("code") } == ["y", "x", "z"])
    #expect(try scene.stored("code", of: seats) == ["y", "x", "z"])
    #expect(scene.policy.calls == 0 && !scene.context.hasChanges)
    // Versions and snapshots are the same as after a normal update.
    for seat in seats { seat.setValue("note", forKey: "note") }
    try scene.save()
    #expect(scene.policy.calls == 0)
  }

  @Test(arguments: Scenario.all)
  func `cycles of unique values do not conflict, for every kind of constraint`(_ scenario: Scenario) throws {
    let scene = try HallStore(scenario)
    let halls = ["h", "i"].map { scene.context.insert("Hall", ["code": $0]) }
    let seats = (0..<3).map { number in
      scene.context.insert(
        "Seat", ["code": "\(number)", "row": "r", "place": number, "hall": halls[0], "number": number])
    }
    let box = scene.context.insert("Box", ["code": "box", "row": "s", "place": 0, "hall": halls[1], "number": 0])
    try scene.save()
    let all = seats + [box]
    // One property, two attributes together, and a to-one relationship with an attribute, of an entity and its subentity.
    for (object, code) in zip(all, ["1", "2", "box", "0"]) { object.setValue(code, forKey: "code") }
    for (object, place) in zip(seats, [1, 2, 0]) { object.setValue(place, forKey: "place") }
    seats[0].setValue(halls[1], forKey: "hall")
    box.setValue(halls[0], forKey: "hall")
    _ = scene.context.insert("Seat", ["code": "new"])
    try scene.save()
    #expect(scene.policy.calls == 0)
    #expect(try scene.stored("code", of: all) == ["1", "2", "box", "0"])
    #expect(try scene.stored("place", of: seats) == ["1", "2", "0"])
    #expect(try scene.stored("hall", of: all) == ["i", "h", "h", "h"])
    #expect(try scene.coordinator.context().fetch("Seat").count == 5)
  }

  @Test(arguments: Scenario.all)
  func `a chain begins with a new object and ends with a deleted one`(_ scenario: Scenario) throws {
    let scene = try HallStore(scenario)
    let seats = ["a", "b", "c", "d"].map { scene.context.insert("Seat", ["code": $0]) }
    try scene.save()
    let new = scene.context.insert("Seat", ["code": "a"])
    for (seat, code) in zip(seats, ["b", "c", "d"]) { seat.setValue(code, forKey: "code") }
    scene.context.delete(seats[3])
    try scene.save()
    #expect(scene.policy.calls == 0)
    try scene.context.obtainPermanentIDs(for: [new])
    #expect(try scene.stored("code", of: seats.dropLast()) == ["b", "c", "d"])
    let codes = try scene.coordinator.context().fetch("Seat").compactMap { $0.text("code") }
    #expect(codes.sorted() == ["a", "b", "c", "d"])
  }

  @Test(arguments: Scenario.flat)
  func `a cycle of unique values is saved even if another object is in conflict`(_ scenario: Scenario) throws {
    let scene = try HallStore(scenario)
    let seats = ["a", "b", "c", "held"].map { scene.context.insert("Seat", ["code": $0, "note": "old"]) }
    try scene.save()
    for (seat, code) in zip(seats, ["b", "a", "held"]) {
      seat.setValue(code, forKey: "code")
      seat.setValue("new", forKey: "note")
    }
    let stays = ["b", "a"]
    switch scenario.policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CocoaError.self) { try scene.save() }
      let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
      #expect(error.code == .managedObjectConstraintMerge && list.count == 1)
      #expect(list.first?.conflictingObjects == [seats[2]] && list.first?.databaseObject === seats[3])
      #expect(try scene.stored("code", of: seats) == ["a", "b", "c", "held"])
    case .mergeByPropertyStoreTrumpMergePolicyType:
      try scene.save()
      #expect(try scene.stored("code", of: seats) == stays + ["c", "held"])
      #expect(try scene.stored("note", of: seats) == ["new", "new", "new", "old"])
    case .rollbackMergePolicyType:
      try scene.save()
      #expect(try scene.stored("code", of: seats) == stays + ["c", "held"])
      #expect(try scene.stored("note", of: seats) == ["new", "new", "old", "old"])
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try scene.save()
      #expect(seats[3].managedObjectContext == nil)
      #expect(try scene.stored("code", of: seats.dropLast()) == stays + ["held"])
    }
  }

  /// Each round of conflicts undoes one change, which puts the next object of the chain in conflict.
  @Test(arguments: Store.allCases)
  func `store trump resolves a long chain of unique values that ends at a stored value`(_ store: Store) throws {
    let coordinator = try store.coordinator()
    let context = coordinator.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    let count = 150
    let people = (0...count).map { context.insert("Person", ["email": "\($0)@x", "age": 1]) }
    try context.save()
    for (number, person) in people.dropLast().enumerated() {
      person.setValue("\(number + 1)@x", forKey: "email")
      person.setValue(2, forKey: "age")
    }
    try context.save()
    #expect(people.map { $0.text("email") } == (0...count).map { "\($0)@x" })
    let reader = coordinator.context()
    #expect(try reader.fetch("Person", "age == 2").count == count)
    #expect(try reader.fetch("Person").count == count + 1)
  }

  @Test(arguments: [Store.sqlite, .postgreSQL])
  func `the history has one update for each object in a cycle`(_ store: Store) throws {
    let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
    let coordinator = try store.coordinator(options: [options])
    let context = coordinator.context()
    let people = ["a", "b", "c"].map { context.insert("Person", ["email": $0]) }
    try context.save()
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    for (person, email) in zip(people, ["b", "c", "a"]) { person.setValue(email, forKey: "email") }
    try context.save()
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
    let changes = transactions.flatMap { $0.changes ?? [] }
    #expect(changes.map(\.changeType) == [.update, .update, .update])
    #expect(Set(changes.map(\.changedObjectID)) == Set(people.map(\.objectID)))
  }
}

/// Seats of halls, with constraints of every kind.
private enum Halls {
  static let model = makeModel(
    makeEntity("Hall", [attribute("code")]),
    makeEntity(
      "Seat", unique: [["code"], ["row", "place"], ["hall", "number"]],
      [
        attribute("code"), attribute("note"), attribute("row"), attribute("place", .integer32),
        attribute("number", .integer32),
      ], subentities: [makeEntity("Box")])
  ).relate("Hall", "seats", .many, "Seat", "hall", .one)
}
