import CoreData
import Foundation
import Testing

/// Creating parts of a stack from classes known only at run time: `T(…)`, `Self(…)` and `self.init(…)` in class
/// methods.
@MainActor @Suite struct AnyClassTests {
  private func make<T: NSPersistentStoreCoordinator>(_ model: NSManagedObjectModel) -> T {
    T(managedObjectModel: model)
  }
  private func make<T: NSPersistentContainer>(_ name: String) -> T { T(name: name, managedObjectModel: World.model) }
  private func make<T: NSManagedObjectContext>() -> T { T(concurrencyType: .mainQueueConcurrencyType) }

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
      container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
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
}

private final class OwnCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
  // @unchecked: as its superclass; the note is immutable.
  let note = "own"
}

extension NSPersistentStoreCoordinator {
  fileprivate class func made(of model: NSManagedObjectModel) -> Self { self.init(managedObjectModel: model) }
}

private final class OwnContainer: NSPersistentContainer, @unchecked Sendable {
  // @unchecked: as its superclass; the note is immutable.
  let note: String

  override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    note = "own"
    super.init(name: name, managedObjectModel: model)
  }

  /// An additional initializer of its own.
  init(inMemory name: String) {
    note = "memory"
    super.init(name: name, managedObjectModel: World.model)
  }
}

extension NSPersistentContainer {
  fileprivate class func made() -> Self { Self(name: "made", managedObjectModel: World.model) }
}

private final class OwnContext: NSManagedObjectContext, @unchecked Sendable {
  // @unchecked: as its superclass; the note is immutable.
  let note = "own"
}

extension NSManagedObjectContext {
  fileprivate class func made() -> Self { self.init(.privateQueue) }
}
