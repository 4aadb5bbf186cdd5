import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Predicates on an object's entity and ID, and on the object itself, in fetches and in memory.
@MainActor @Suite struct EntityPredicateTests {
  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.coordinator().context()
    let team = context.insert("Team", ["name": "red"])
    for (entity, name) in [("Person", "ann"), ("Manager", "bob"), ("Person", "cid")] {
      context.insert(entity, ["name": name, "email": name]).setValue(name == "cid" ? nil : team, forKey: "team")
    }
    try context.save()
    return context
  }

  private func names(_ objects: [NSManagedObject]) -> [String] { objects.compactMap { $0.text("name") }.sorted() }

  @Test(arguments: Store.every)
  func `predicates compare entities with entities and names`(_ store: Store) throws {
    let context = try filled(store)
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Person", in: context))
    let manager = try #require(NSEntityDescription.entity(forEntityName: "Manager", in: context))
    let copy = try #require(entity.copy() as? NSEntityDescription)
    let expected: [(String, [Any], [String])] = [
      ("entity == %@", [manager], ["bob"]), ("entity == %@", [entity], ["ann", "cid"]),
      ("entity != %@", [manager], ["ann", "cid"]), ("self.entity = %@", [manager], ["bob"]),
      ("entity IN %@", [[manager, entity]], ["ann", "bob", "cid"]), ("entity IN %@", [[manager]], ["bob"]),
      ("entity.name == 'Manager'", [], ["bob"]), ("entity.name BEGINSWITH 'P' AND name > 'b'", [], ["cid"]),
      ("SELF.entity.name IN {'Manager', 'Team'}", [], ["bob"]), ("team.entity.name == 'Team'", [], ["ann", "bob"]),
      ("team.entity == nil", [], ["cid"]), ("entity != nil", [], ["ann", "bob", "cid"]),
    ]
    let all = try context.fetch("Person")
    for round in 0..<2 {
      for (format, arguments, found) in expected {
        #expect(names(try context.fetch("Person", format, arguments)) == found, "\(format) in the store, \(round)")
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(names(all.filter { predicate.evaluate(with: $0) }) == found, "\(format) in memory")
      }
      // The second round has an unsaved change, which the context evaluates in memory.
      all.first?.setValue("note", forKey: "note")
    }
    #expect(copy == entity)
    #expect(names(try context.fetch("Person", "entity == %@", [copy])) == ["ann", "cid"])
    #expect(names(try context.fetch("Team", "ANY members.entity.name == 'Manager'")) == ["red"])
    #expect(
      try context.fetch("Team", "SUBQUERY(members, $m, $m.entity == %@).@count == 1", [manager]).count == 1)
  }

  @Test(arguments: Store.every)
  func `predicates can refer to object IDs`(_ store: Store) throws {
    let context = try filled(store)
    let all = try context.fetch("Person", sort: [NSSortDescriptor(key: "name", ascending: true)])
    let ids = all.map(\.objectID)
    let team = try #require(try context.fetch("Team").first)
    let expected: [(String, [Any], [String])] = [
      ("objectID == %@", [ids[1]], ["bob"]), ("objectID == %@", [all[1]], ["bob"]), ("self == %@", [ids[0]], ["ann"]),
      ("SELF == %@", [all[0]], ["ann"]), ("objectID IN %@", [[ids[0], ids[2]]], ["ann", "cid"]),
      ("SELF IN %@", [[ids[2]]], ["cid"]), ("self IN %@", [Set(all)], ["ann", "bob", "cid"]),
      ("NOT (objectID IN %@)", [ids.dropLast() as [NSManagedObjectID]], ["cid"]),
      ("objectID != %@", [ids[0]], ["bob", "cid"]),
      ("team.objectID == %@", [team.objectID], ["ann", "bob"]), ("team == %@", [team], ["ann", "bob"]),
      ("team.self IN %@", [[team]], ["ann", "bob"]),
    ]
    for (format, arguments, found) in expected {
      #expect(names(try context.fetch("Person", format, arguments)) == found, "\(format) in the store")
      let predicate = NSPredicate(format: format, argumentArray: arguments)
      #expect(names(all.filter { predicate.evaluate(with: $0) }) == found, "\(format) in memory")
      #expect(names((all as NSArray).filtered(using: predicate) as? [NSManagedObject] ?? []) == found)
    }
    #expect((ids as NSArray).filtered(using: NSPredicate(format: "SELF IN %@", [ids[1]])).count == 1)
  }

  @Test func `predicates in memory can refer to the state of objects`() throws {
    let context = try filled(.memory)
    let all = try context.fetch("Person")
    all[0].setValue("note", forKey: "note")
    #expect(all.filter { NSPredicate(format: "hasChanges == YES").evaluate(with: $0) } == [all[0]])
    #expect(all.filter { NSPredicate(format: "isDeleted == YES OR isInserted == YES").evaluate(with: $0) }.isEmpty)
  }
}
