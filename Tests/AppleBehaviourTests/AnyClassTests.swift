import CoreData
import Foundation
import Testing

/// Parts of a stack that are made of classes known only at run time: `T(…)`, `Self(…)` and `self.init(…)` in class methods.
@MainActor @Suite struct AnyClassTests {
  private func make<T: NSPersistentStoreCoordinator>(_ model: NSManagedObjectModel) -> T {
    T(managedObjectModel: model)
  }
  private func make<T: NSPersistentContainer>(_ name: String) -> T { T(name: name, managedObjectModel: World.model) }
  private func make<T: NSManagedObjectContext>() -> T { T(concurrencyType: .mainQueueConcurrencyType) }
  private func make<T: NSManagedObjectModel>() -> T { T() }
  private func make<T: NSPersistentStoreDescription>(_ url: URL) -> T { T(url: url) }
  private func make<T: NSPropertyDescription>(named name: String) -> T {
    let property = T()
    property.name = name
    return property
  }
  private func make<T: NSManagedObject>(of name: String) -> NSFetchRequest<T> { .made(of: name) }

  @Test func coordinatorsAndContainers() throws {
    weak var gone: NSPersistentStoreCoordinator?
    try {
      let coordinator: OwnCoordinator = make(World.model)
      gone = coordinator
      #expect(coordinator.note == "own" && coordinator.managedObjectModel === World.model)
      #expect(OwnCoordinator.made(of: World.model).note == "own")
      let name = String(repeating: "a long name ", count: 4)
      let container: OwnContainer = make(name)
      #expect(container.name == name && container.note == "own")
      #expect(OwnContainer.made().name == "made")
      container.persistentStoreDescriptions = [make(URL(fileURLWithPath: "/dev/null"))]
      container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
      try container.load()
      _ = container.viewContext.insert("Quake")
      try container.viewContext.save()
    }()
    #expect(gone == nil)
  }

  @Test func contexts() throws {
    let container = try Store.memory.container()
    let context: OwnContext = make()
    #expect(context.note == "own" && context.concurrencyType == .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    _ = context.insert("Quake")
    try context.save()
    #expect(OwnContext.made().concurrencyType == .privateQueueConcurrencyType)
    #expect(OwnContext.made().note == "own")
  }

  @Test func modelsAndTheirDescriptions() throws {
    let model: OwnModelClass = make()
    #expect(model.note == "own")
    let entity = OwnEntity.made(named: "Book")
    let attribute: NSAttributeDescription = make(named: "title")
    let relationship: NSRelationshipDescription = make(named: "next")
    (relationship.destinationEntity, relationship.maxCount) = (entity, 1)
    attribute.attributeType = .stringAttributeType
    entity.properties = [attribute, relationship]
    model.entities = [entity]
    #expect(entity.managedObjectModel === model && entity.relationshipsByName.keys.first == "next")
    #expect(OwnModelClass.read(URL(fileURLWithPath: "/none.momd")) == nil)
  }

  @Test func requestsAndStoreDescriptions() throws {
    let context = try Store.memory.container().viewContext
    _ = context.insert("Quake")
    let request: NSFetchRequest<NSManagedObject> = make(of: "Quake")
    #expect(try context.count(for: request) == 1)
    let description: NSPersistentStoreDescription = make(URL(fileURLWithPath: "/tmp/x.sqlite"))
    #expect(description.url?.lastPathComponent == "x.sqlite" && description.type == NSSQLiteStoreType)
  }
}

private final class OwnCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
  // Sendable: as its superclass; the note never changes.
  let note = "own"
}

extension NSPersistentStoreCoordinator {
  fileprivate class func made(of model: NSManagedObjectModel) -> Self { self.init(managedObjectModel: model) }
}

private final class OwnContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: as its superclass; the note never changes.
  let note: String

  override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    note = "own"
    super.init(name: name, managedObjectModel: model)
  }

  /// One of its own beside it.
  init(inMemory name: String) {
    note = "memory"
    super.init(name: name, managedObjectModel: World.model)
  }
}

extension NSPersistentContainer {
  fileprivate class func made() -> Self { Self(name: "made", managedObjectModel: World.model) }
}

private final class OwnContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: as its superclass; the note never changes.
  let note = "own"
}

extension NSManagedObjectContext {
  fileprivate class func made() -> Self { self.init(.privateQueue) }
}

private final class OwnModelClass: NSManagedObjectModel, @unchecked Sendable {
  // Sendable: as its superclass; the note never changes.
  let note = "own"
}

extension NSManagedObjectModel {
  fileprivate class func read(_ url: URL) -> Self? { self.init(contentsOf: url) }
}

private final class OwnEntity: NSEntityDescription, @unchecked Sendable {}  // Sendable: as its superclass.

extension NSEntityDescription {
  fileprivate class func made(named name: String) -> Self {
    let entity = self.init()
    entity.name = name
    return entity
  }
}

extension NSFetchRequest {
  fileprivate class func made(of name: String) -> Self { self.init(entityName: name) }
}
