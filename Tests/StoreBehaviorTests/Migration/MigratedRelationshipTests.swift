import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Relationships keep their destinations in a migration.
@Suite struct MigratedRelationshipTests {
  /// Owners and things with a relationship between them.
  private func model(
    things: Int, owners: Int, thingsOrdered: Bool = false, ownersOrdered: Bool = false, ownerName: String = "Owner",
    hasInverse: Bool = true
  ) -> NSManagedObjectModel {
    let owner = makeEntity(ownerName, was: "Owner")
    let thing = makeEntity("Thing")
    let toThings = relationship("things", to: thing, max: things, ordered: thingsOrdered)
    let toOwners = relationship("owners", to: owner, max: owners, ordered: ownersOrdered)
    owner.properties = [attribute("name"), toThings]
    thing.properties = [attribute("name")]
    if hasInverse {
      thing.properties.append(toOwners)
      join(toThings, toOwners)
    }
    return makeModel([owner, thing])
  }

  private func owners(_ context: NSManagedObjectContext, _ name: String = "Owner") throws -> [[String]] {
    try context.all(name).map { object in
      (object.value(forKey: "things") as? NSManagedObject).map { [$0.storedText() ?? ""] }
        ?? object.storedNames("things")
    }
  }

  private func fill(_ context: NSManagedObjectContext, many: Bool) {
    let things = ["x", "y", "z"].map { context.make("Thing", ["name": $0]) }
    let a = context.make("Owner", ["name": "a"])
    let b = context.make("Owner", ["name": "b"])
    if many {
      a.setValue(Set(things[0...1]), forKey: "things")
      b.setValue(Set(things[2...2]), forKey: "things")
    } else {
      a.setValue(things[0], forKey: "things")
      b.setValue(things[2], forKey: "things")
    }
  }

  @Test func `one-to-one becomes one-to-many`() throws {
    let store = try MigratedStore()
    try store.open(model(things: 1, owners: 1)) { fill($0, many: false) }
    try store.open(model(things: 0, owners: 1)) { try #expect(owners($0) == [["x"], ["z"]]) }
  }

  @Test func `one-to-many becomes many-to-many`() throws {
    let store = try MigratedStore()
    try store.open(model(things: 0, owners: 1)) { fill($0, many: true) }
    try store.open(model(things: 0, owners: 0)) { context in
      try #expect(owners(context) == [["x", "y"], ["z"]])
      try #expect(context.all("Thing").map { $0.storedNames("owners") } == [["a"], ["a"], ["b"]])
    }
  }

  @Test func `a many-to-many relationship keeps its pairs when its table is renamed`() throws {
    let store = try MigratedStore()
    try store.open(model(things: 0, owners: 0)) { fill($0, many: true) }
    // The renamed entity sorts after the other one, so both get new numbers.
    try store.open(model(things: 0, owners: 0, ownerName: "Zowner")) {
      try #expect(owners($0, "Zowner") == [["x", "y"], ["z"]])
    }
  }

  @Test(arguments: [0, 1]) func `a relationship can become ordered and unordered again`(owners count: Int) throws {
    let store = try MigratedStore()
    try store.open(model(things: 0, owners: count)) { fill($0, many: true) }
    try store.open(model(things: 0, owners: count, thingsOrdered: true)) { context in
      try #expect(owners(context).map(\.count) == [2, 1])
      let a = try #require(try context.all("Owner").first)
      let things = (a.value(forKey: "things") as? NSOrderedSet)?.reversed ?? []
      a.setValue(things, forKey: "things")
    }
    try store.open(model(things: 0, owners: count).later()) { try #expect(owners($0) == [["x", "y"], ["z"]]) }
  }

  @Test func `a relationship keeps its destinations when it gains or loses an inverse`() throws {
    let store = try MigratedStore()
    try store.open(model(things: 0, owners: 1, hasInverse: false)) { fill($0, many: true) }
    try store.open(model(things: 0, owners: 1)) { try #expect(owners($0) == [["x", "y"], ["z"]]) }
    let last = model(things: 0, owners: 1, hasInverse: false).later()
    try store.open(last) { try #expect(owners($0) == [["x", "y"], ["z"]]) }
  }

  @Test func `relationships to removed entities become empty`() throws {
    func zoo(hasBirds: Bool) -> NSManagedObjectModel {
      let bird = makeEntity("Bird")
      let animal = makeEntity("Animal", [attribute("name")], subentities: hasBirds ? [bird] : [])
      let keeper = makeEntity("Keeper")
      let charge = relationship("animal", to: animal)
      let keepers = relationship("keepers", to: keeper, max: 0)
      keeper.properties = [attribute("name"), charge]
      animal.properties.append(keepers)
      join(charge, keepers)
      return makeModel([animal, keeper] + (hasBirds ? [bird] : []))
    }
    let store = try MigratedStore()
    try store.open(zoo(hasBirds: true)) {
      $0.make("Keeper", ["name": "a", "animal": $0.make("Animal", ["name": "Rex"])])
      $0.make("Keeper", ["name": "b", "animal": $0.make("Bird", ["name": "Tweety"])])
    }
    try store.open(zoo(hasBirds: false)) { context in
      let names = try context.all("Keeper").map { ($0.value(forKey: "animal") as? NSManagedObject)?.storedText() }
      #expect(names == ["Rex", nil])
    }
    // Birds become an entity again, so references need its number again.
    try store.open(zoo(hasBirds: true).later()) { context in
      let names = try context.all("Keeper").map { ($0.value(forKey: "animal") as? NSManagedObject)?.storedText() }
      #expect(names == ["Rex", nil])
    }
  }

  /// A reference stores its destination's entity, even if both are in the same table.
  @Test func `a reference within a hierarchy keeps its entity`() throws {
    func version(_ isNew: Bool) -> NSManagedObjectModel {
      let (node, leaf) = (makeEntity("Node"), makeEntity("Leaf"))
      let (parent, children) = (relationship("parent", to: node), relationship("children", to: node, max: 0))
      join(parent, children)
      node.properties = [attribute("name"), parent, children]
      // The new entity changes the numbers of the other two.
      node.subentities = isNew ? [leaf, makeEntity("Aisle")] : [leaf]
      return makeModel([node] + node.subentities)
    }
    let store = try MigratedStore()
    try store.open(version(false)) { context in
      let root = context.make("Node", ["name": "a"])
      let leaf = context.make("Leaf", ["name": "b", "parent": root])
      context.make("Leaf", ["name": "c", "parent": leaf])
    }
    try store.open(version(true)) { context in
      let parents = try context.all("Node").map { ($0.value(forKey: "parent") as? NSManagedObject) }
      #expect(parents.map { $0?.entity.name } == [nil, "Node", "Leaf"])
      #expect(parents.map { $0?.storedText() } == [nil, "a", "b"])
    }
  }
}
