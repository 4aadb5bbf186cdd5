import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Objects that are refreshed or changed by other contexts: they become faults, which are read on demand.
@MainActor @Suite struct InvalidationTests {
  private func texts(_ objects: [NSManagedObject], _ key: String) -> [String?] {
    objects.map { $0.value(forKey: key) as? String }
  }

  @Test(arguments: Store.every)
  func `a refresh turns unchanged objects into faults`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    quakes[1].setValue("mine", forKey: "place")
    context.refresh(quakes[0], mergeChanges: true)
    #expect(quakes[0].isFault && !quakes[0].hasChanges && !quakes[2].isFault)
    let posted = context.changes {
      context.refreshAllObjects()
      context.processPendingChanges()
    }
    #expect(posted.count == 1 && posted[0][NSRefreshedObjectsKey] as? Set<NSManagedObject> == Set(quakes))
    let areFaults = quakes.map(\.isFault)
    #expect(areFaults == [true, false, true, true])
    #expect(quakes[1].value(forKey: "place") as? String == "mine" && context.updatedObjects == [quakes[1]])
    #expect(texts(quakes, "code") == ["a", "b", "c", "d"])
  }

  @Test(arguments: Store.every)
  func `a refresh discards transient values`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (ada, eve) = (context.insert("Person", ["name": "Ada"]), context.insert("Person", ["name": "Eve"]))
    try context.save()
    for person in [ada, eve] { person.setPrimitiveValue("n", forKey: "cache") }
    eve.setValue("Eva", forKey: "name")
    context.startLog()
    context.refreshAllObjects()
    #expect(ada.value(forKey: "cache") == nil && eve.value(forKey: "cache") as? String == "n")
    #expect(
      context.takeLog() == [
        "Person willTurnIntoFault false", "Person didTurnIntoFault true", "Person awake 32", "Person awakeFromFetch",
      ])
  }

  @Test(arguments: Store.allCases)
  func `merged objects become faults that are read together`(_ store: Store) throws {
    let (container, quakes) = try store.quakes()
    let context = container.viewContext
    let saved = try container.saveElsewhere(changing: quakes, inserting: ["e"])
    let posted = context.changes { context.mergeChanges(fromContextDidSave: saved.objects) }
    #expect(posted.count == 1 && posted[0][NSRefreshedObjectsKey] as? Set<NSManagedObject> == Set(quakes))
    #expect((posted[0][NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
    let areFaults = quakes.allSatisfy(\.isFault)
    #expect(areFaults)
    #expect(quakes[0].value(forKey: "place") as? String == "new")
    // The other rows were read with the first one, so later changes are not in them.
    let other = container.newBackgroundContext()
    try other.performAndWait {
      for quake in try other.fetch("Quake") { quake.setValue("newer", forKey: "place") }
      try other.save()
    }
    #expect(texts(quakes, "place") == ["new", "new", "new", "new"])
  }

  @Test(arguments: Store.every)
  func `faults read their own rows in any order`(_ store: Store) throws {
    let context = try store.people().viewContext
    let people = ["a", "b", "c"].map { context.insert("Person", ["name": $0]) }
    try context.save()
    context.refreshAllObjects()
    #expect(texts(people, "name") == ["a", "b", "c"])
    context.refreshAllObjects()
    #expect(texts(people.reversed(), "name") == ["c", "b", "a"])
  }
}
