import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct FetchTests {
  private let byCode = [NSSortDescriptor(key: "code", ascending: true)]

  private func filled(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.container()
    let context = container.viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, magnitude, place) in [("a", 4.5, "Tonga"), ("b", 6.1, "Chile"), ("c", 5.0, "tonga ridge")] {
      context.insert("Quake", ["code": code, "magnitude": magnitude, "place": place]).setValue(
        code == "b" ? nil : tonga, forKey: "region")
    }
    _ = context.insert("Quake", ["code": "d"])
    try context.save()
    return container
  }

  private func codes(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "code") as? String }
  }

  @Test(arguments: Store.allCases)
  func `objects have the class of their entity for every request type`(_ store: Store) throws {
    let container = try store.library()
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      _ = writer.insert("Book")
      try writer.save()
    }
    for _ in 0..<2 {
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
        #expect(objects.first is Book && objects == books)
      }
    }
  }

  @Test(arguments: Store.every)
  func `predicates select the matching objects`(_ store: Store) throws {
    let context = try filled(store).newBackgroundContext()
    try context.performAndWait {
      let expected: [(String, [Any], [String])] = [
        ("magnitude >= %@", [5], ["b", "c"]), ("magnitude == nil", [], ["d"]), ("magnitude != 5", [], ["a", "b", "d"]),
        ("NOT magnitude < 5", [], ["b", "c", "d"]), ("place BEGINSWITH[c] 'tonga'", [], ["a", "c"]),
        ("place CONTAINS 'ong'", [], ["a", "c"]), ("code IN %@", [["a", "d", "x"]], ["a", "d"]),
        ("region.name == 'Tonga' AND magnitude > 4.6", [], ["c"]), ("region == nil", [], ["b", "d"]),
        ("code == 'a' OR place == 'Chile'", [], ["a", "b"]),
      ]
      for (format, arguments, found) in expected {
        #expect(codes(try context.fetch("Quake", format, arguments, sort: byCode)) == found, "\(format)")
      }
      let tonga = try #require(try context.fetch("Region").first)
      #expect(codes(try context.fetch("Quake", "region == %@", [tonga], sort: byCode)) == ["a", "c"])
      #expect(try context.fetch("Region", "ANY quakes.magnitude > 4.9").count == 1)
    }
  }

  @Test(arguments: Store.every)
  func `a fetch applies order, limit and offset`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: false)]
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    #expect(codes(try context.fetch(request)) == ["c", "a"])
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 4)
  }

  @Test(arguments: Store.every)
  func `unsaved changes apply before the limit`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let quakes = try context.fetch("Quake", sort: byCode)
    quakes[1].setValue(1.0, forKey: "magnitude")
    context.delete(quakes[2])
    _ = context.insert("Quake", ["code": "e", "magnitude": 9.0])
    let strongest = [NSSortDescriptor(key: "magnitude", ascending: false)]
    #expect(codes(try context.fetch("Quake", "magnitude > 4", [], sort: strongest, limit: 1)) == ["e"])
    #expect(codes(try context.fetch("Quake", "magnitude > 4", [], sort: strongest)) == ["e", "a"])
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    #expect(try context.count(for: request) == 4)
    request.includesPendingChanges = false
    #expect(codes(try context.fetch(request)) == ["a", "b", "c", "d"])
  }

  @Test(arguments: Store.every)
  func `fetches return the registered object with its unsaved values`(_ store: Store) throws {
    let context = try filled(store).viewContext
    let first = try #require(try context.fetch("Quake", "code == 'a'").first)
    first.setValue("edited", forKey: "place")
    let again = try #require(try context.fetch("Quake", "code == 'a'").first)
    #expect(first === again && again.value(forKey: "place") as? String == "edited")
  }

  @Test(arguments: Store.every)
  func `a fetched object is a fault until it is read`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(try context.fetch("Quake", "code == 'a'").first)
      #expect(quake.isFault && quake.description.contains("<fault>") && !quake.hasChanges)
      #expect(quake.value(forKey: "place") as? String == "Tonga")
      #expect(!quake.isFault)
    }
  }

  @Test(arguments: Store.every)
  func `an object whose row was deleted cannot be found`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.viewContext
    let quake = try #require(try context.fetch("Quake", "code == 'd'").first)
    let id = quake.objectID
    context.delete(quake)
    try context.save()
    let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
    #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
    let fault = context.object(with: id)
    #expect(fault.value(forKey: "code") == nil && fault.isDeleted)
    try context.save()
  }

  @Test(arguments: Store.every)
  func `an entity name resolves in the current coordinator`(_ store: Store) throws {
    let context = NSManagedObjectContext(.mainQueue)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    for name in ["Ada", "Eve"] {
      let container = try store.people(PetOwners.freshModel())
      _ = container.viewContext.insert("Person", ["name": name])
      try container.viewContext.save()
      context.persistentStoreCoordinator = container.persistentStoreCoordinator
      for _ in 1...2 {
        let found = try context.fetch(request)
        #expect(found.map { $0.value(forKey: "name") as? String } == [name])
        #expect(found.first?.entity.managedObjectModel === container.managedObjectModel)
      }
      context.reset()
    }
  }
}
