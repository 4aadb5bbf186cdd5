import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Contexts whose parent or coordinator is replaced.
@MainActor @Suite struct ParentChangeTests {
  @Test func `a context that changes its parent uses the new parent's model`() throws {
    func makeRoot(with attributes: [NSAttributeDescription]) -> NSManagedObjectContext {
      let model = makeModel([makeEntity("Book", attributes)])
      return NSPersistentStoreCoordinator(managedObjectModel: model).context()
    }
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.parent = makeRoot(with: [attribute("title", default: "Untitled")])
    _ = context.insert("Book")
    try context.save()
    context.reset()
    // The object's row is in a page of unsaved rows, which stays open.
    context.delete(context.insert("Book"))
    context.processPendingChanges()
    #expect(context.registeredObjects.isEmpty)
    let required = attribute("pages", .integer64, optional: false, default: 7)
    let author = attribute("author", optional: false)
    context.parent = makeRoot(with: [required, author])
    let book = context.insert("Book")
    #expect(book.value(forKey: "pages") as? Int == 7)
    #expect(book.value(forKey: "author") == nil)
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code == .validationMissingMandatoryProperty)
    book.setValue("Ann", forKey: "author")
    try context.save()
    #expect(context.parent?.insertedObjects.first?.value(forKey: "author") as? String == "Ann")
  }

  @Test func `a context whose parent is removed can get a coordinator`() throws {
    let parent = try Store.sqlite.coordinator().context()
    let context = parent.child()
    _ = context.insert("Person", ["email": "a@x"])
    try context.save()
    context.reset()
    context.parent = nil
    let coordinator = try Store.sqlite.coordinator()
    context.persistentStoreCoordinator = coordinator
    _ = context.insert("Person", ["email": "b@x"])
    try parent.obtainPermanentIDs(for: Array(parent.insertedObjects))
    try context.save()
    #expect(try coordinator.context().fetch("Person").map { $0.text("email") } == ["b@x"])
  }

  /// Guards against a deadlock: the main queue would wait for the child, and the child for the main queue.
  @Test func `a child can be used on the main queue after its parent got a parent there`() throws {
    let root = try Store.sqlite.coordinator().context()
    _ = root.insert("Team", ["name": "Red"])
    let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    parent.parent = root
    let name = try child.performAndWait { try child.fetch("Team").first?.text("name") }
    #expect(name == "Red")
  }

  @Test(arguments: Store.every)
  func `a context can become a parent before it has a coordinator`(_ store: Store) throws {
    let parent = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    let coordinator = try store.coordinator()
    parent.persistentStoreCoordinator = coordinator
    #expect(child.persistentStoreCoordinator === coordinator)
    _ = child.insert("Team", ["name": "Red"])
    try child.save()
    try parent.save()
    #expect(try coordinator.context().fetch("Team").map { $0.text("name") } == ["Red"])
  }

  @Test func `an object has its entity after its child context and that one's parent are gone`() throws {
    let model = makeModel(makeEntity("Book", [attribute("title")]))
    let entity = try #require(model.entitiesByName["Book"])
    var parent: NSManagedObjectContext? = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    var child: NSManagedObjectContext? = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child?.parent = parent
    let book = NSManagedObject(entity: entity, insertInto: parent)
    let fault = try #require(child?.object(with: book.objectID))
    child?.reset()
    (child, parent) = (nil, nil)
    #expect(fault.entity === entity && fault.entity.name == "Book")
  }

  @Test func `an object has its entity after its context got a coordinator with another model`() throws {
    func coordinator() -> NSPersistentStoreCoordinator {
      NSPersistentStoreCoordinator(managedObjectModel: makeModel(makeEntity("Book", [attribute("title")])))
    }
    let context = coordinator().context()
    let book = context.insert("Book")
    let entity = book.entity
    context.reset()
    let replacement = coordinator()
    context.persistentStoreCoordinator = replacement
    #expect(book.entity === entity)
    #expect(context.insert("Book").entity === replacement.managedObjectModel.entitiesByName["Book"])
  }

  @Test func `a child forgets the model of its parent's previous parent`() throws {
    func makeRoot(with pages: Int) -> NSManagedObjectContext {
      let model = makeModel(makeEntity("Book", [attribute("pages", .integer64, default: pages)]))
      return NSPersistentStoreCoordinator(managedObjectModel: model).context()
    }
    let parent = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    parent.parent = makeRoot(with: 1)
    child.parent = parent
    #expect(child.insert("Book").value(forKey: "pages") as? Int == 1)
    child.reset()
    parent.parent = makeRoot(with: 2)
    #expect(child.insert("Book").value(forKey: "pages") as? Int == 2)
  }

  @Test func `a context can get another coordinator while the main queue waits for it`() throws {
    let (first, second) = (try Store.sqlite.coordinator(), try Store.sqlite.coordinator())
    let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = first
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    let isRunning = DispatchSemaphore(value: 0)
    parent.perform {
      isRunning.signal()
      usleep(50_000)
      parent.persistentStoreCoordinator = second
    }
    isRunning.wait()
    parent.performAndWait {}
    #expect(child.persistentStoreCoordinator === second)
    #expect(try child.fetch("Team").isEmpty)
  }
}
