import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Properties that are set in initializers, both in extensions, where Swift calls no property observers, and in
/// subclasses.
@MainActor @Suite struct InitializerSettingTests {
  @Test(arguments: Store.allCases)
  func `a context merges if its initializer asks for it`(_ store: Store) async throws {
    let container = try store.container()
    let merging = NSManagedObjectContext(merging: container.viewContext)
    let subclassed = MergingContext(coordinator: container.persistentStoreCoordinator)
    for context in [merging, subclassed] {
      #expect(context.automaticallyMergesChangesFromParent)
      #expect(context.undoManager?.levelsOfUndo == 3)
      #expect(context.undoManager?.groupsByEvent == false)
    }
    let quake = container.viewContext.insert("Quake", ["place": "first"])
    try container.viewContext.save()
    let id = quake.objectID
    for context in [merging, subclassed] {
      #expect(try await context.place(of: id) == "first")
    }
    quake.setValue("second", forKey: "place")
    try container.viewContext.save()
    for context in [merging, subclassed] {
      try await eventually { try await context.place(of: id) == "second" }
    }
  }

  @Test func `a model owns the entities that its initializer sets`() throws {
    let base = NSEntityDescription(named: "Base", subentities: [])
    let title = NSAttributeDescription(named: "title", .stringAttributeType, default: "?")
    let sub = NSEntityDescription(named: "Sub", properties: [title])
    let top = NSEntityDescription(named: "Top", subentities: [sub])
    let relationship = NSRelationshipDescription(named: "base", to: base)
    top.properties = [relationship]
    let makers: [([NSEntityDescription]) -> NSManagedObjectModel] = [NSManagedObjectModel.init(of:), OwnModel.init]
    for maker in makers {
      let model = maker([base, top, sub])
      #expect([base, top, sub].allSatisfy { $0.managedObjectModel === model })
      #expect(model.entitiesByName.keys.sorted() == ["Base", "Sub", "Top"])
      #expect(model.versionIdentifiers == ["1"])
    }
    #expect(sub.superentity === top)
    #expect(sub.propertiesByName.keys.sorted() == ["base", "title"])
    #expect(sub.indexes.map(\.entity) == [sub])
    #expect(sub.indexes[0].elements.map(\.propertyName) == ["title"])
    #expect(sub.indexes[0].elements[0].indexDescription === sub.indexes[0])
    #expect(title.entity === sub)
    #expect(title.attributeType == .stringAttributeType && title.defaultValue as? String == "?" && !title.isOptional)
    #expect(
      relationship.destinationEntity === base && relationship.maxCount == 1
        && relationship.deleteRule == .denyDeleteRule)
  }

  @Test func `a model built by initializers can be used in a store`() throws {
    let model = NSManagedObjectModel(of: [
      NSEntityDescription(
        named: "Book", properties: [NSAttributeDescription(named: "title", .stringAttributeType, default: "?")])
    ])
    let container = NSPersistentContainer(name: "Initializers", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(inMemory: "Initializers")]
    try container.load()
    _ = container.viewContext.insert("Book")
    try container.viewContext.save()
    #expect(try container.viewContext.fetch("Book").map { $0.value(forKey: "title") as? String } == ["?"])
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.type == NSInMemoryStoreType && store.isReadOnly == false)
  }

  @Test(arguments: Store.allCases)
  func `a request uses the values that its initializer sets`(_ store: Store) throws {
    let context = try store.container().viewContext
    for code in ["c", "a", "b"] { _ = context.insert("Quake", ["code": code]) }
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(quakesBefore: "c", limit: 1)
    #expect(try context.fetch(request).map { $0.value(forKey: "code") as? String } == ["a"])
    #expect(try context.fetch(FirstQuakes()).map { $0.value(forKey: "code") as? String } == ["a", "b"])
    let controller = NSFetchedResultsController(performing: request, in: context)
    #expect(controller.fetchedObjects?.count == 1)
  }
}

extension NSManagedObjectContext {
  fileprivate convenience init(merging parent: NSManagedObjectContext) {
    self.init(concurrencyType: .privateQueueConcurrencyType)
    self.parent = parent
    automaticallyMergesChangesFromParent = true
    undoManager = UndoManager(levels: 3)
  }

  fileprivate func place(of id: NSManagedObjectID) async throws -> String? {
    try await perform { [unowned self] in try existingObject(with: id).value(forKey: "place") as? String }
  }
}

private final class MergingContext: NSManagedObjectContext, @unchecked Sendable {
  // @unchecked: as its superclass.
  init(coordinator: NSPersistentStoreCoordinator) {
    super.init(concurrencyType: .privateQueueConcurrencyType)
    automaticallyMergesChangesFromParent = true
    persistentStoreCoordinator = coordinator
    undoManager = UndoManager(levels: 3)
  }
}

extension UndoManager {
  fileprivate convenience init(levels: Int) {
    self.init()
    levelsOfUndo = levels
    groupsByEvent = false
  }
}

extension NSManagedObjectModel {
  fileprivate convenience init(of entities: [NSEntityDescription]) {
    self.init()
    self.entities = entities
    versionIdentifiers = ["1"]
  }
}

private final class OwnModel: NSManagedObjectModel, @unchecked Sendable {
  // @unchecked: as its superclass.
  init(_ entities: [NSEntityDescription]) {
    super.init()
    self.entities = entities
    versionIdentifiers = ["1"]
  }

  required init?(coder: NSCoder) { fatalError("not archived here") }
}

extension NSEntityDescription {
  fileprivate convenience init(named name: String, subentities: [NSEntityDescription]) {
    self.init()
    self.name = name
    self.subentities = subentities
  }

  fileprivate convenience init(named name: String, properties: [NSPropertyDescription]) {
    self.init()
    self.name = name
    self.properties = properties
    indexes = [NSFetchIndexDescription(of: properties)]
  }
}

extension NSFetchIndexDescription {
  fileprivate convenience init(of properties: [NSPropertyDescription]) {
    self.init(name: "own", elements: nil)
    name = "by" + properties.map(\.name).joined()
    elements = properties.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
  }
}

extension NSAttributeDescription {
  fileprivate convenience init(named name: String, _ type: NSAttributeType, default value: Any) {
    self.init()
    self.name = name
    attributeType = type
    defaultValue = value
    isOptional = false
  }
}

extension NSRelationshipDescription {
  fileprivate convenience init(named name: String, to entity: NSEntityDescription) {
    self.init()
    self.name = name
    destinationEntity = entity
    maxCount = 1
    deleteRule = .denyDeleteRule
  }
}

extension NSPersistentStoreDescription {
  fileprivate convenience init(inMemory name: String) {
    self.init()
    url = URL(fileURLWithPath: "/dev/null")
    type = NSInMemoryStoreType
    shouldAddStoreAsynchronously = false
    isReadOnly = false
  }
}

extension NSFetchRequest {
  fileprivate convenience init(quakesBefore code: String, limit: Int) {
    self.init(entityName: "Quake")
    predicate = NSPredicate(format: "code < %@", code)
    sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    fetchLimit = limit
  }
}

private final class FirstQuakes: NSFetchRequest<NSManagedObject> {
  override init() {
    super.init()
    entity = Quakes.model.entitiesByName["Quake"]
    sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    fetchLimit = 2
  }
}

extension NSFetchedResultsController {
  fileprivate convenience init(performing request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) {
    self.init(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    delegate = nil
    try? performFetch()
  }
}
