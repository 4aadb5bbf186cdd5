import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Prefetching: after a change of the store, prefetched objects still have the old values.
@MainActor @Suite struct PrefetchTests {
  private func fetch(
    _ entity: String, prefetching paths: [String], in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.relationshipKeyPathsForPrefetching = paths
    return try context.fetch(request)
  }

  private func names(_ objects: Any?) -> Set<String> {
    Set((objects as? Set<NSManagedObject> ?? []).compactMap { $0.value(forKey: "name") as? String })
  }

  /// Ada with two pets, saved.
  private func filled(_ store: Store) throws -> NSPersistentContainer {
    let container = try store.people()
    let ada = container.viewContext.insert("Employee", ["name": "Ada"])
    for name in ["Rex", "Tom"] { _ = container.viewContext.insert("Pet", ["name": name, "owner": ada]) }
    try container.viewContext.save()
    return container
  }

  @Test(arguments: Store.every)
  func `a to-many relationship is prefetched with its members`(_ store: Store) throws {
    let container = try filled(store)
    let (context, plain) = (
      container.persistentStoreCoordinator.context(), container.persistentStoreCoordinator.context()
    )
    let ada = try #require(try fetch("Person", prefetching: ["pets"], in: context).first)
    let other = try #require(try fetch("Person", prefetching: [], in: plain).first)
    #expect(!ada.hasFault(forRelationshipNamed: "pets") && other.hasFault(forRelationshipNamed: "pets"))
    try container.viewContext.fetch("Pet").forEach(container.viewContext.delete)
    try container.viewContext.save()
    #expect(names(ada.value(forKey: "pets")) == ["Rex", "Tom"])
    #expect(names(other.value(forKey: "pets")).isEmpty)
  }

