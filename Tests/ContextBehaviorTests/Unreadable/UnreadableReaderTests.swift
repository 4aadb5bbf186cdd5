import CoreData
import Foundation
import StrataSampleStores
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Controllers, fetched properties and migrations while objects cannot be read.
@MainActor @Suite struct UnreadableReaderTests {
  private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
  }

  @Test func `a controller keeps its contents until changed objects can be read`() throws {
    let library = try UnreachableLibrary()
    let made = library.context.make("Person", "Ada", "Ben", "Cleo")
    try library.context.save()
    let context = library.reader()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.predicate = NSPredicate(format: "name != nil")
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let delegate = Delegate()
    controller.delegate = delegate
    try controller.performFetch()
    let people = try #require(controller.fetchedObjects)

    made[0].setValue("Zoë", forKey: "name")
    try library.context.save()
    library.disconnect()
    for person in people { context.refresh(person, mergeChanges: false) }
    context.processPendingChanges()
    #expect(controller.fetchedObjects == people && people.allSatisfy(\.isFault))
    let dora = context.insert("Person", ["name": "Dora"])
    context.processPendingChanges()
    library.reconnect()
    context.refreshAllObjects()
    dora.setValue("Dora", forKey: "name")
    context.processPendingChanges()
    #expect(controller.fetchedObjects?.map(\.called) == ["Ben", "Cleo", "Dora", "Zoë"])
    try context.save()
  }

  @Test func `a fetched property that cannot be fetched is read again`() throws {
    let works = NSFetchedPropertyDescription()
    works.name = "works"
    works.fetchRequest = NSFetchRequest(entityName: "Work")
    works.fetchRequest?.predicate = NSPredicate(format: "writer == $FETCH_SOURCE.name")
    let library = try UnreachableLibrary(
      makeModel(makeEntity("Writer", [attribute("name"), works]), makeEntity("Work", [attribute("writer")])))
    let made = library.context.make("Writer", "Ada")[0]
    _ = library.context.insert("Work", ["writer": "Ada"])
    try library.context.save()
    let context = library.reader()
    let ada = try context.existingObject(with: made.objectID)
    library.disconnect()
    #expect((ada.value(forKey: "works") as? [NSManagedObject])?.isEmpty == true)
    #expect(throws: CocoaError.self) { try context.save() }
    context.refreshAllObjects()
    #expect(throws: CocoaError.self) { try context.save() }
    library.reconnect()
    #expect((ada.value(forKey: "works") as? [NSManagedObject])?.count == 1)
    context.refreshAllObjects()
    try context.save()
  }

  @Test func `a migration that cannot read its source fails`() throws {
    _ = Store.every
    let folder = try TemporaryFolder.make()
    let (old, new) = (folder.appendingPathComponent("Old"), folder.appendingPathComponent("New.sqlite"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model)
    try coordinator.addPersistentStore(ofType: ServerStore.type, configurationName: nil, at: old)
    let context = coordinator.context()
    let book = context.make("Book", "B")[0]
    book.setValue(NSSet(array: context.make("Tag", "T")), forKey: "tags")
    try context.save()
    let target = try #require(Library.model.copy() as? NSManagedObjectModel)
    target.entitiesByName["Book"]?.properties.append(attribute("year", .integer16))
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: Library.model, destinationModel: target)
    for entity in mapping.entityMappings ?? [] {
      entity.entityMigrationPolicyClassName = NSStringFromClass(LosingPolicy.self)
      if entity.mappingType == .copyEntityMappingType { entity.mappingType = .customEntityMappingType }
    }
    LosingPolicy.server = Server.at(old)
    defer { LosingPolicy.server?.readFailure = nil }
    #expect(throws: (any Error).self) {
      try NSMigrationManager(sourceModel: Library.model, destinationModel: target).migrateStore(
        from: old, type: .init(rawValue: ServerStore.type), mapping: mapping, to: new, type: .sqlite)
    }
    let copy = NSPersistentStoreCoordinator(managedObjectModel: target)
    try copy.addPersistentStore(type: .sqlite, at: new)
    #expect(try copy.context().fetch("Book").isEmpty)
  }
}

/// Disconnects the server after all objects are created, before their relationships are read.
final class LosingPolicy: NSEntityMigrationPolicy {
  // Set by one test, before it migrates.
  nonisolated(unsafe) static var server: Server?

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try super.endInstanceCreation(forMapping: mapping, manager: manager)
    if mapping.destinationEntityName == manager.mappingModel.entityMappings?.last?.destinationEntityName {
      Self.server?.readFailure = UnreachableLibrary.ServerUnavailable()
    }
  }
}
