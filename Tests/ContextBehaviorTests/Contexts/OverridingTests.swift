import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// A test double that records the methods that a program calls.
private final class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
  var called: [String] = []
  var failsToSave = false
  var claimsChanges = false

  override func save() throws {
    called.append("save")
    guard !failsToSave else { throw CocoaError(.validationMultipleErrors) }
    try super.save()
  }
  override var hasChanges: Bool { claimsChanges || super.hasChanges }
  override var insertedObjects: Set<NSManagedObject> { record("inserted", super.insertedObjects) }
  override var updatedObjects: Set<NSManagedObject> { record("updated", super.updatedObjects) }
  override var deletedObjects: Set<NSManagedObject> { record("deleted", super.deletedObjects) }
  override var registeredObjects: Set<NSManagedObject> { record("registered", super.registeredObjects) }
  override func insert(_ object: NSManagedObject) { record("insert", super.insert(object)) }
  override func delete(_ object: NSManagedObject) { record("delete", super.delete(object)) }
  override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    record("execute", try super.execute(request))
  }
  override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    record("object", super.object(with: objectID))
  }
  override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    record("registeredObject", super.registeredObject(for: objectID))
  }
  override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    record("existingObject", try super.existingObject(with: objectID))
  }
  override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    record("obtain", try super.obtainPermanentIDs(for: objects))
  }
  override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    record("refresh", super.refresh(object, mergeChanges: flag))
  }
  override func refreshAllObjects() { record("refreshAll", super.refreshAllObjects()) }
  override func mergeChanges(fromContextDidSave notification: Notification) {
    record("merge", super.mergeChanges(fromContextDidSave: notification))
  }
  override func detectConflicts(for object: NSManagedObject) { record("detect", super.detectConflicts(for: object)) }
  override func processPendingChanges() { record("process", super.processPendingChanges()) }
  override func rollback() { record("rollback", super.rollback()) }
  override func reset() { record("reset", super.reset()) }
  override func undo() { record("undo", super.undo()) }
  override func redo() { record("redo", super.redo()) }
  override func perform(_ block: @escaping () -> Void) { record("perform", super.perform(block)) }
  override func performAndWait(_ block: () -> Void) { record("wait", super.performAndWait(block)) }

  private func record<T>(_ name: String, _ value: T) -> T {
    called.append(name)
    return value
  }
}

/// A container that configures each of its contexts.
private final class ConfiguringContainer: NSPersistentContainer, @unchecked Sendable {
  let contextCount = Atomic(0)
  var loadingError: (any Error)?

  override var viewContext: NSManagedObjectContext {
    let context = super.viewContext
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return context
  }
  override func newBackgroundContext() -> NSManagedObjectContext {
    let context = super.newBackgroundContext()
    context.transactionAuthor = "background"
    contextCount.add(1, ordering: .relaxed)
    return context
  }
  override func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    super.performBackgroundTask { context in
      context.name = "task"
      block(context)
    }
  }
  override func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    guard let loadingError else { return super.loadPersistentStores(completionHandler: block) }
    for description in persistentStoreDescriptions { block(description, loadingError) }
  }
}

/// A controller that returns the objects it was given.
private final class FixedController: NSFetchedResultsController<NSManagedObject> {
  var shown: [NSManagedObject] = []
  private(set) var fetches = 0
  weak var storedDelegate: (any NSFetchedResultsControllerDelegate)?

  override var fetchedObjects: [NSManagedObject]? { shown }
  override func performFetch() throws { fetches += 1 }
  override var cacheName: String? { "fixed" }
  override var sectionNameKeyPath: String? { "region" }
  override var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { storedDelegate }
    set { storedDelegate = newValue }
  }
}

/// A migration manager that counts the associations.
private final class CountingManager: NSMigrationManager {
  private(set) var associated = 0
  override func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associated += 1
    super.associate(sourceInstance: sourceInstance, withDestinationInstance: destinationInstance, for: entityMapping)
  }
}

/// Overrides in subclasses: all methods that can be overridden in Objective-C.
@MainActor @Suite struct OverridingTests {
  private func context(_ container: NSPersistentContainer) -> RecordingContext {
    let context = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    return context
  }