  @Test(arguments: Store.every)
  func `prefetched members survive a change and a save of their owner`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let ada = try #require(try fetch("Person", prefetching: ["pets"], in: context).first)
    ada.setValue("Eve", forKey: "name")
    #expect(!ada.hasFault(forRelationshipNamed: "pets"))
    try context.save()
    #expect(!ada.hasFault(forRelationshipNamed: "pets"))
    #expect(names(ada.value(forKey: "pets")) == ["Rex", "Tom"])
    context.refresh(ada, mergeChanges: false)
    #expect(ada.hasFault(forRelationshipNamed: "pets"))
  }

  @Test(arguments: Store.every)
  func `a to-one relationship is prefetched with its destination`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let pets = try fetch("Pet", prefetching: ["owner"], in: context)
    #expect(pets.allSatisfy { !$0.hasFault(forRelationshipNamed: "owner") } && pets.count == 2)
    try container.viewContext.fetch("Person")[0].setValue("Eve", forKey: "name")
    try container.viewContext.save()
    #expect(
      pets.map { ($0.value(forKey: "owner") as? NSManagedObject)?.value(forKey: "name") as? String } == ["Ada", "Ada"])
  }

  @Test(arguments: Store.every)
  func `every step of a prefetching path is read`(_ store: Store) throws {
    let container = try store.container()
    let writer = container.viewContext
    let tonga = writer.insert("Region", ["name": "Tonga"])
    let tags = ["red", "blue"].map { writer.insert("Tag", ["name": $0]) }
    for code in ["a", "b"] { _ = writer.insert("Quake", ["code": code, "region": tonga, "tags": NSSet(array: tags)]) }
    try writer.save()
    let context = container.persistentStoreCoordinator.context()
    let known = try #require(try context.fetch("Quake", "code == 'a'").first)
    _ = known.value(forKey: "code")
    let region = try #require(try fetch("Region", prefetching: ["quakes.tags"], in: context).first)
    tags.forEach(writer.delete)
    try writer.save()
    let quakes = try #require(region.value(forKey: "quakes") as? Set<NSManagedObject>)
    #expect(quakes.count == 2 && quakes.contains(known))
    for quake in quakes { #expect(names(quake.value(forKey: "tags")) == ["red", "blue"]) }
  }

  @Test(arguments: Store.every)
  func `relationships of many owners are prefetched`(_ store: Store) throws {
    let container = try store.container()
    let writer = container.viewContext
    for number in 0..<1_100 {
      let tag = writer.insert("Tag", ["name": "\(number)"])
      let region = writer.insert("Region", ["name": "\(number)"])
      if number % 3 != 0 {
        _ = writer.insert("Quake", ["code": "\(number)", "region": region, "tags": NSSet(object: tag)])
      }
    }
    try writer.save()
    let context = container.persistentStoreCoordinator.context()
    let regions = try fetch("Region", prefetching: ["quakes.tags"], in: context)
    try writer.fetch("Quake").forEach(writer.delete)
    try writer.save()
    for region in regions {
      let name = try #require(region.value(forKey: "name") as? String)
      let quakes = region.value(forKey: "quakes") as? Set<NSManagedObject> ?? []
      #expect(quakes.map { $0.value(forKey: "code") as? String } == ((Int(name) ?? 0) % 3 == 0 ? [] : [name]))
      for quake in quakes { #expect(names(quake.value(forKey: "tags")) == [name]) }
    }
  }

  @Test(arguments: Store.every)
  func `unsaved changes apply to prefetched members`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let ada = try #require(try fetch("Person", prefetching: ["pets"], in: context).first)
    let new = context.insert("Pet", ["name": "Max", "owner": ada])
    #expect(names(ada.value(forKey: "pets")) == ["Rex", "Tom", "Max"])
    context.delete(try #require(try context.fetch("Pet", "name == 'Rex'").first))
    new.setValue("Leo", forKey: "name")
    try context.save()
    #expect(names(ada.value(forKey: "pets")) == ["Tom", "Leo"])
  }

  @Test(arguments: Store.every)
  func `saves and merges invalidate prefetched members`(_ store: Store) throws {
    let container = try filled(store)
    let context = container.persistentStoreCoordinator.context()
    let ada = try #require(try fetch("Person", prefetching: ["pets"], in: context).first)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: container.viewContext, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let pets = try container.viewContext.fetch("Pet", "name == 'Rex'")
    pets[0].setValue("Leo", forKey: "name")
    _ = container.viewContext.insert("Pet", ["name": "New", "owner": try container.viewContext.fetch("Person")[0]])
    try container.viewContext.save()
    #expect(names(ada.value(forKey: "pets")) == ["Leo", "Tom", "New"])
    try context.fetch("Pet", "name == 'Tom'")[0].setValue("Tim", forKey: "name")
    try context.save()
    #expect(names(ada.value(forKey: "pets")) == ["Leo", "Tim", "New"])
  }

  @Test(arguments: Store.every)
  func `a child context prefetches from its parent`(_ store: Store) throws {
    let container = try filled(store)
    let child = container.viewContext.child()
    _ = container.viewContext.insert("Pet", ["name": "Max", "owner": try container.viewContext.fetch("Person")[0]])
    _ = container.viewContext.insert("Person", ["name": "Bob"])
    let people = try fetch("Person", prefetching: ["pets"], in: child)
    #expect(people.count == 2 && people.allSatisfy { !$0.hasFault(forRelationshipNamed: "pets") })
    #expect(Set(people.map { names($0.value(forKey: "pets")) }) == [["Rex", "Tom", "Max"], []])
  }

  @Test func `an invalid prefetching path throws with Apple's message`() throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.relationshipKeyPathsForPrefetching = ["pets.name"]
    let context = try Store.memory.people().viewContext
    let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
    let words = "Invalid relationship (\"name\") passed to setRelationshipKeyPathsForPrefetching"
    #expect(error?.code.rawValue == 134091 && error?.localizedDescription.contains(words) == true)
  }
}
