import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct RelationshipTests {
  private func members(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
    object.value(forKey: key) as? Set<NSManagedObject> ?? []
  }

  @Test(arguments: Store.every)
  func `setting one end immediately sets the other`(_ store: Store) throws {
    let context = try store.container().viewContext
    let tonga = context.insert("Region")
    let chile = context.insert("Region")
    let quake = context.insert("Quake", ["region": tonga])
    #expect(members(tonga, "quakes") == [quake])
    chile.setValue(NSSet(array: [quake]), forKey: "quakes")
    #expect(quake.value(forKey: "region") as? NSManagedObject === chile)
    #expect(members(tonga, "quakes").isEmpty)
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Quake").first)
    let region = try #require(read.value(forKey: "region") as? NSManagedObject)
    #expect(members(region, "quakes") == [read])
  }

  @Test(arguments: Store.every)
  func `restoring the original order is not a change`(_ store: Store) throws {
    let context = try store.library().viewContext
    let book = context.insert("Book")
    book.setValue(NSOrderedSet(array: context.make("Page", "a", "b", "c")), forKey: "pages")
    try context.save()
    let pages = book.mutableOrderedSetValue(forKey: "pages")
    pages.exchangeObject(at: 0, withObjectAt: 1)
    #expect(book.changedValues()["pages"] != nil)
    pages.exchangeObject(at: 0, withObjectAt: 1)
    context.refresh(book, mergeChanges: true)
    for _ in 1...2 { #expect(book.changedValues()["pages"] == nil && !book.hasPersistentChangedValues) }
  }

  @Test(arguments: Store.every)
  func `a many-to-many relationship agrees from both ends`(_ store: Store) throws {
    let context = try store.container().viewContext
    let (red, blue) = (context.insert("Tag", ["name": "red"]), context.insert("Tag", ["name": "blue"]))
    let (a, b) = (context.insert("Quake", ["code": "a"]), context.insert("Quake", ["code": "b"]))
    a.setValue(NSSet(array: [red, blue]), forKey: "tags")
    blue.setValue(NSSet(array: [a, b]), forKey: "quakes")
    #expect(members(b, "tags") == [blue] && members(red, "quakes") == [a])
    try context.save()
    a.setValue(NSSet(array: [red]), forKey: "tags")
    try context.save()
    context.reset()
    let tags = try context.fetch("Tag", sort: [NSSortDescriptor(key: "name", ascending: true)])
    #expect(tags.map { members($0, "quakes").map { $0.value(forKey: "code") as? String } } == [["b"], ["a"]])
  }

  @Test(arguments: Store.every)
  func `setting an inverse does not fire a fault`(_ store: Store) throws {
    let container = try store.container()
    let context = container.viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    let old = context.insert("Quake", ["region": region])
    try context.save()
    context.refresh(region, mergeChanges: false)
    let new = context.insert("Quake", ["region": region])
    #expect(region.isFault)
    #expect(context.updatedObjects == [region])
    try context.save()
    #expect(members(region, "quakes") == [old, new])
  }

  @Test(arguments: Store.every)
  func `cascade deletes the destinations and nullify clears the references`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region")
    let tag = context.insert("Tag")
    let quake = context.insert("Quake", ["region": region, "tags": NSSet(object: tag)])
    try context.save()
    context.delete(region)
    context.processPendingChanges()
    #expect(context.deletedObjects == [region, quake])
    try context.save()
    #expect(try context.fetch("Quake").isEmpty)
    #expect(members(tag, "quakes").isEmpty)
  }

  @Test(arguments: Store.every)
  func `an object that is inserted and deleted is not saved`(_ store: Store) throws {
    let context = try store.container().viewContext
    let region = context.insert("Region")
    let quake = context.insert("Quake", ["region": region])
    context.delete(quake)
    context.processPendingChanges()
    #expect(context.insertedObjects == [region] && context.deletedObjects.isEmpty)
    #expect(members(region, "quakes").isEmpty && quake.managedObjectContext == nil)
    try context.save()
    #expect(try context.fetch("Quake").isEmpty)
  }
}
