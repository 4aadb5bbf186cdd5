import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct BatchDeleteTests {
  @Test(arguments: Store.allCases)
  func `a batch delete cascades and removes many-to-many links`(in store: Store) throws {
    let context = try store.container().viewContext
    let tag = context.insert("Tag", ["name": "t"])
    let regions = ["Alps", "Andes"].map { context.insert("Region", ["name": $0]) }
    for (number, region) in (regions + regions).enumerated() {
      _ = context.insert("Quake", ["code": "q\(number)", "region": region, "tags": Set([tag])])
    }
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: request("Region", "name == 'Alps'"))
    request.resultType = .resultTypeObjectIDs
    let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.compactMap(\.entity.name).sorted() == ["Quake", "Quake", "Region"])
    #expect(regions[0].isDeleted == false)
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    #expect(regions[0].isDeleted && context.deletedObjects.contains(regions[0]))
    #expect((tag.value(forKey: "quakes") as? NSSet)?.count == 2)
    #expect(!context.hasChanges)
    context.refreshAllObjects()
    #expect((tag.value(forKey: "quakes") as? NSSet)?.count == 2)
  }

  @Test(arguments: Store.allCases)
  func `a batch delete respects sort order, limit and offset`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(10)
    let fetch = request("Quake", "magnitude < 8")
    fetch.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: false)]
    fetch.fetchOffset = 1
    fetch.fetchLimit = 3
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeCount
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 3)
    let left = try context.fetch("Quake", sort: [NSSortDescriptor(key: "magnitude", ascending: true)])
    #expect(left.compactMap { $0.value(forKey: "magnitude") as? Int } == [0, 1, 2, 3, 7, 8, 9])
  }

  @Test(arguments: Store.allCases)
  func `a batch delete requires object IDs of one entity`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(3)
    let quakes = try context.fetch("Quake")
    let region = context.insert("Region")
    try context.save()
    let request = NSBatchDeleteRequest(objectIDs: quakes.prefix(2).map(\.objectID))
    request.resultType = .resultTypeCount
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
    #expect(throws: CocoaError.self) {
      try context.execute(NSBatchDeleteRequest(objectIDs: [quakes[2].objectID, region.objectID]))
    }
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 1)
  }

  @Test(arguments: Store.allCases)
  func `a batch delete nullifies relationships to deleted rows`(in store: Store) throws {
    let context = try store.library().viewContext
    let people = context.make("Person", "Ada", "Bob")
    let passports = context.make("Passport", "P")
    people[0].setValue(passports[0], forKey: "passport")
    people[0].setValue(people[1], forKey: "spouse")
    let child = context.make("Person", "Kim")[0]
    child.setValue(people[0], forKey: "parent")
    people[0].setValue(Set([people[1], child]), forKey: "friends")
    try context.save()
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request("Person", "name == 'Ada'")))
    context.reset()
    #expect(try context.named("Passport", "P").one("owner") == nil)
    #expect(try context.named("Person", "Bob").one("spouse") == nil)
    #expect(try context.named("Person", "Kim").one("parent") == nil)
    #expect(try context.named("Person", "Kim").names("friends") == [])
    #expect(try context.named("Person", "Bob").names("friends") == [])
  }

  @Test(arguments: Store.allCases)
  func `a batch delete cascades through cycles and several levels`(in store: Store) throws {
    let context = try store.library().viewContext
    let rings = context.make("Ring", "1", "2", "3")
    for number in 0..<3 { rings[number].setValue(rings[(number + 1) % 3], forKey: "next") }
    let folders = context.make("Folder", "a", "b", "c", "other")
    folders[1].setValue(folders[0], forKey: "parent")
    folders[2].setValue(folders[1], forKey: "parent")
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: request("Ring", "name == '2'"))
    request.resultType = .resultTypeCount
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 3)
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: self.request("Folder", "name == 'a'")))
    context.reset()
    #expect(try context.fetch("Folder").map(\.called) == ["other"])
  }

  @Test(arguments: Store.allCases)
  func `ordered relationships stay in order after a batch delete`(in store: Store) throws {
    let context = try store.library().viewContext
    let book = context.make("Book", "B")[0]
    book.setValue(NSOrderedSet(array: context.make("Page", "1", "2", "3")), forKey: "pages")
    let list = context.make("List", "L")[0]
    list.setValue(NSOrderedSet(array: context.make("Tag", "x", "y", "z")), forKey: "tags")
    let shelf = context.make("Shelf", "S")[0]
    shelf.setValue(NSOrderedSet(array: context.make("Box", "r", "s")), forKey: "stack")
    try context.save()
    for (entity, name) in [("Page", "2"), ("Tag", "x"), ("Box", "r")] {
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request(entity, "name == '\(name)'")))
    }
    context.reset()
    #expect(try context.named("Book", "B").names("pages") == ["1", "3"])
    #expect(try context.named("List", "L").names("tags") == ["y", "z"])
    #expect(try context.named("Shelf", "S").names("stack") == ["s"])
    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request("Shelf", "name == 'S'")))
    context.reset()
    #expect(try context.fetch("Box").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `the deny rule makes a batch delete fail`(in store: Store) throws {
    let context = try store.library().viewContext
    context.make("Lock", "L")[0].setValue(Set(context.make("File", "F")), forKey: "files")
    try context.save()
    let error = #expect(throws: CocoaError.self) {
      try context.execute(NSBatchDeleteRequest(fetchRequest: request("Lock", "TRUEPREDICATE")))
    }
    #expect(error?.code.rawValue == 134091)
    #expect(try context.fetch("Lock").count == 1)
  }

  @Test(arguments: Store.allCases)
  func `a child context executes batch deletes in the store`(in store: Store) throws {
    let context = try store.container().viewContext
    try context.addQuakes(2)
    let child = context.child()
    _ = try child.execute(NSBatchDeleteRequest(fetchRequest: request("Quake", "magnitude == 1")))
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 1)
  }

  private func request(_ entity: String, _ format: String) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    request.predicate = NSPredicate(format: format)
    return request
  }
}