  @Test(arguments: Store.allCases)
  func `every method of a context calls its override`(_ store: Store) throws {
    let context = context(try store.container())
    context.undoManager = UndoManager()
    try context.performAndWait {
      let quake = NSManagedObject(entity: try #require(Quakes.model.entitiesByName["Quake"]), insertInto: context)
      quake.setValue("a", forKey: "code")
      context.processPendingChanges()
      context.undo()
      context.redo()
      try context.obtainPermanentIDs(for: [quake])
      #expect(context.insertedObjects == [quake])
      #expect(context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
      try context.save()
      #expect(context.registeredObjects == [quake] && context.object(with: quake.objectID) === quake)
      #expect(context.registeredObject(for: quake.objectID) === quake)
      #expect(try context.existingObject(with: quake.objectID) === quake)
      context.detectConflicts(for: quake)
      context.refresh(quake, mergeChanges: true)
      context.refreshAllObjects()
      context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: nil))
      let update = NSBatchUpdateRequest(entityName: "Quake")
      update.propertiesToUpdate = ["code": "b"]
      _ = try context.execute(update)
      context.delete(quake)
      context.rollback()
      context.reset()
    }
    context.performAndWait {}
    context.perform {}
    context.performAndWait {}
    #expect(
      context.called == [
        "insert", "process", "undo", "redo", "obtain", "inserted", "updated", "deleted", "save", "registered", "object",
        "registeredObject", "existingObject", "detect", "refresh", "refreshAll", "merge", "execute", "delete",
        "rollback", "reset", "wait", "perform", "wait",
      ])
  }

  @Test func `a save that an override rejects changes nothing`() throws {
    let context = context(try Store.memory.container())
    try context.performAndWait {
      context.claimsChanges = true
      #expect(context.hasChanges)
      // `hasChanges` alone gives the context nothing to save.
      try context.save()
      context.claimsChanges = false
      let quake = context.insert("Quake", ["code": "a"])
      context.failsToSave = true
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(quake.isInserted && context.hasChanges)
      context.failsToSave = false
      try context.save()
      #expect(!context.hasChanges && !quake.objectID.isTemporaryID)
    }
  }

  /// A test double whose `perform` runs no block must not affect its child contexts.
  @Test func `a child does not call the overrides of its parent`() throws {
    let parent = context(try Store.memory.container())
    let child = parent.child(.privateQueueConcurrencyType)
    try child.performAndWait {
      _ = child.insert("Quake", ["code": "a"])
      try child.save()
      #expect(try child.fetch("Quake").count == 1)
    }
    #expect(parent.called.isEmpty)
    parent.performAndWait { #expect(parent.hasChanges) }
  }

  @Test func `a container subclass configures every context`() async throws {
    let container = ConfiguringContainer(name: "Quakes", managedObjectModel: Quakes.model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadingError = CocoaError(.fileReadNoPermission)
    container.loadPersistentStores { _, error in #expect((error as? CocoaError)?.code == .fileReadNoPermission) }
    #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
    container.loadingError = nil
    container.loadPersistentStores { _, error in #expect(error == nil) }
    #expect(container.viewContext.mergePolicy as? NSMergePolicy === NSMergePolicy.mergeByPropertyObjectTrump)
    #expect(container.newBackgroundContext().transactionAuthor == "background")
    let awaited = await container.performBackgroundTask { $0.transactionAuthor }
    let configured = await withCheckedContinuation { continuation in
      container.performBackgroundTask { continuation.resume(returning: [$0.transactionAuthor, $0.name]) }
    }
    #expect(awaited == "background" && configured == ["background", "task"])
    #expect(container.contextCount.load(ordering: .relaxed) == 3)
  }

  @Test func `a controller uses the overrides of its class`() throws {
    let context = try Store.memory.container().viewContext
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = []
    let controller = FixedController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let base: NSFetchedResultsController<NSManagedObject> = controller
    try base.performFetch()
    #expect(base.fetchedObjects == [] && controller.fetches == 1)
    controller.shown = [context.insert("Quake", ["code": "a"])]
    #expect(base.fetchedObjects?.count == 1 && base.fetchRequest === request && base.managedObjectContext === context)
    #expect(base.cacheName == "fixed" && base.sectionNameKeyPath == "region" && base.delegate == nil)
  }

  @Test func `a migration calls the overrides of its manager`() throws {
    let folder = try TemporaryFolder.make()
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: Quakes.model)
    let url = folder.appendingPathComponent("Quakes.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.viewContext
    _ = context.insert("Quake", ["code": "a"])
    try context.save()
    try container.persistentStoreCoordinator.persistentStores.forEach(container.persistentStoreCoordinator.remove)
    let manager = CountingManager(sourceModel: Quakes.model, destinationModel: Quakes.model)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: Quakes.model, destinationModel: Quakes.model)
    try manager.migrateStore(
      from: url, type: .sqlite, mapping: mapping, to: folder.appendingPathComponent("New.sqlite"), type: .sqlite)
    #expect(manager.associated == 1)
  }
}
