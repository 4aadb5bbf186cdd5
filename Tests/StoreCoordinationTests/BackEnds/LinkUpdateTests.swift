import CoreData
import Foundation
import StrataTestSupport
import Testing

/// Which updates a context lets its store apply to a newer version of a row, without a conflict that the merge policy resolves.
@Suite struct LinkUpdateTests {
  private let url = URL(string: "test://\(UUID().uuidString)/links")!
  private let context: NSManagedObjectContext

  init() throws {
    #expect(TestDriver.isRegistered)
    let named = ["Person", "Group", "Team", "Song", "Guest"].map { makeEntity($0, [attribute("name")]) }
    let model = makeModel(named + [makeEntity("List"), makeEntity("Table")])
      .relate("Person", "groups", .many, "Group", "people", .many)
      .relate("Person", "team", .one, "Team", "people", .many)
      .relate("List", "songs", .ordered, "Song", "lists", .many)
      .relate("Table", "guests", .many, "Guest", "tables", .many)
    try #require(model.entitiesByName["Table"]?.relationshipsByName["guests"]).maxCount = 3
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(ofType: TestDriver.type, configurationName: nil, at: url, options: nil)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergePolicy.mergingRelationships
  }

  /// Saves new objects, changes them with `body`, and saves again.
  /// - Returns: whether the store may apply the updates to newer versions, by entity.
  private func updates(_ names: String..., by body: ([NSManagedObject]) -> Void) throws -> [String: Bool] {
    try context.performAndWait {
      let objects = names.map { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
      try context.save()
      body(objects)
      try context.save()
    }
    return try #require(TestDatabase.at(url)).state.withLock { $0.allowsNewerVersion }
  }

  private func link(_ objects: [NSManagedObject]) { objects[0].setValue(NSSet(object: objects[1]), forKey: "groups") }

  @Test func `the store merges links`() throws {
    #expect(try updates("Person", "Group", by: link) == ["Person": true, "Group": true])
    // The row of the person has the link.
    #expect(try updates("Person", "Team") { $0[0].setValue($0[1], forKey: "team") } == ["Person": false, "Team": true])
  }

  @Test func `the policy decides about an object with a changed attribute`() throws {
    let updates = try updates("Person", "Group") {
      link($0)
      $0[0].setValue("Ann", forKey: "name")
    }
    #expect(updates == ["Person": false, "Group": true])
  }

  @Test func `the policy decides about an order`() throws {
    let updates = try updates("List", "Song") { $0[0].setValue(NSOrderedSet(object: $0[1]), forKey: "songs") }
    #expect(updates == ["List": false, "Song": true])
  }

  @Test func `the context validates the number of links that both sides have added`() throws {
    let updates = try updates("Table", "Guest") { $0[0].setValue(NSSet(object: $0[1]), forKey: "guests") }
    #expect(updates == ["Table": false, "Guest": true])
  }

  @Test func `other policies, and contexts with undo, merge no links in the store`() throws {
    let none = ["Person": false, "Group": false]
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    #expect(try updates("Person", "Group", by: link) == none)
    context.mergePolicy = NSMergePolicy.mergingRelationships
    context.performAndWait { context.undoManager = UndoManager() }
    #expect(try updates("Person", "Group", by: link) == none)
  }
}
