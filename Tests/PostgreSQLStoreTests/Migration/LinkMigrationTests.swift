import CoreDataPostgreSQL
import Foundation
import StrataTestSupport
import Testing

/// Relationships keep their destinations in an inferred migration, on the server as in a file.
@Suite(.waitsForProcesses) struct LinkMigrationTests {
  /// Owners and things with a relationship between them.
  private func model(
    things: Int, owners: Int, thingsOrdered: Bool = false, ownersOrdered: Bool = false, ownerName: String = "Owner",
    hasInverse: Bool = true, exists: Bool = true
  ) -> NSManagedObjectModel {
    let owner = makeEntity(ownerName, was: "Owner")
    let thing = makeEntity("Thing")
    let toThings = relationship("things", to: thing, max: things, ordered: thingsOrdered)
    let toOwners = relationship("owners", to: owner, max: owners, ordered: ownersOrdered)
    owner.properties = [attribute("name")] + (exists ? [toThings] : [])
    thing.properties = [attribute("name")]
    if hasInverse, exists {
      thing.properties.append(toOwners)
      join(toThings, toOwners)
    }
    return makeModel([owner, thing])
  }

  private func fill(_ context: NSManagedObjectContext, many: Bool) {
    let things = ["x", "y", "z"].map { context.make("Thing", ["name": $0]) }
    let (a, b) = (context.make("Owner", ["name": "a"]), context.make("Owner", ["name": "b"]))
    if many {
      a.setValue(Set(things[0...1]), forKey: "things")
      b.setValue(Set(things[2...2]), forKey: "things")
    } else {
      a.setValue(things[0], forKey: "things")
      b.setValue(things[2], forKey: "things")
    }
  }

  @Test func `one-to-one becomes one-to-many and many-to-many`() throws {
    let found = try migrated([
      { model(things: 1, owners: 1) }, { model(things: 0, owners: 1) }, { model(things: 0, owners: 0) },
    ]) { fill($0, many: false) }
    #expect(
      found == [
        "Owner a things=[\"x\"]", "Owner b things=[\"z\"]", "Thing x owners=[\"a\"]", "Thing y owners=[]",
        "Thing z owners=[\"b\"]",
      ])
  }

  @Test func `a join table is renamed`() throws {
    let found = try migrated([
      { model(things: 0, owners: 0) }, { model(things: 0, owners: 0, ownerName: "Zowner") },
    ]) { fill($0, many: true) }
    #expect(found.prefix(2) == ["Thing x owners=[\"a\"]", "Thing y owners=[\"a\"]"])
    #expect(found.suffix(2) == ["Zowner a things=[\"x\", \"y\"]", "Zowner b things=[\"z\"]"])
  }

  @Test(arguments: [0, 1]) func `a relationship becomes ordered and unordered`(owners: Int) throws {
    try migrated([
      { model(things: 0, owners: owners) }, { model(things: 0, owners: owners, thingsOrdered: true) },
      { model(things: 0, owners: owners).later(1) },
      { model(things: 0, owners: owners, thingsOrdered: true).later() },
    ]) { number, context in
      guard number == 1, let a = try context.all("Owner").first else { return }
      a.setValue((a.value(forKey: "things") as? NSOrderedSet)?.reversed ?? [], forKey: "things")
    } filling: {
      fill($0, many: true)
    }
  }

  @Test func `both sides of a relationship become ordered`() throws {
    try migrated([
      { model(things: 0, owners: 0) }, { model(things: 0, owners: 0, thingsOrdered: true, ownersOrdered: true) },
    ]) { fill($0, many: true) }
  }

  @Test func `relationships and inverses are added and removed`() throws {
    try migrated([
      { model(things: 0, owners: 1, hasInverse: false) }, { model(things: 0, owners: 1) },
      { model(things: 0, owners: 1, hasInverse: false).later() }, { model(things: 1, owners: 1, exists: false) },
      { model(things: 0, owners: 0).later() },
    ]) { number, context in
      guard number == 4 else { return }
      try context.all("Owner").first?.setValue(Set(context.all("Thing")), forKey: "things")
    } filling: {
      fill($0, many: true)
    }
  }

  /// References store the entity of their destination, even if it is in the same table.
  @Test func `references to a hierarchy keep their entity`() throws {
    func version(_ isNew: Bool) -> NSManagedObjectModel {
      let (node, leaf) = (makeEntity("Node"), makeEntity(isNew ? "Sheet" : "Leaf", was: "Leaf"))
      let (up, down) = (relationship("up", to: node), relationship("down", to: node, max: 0))
      join(up, down)
      node.properties = [attribute("name"), up, down]
      node.subentities = isNew ? [leaf, makeEntity("Aisle")] : [leaf]
      return makeModel([node] + node.subentities)
    }
    let found = try migrated([{ version(false) }, { version(true) }]) { context in
      let (top, leaf) = (context.make("Leaf", ["name": "a"]), context.make("Leaf", ["name": "b"]))
      let root = context.make("Node", ["name": "c"])
      top.setValue(root, forKey: "up")
      leaf.setValue(top, forKey: "up")
    }
    #expect(
      found == ["Sheet a down=[\"b\"] up=Node.c", "Sheet b down=[] up=Sheet.a", "Node c down=[\"a\"] up=nil"])
  }

  @Test func `references to removed entities become nil`() throws {
    func version(_ isNew: Bool) -> NSManagedObjectModel {
      let (animal, dog) = (makeEntity("Animal", [attribute("name")]), makeEntity("Dog"))
      let zoo = makeEntity("Zoo")
      let (star, all) = (relationship("star", to: animal), relationship("all", to: animal, max: 0))
      let (zoos, shows) = (relationship("zoos", to: zoo, max: 0), relationship("shows", to: zoo, max: 0))
      join(star, shows)
      join(all, zoos)
      animal.properties += [zoos, shows]
      animal.subentities = isNew ? [] : [dog]
      zoo.properties = [attribute("name"), star, all]
      return makeModel([animal, zoo] + (isNew ? [] : [dog]))
    }
    let found = try migrated([{ version(false) }, { version(true) }]) { context in
      let (cat, dog) = (context.make("Animal", ["name": "cat"]), context.make("Dog", ["name": "dog"]))
      context.make("Zoo", ["name": "A", "star": dog, "all": Set([cat, dog])])
      context.make("Zoo", ["name": "B", "star": cat])
    }
    #expect(
      found == [
        "Animal cat shows=[\"B\"] zoos=[\"A\"]", "Zoo A all=[\"cat\"] star=nil", "Zoo B all=[] star=Animal.cat",
      ])
  }
}
