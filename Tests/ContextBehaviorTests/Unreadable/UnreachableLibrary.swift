import CoreData
import Foundation
import StrataSampleStores

@testable import StrataBehaviorSupport

/// The library in a program's store, whose server can be away.
struct UnreachableLibrary {
  /// The error of the server, which is not one of Core Data's.
  struct Away: LocalizedError {
    var errorDescription: String? { "The server is away." }
  }

  let container: NSPersistentContainer
  private let server: Server
  var context: NSManagedObjectContext { container.viewContext }

  init(_ model: NSManagedObjectModel = Library.model) throws {
    _ = Store.every
    container = try Store.incremental.container(of: model)
    server = Server.at(container.persistentStoreDescriptions[0].url ?? URL(fileURLWithPath: "/"))
  }

  func leave(_ error: any Error = Away()) { server.readFailure = error }
  func comeBack() { server.readFailure = nil }
  /// Has reads fail at random.
  func waver(_ fails: @escaping () -> Bool) { server.failReads { fails() ? Away() : nil } }

  /// A context without objects.
  func reader(parent: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    if let parent { context.parent = parent } else { context.persistentStoreCoordinator = coordinator }
    return context
  }

  private var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// The names of all rows, and those at the other ends of their relationships, as a new context reads them.
  func stored() throws -> [String] { try graph(in: reader()) }

  /// The same as a context sees it.
  func graph(in context: NSManagedObjectContext) throws -> [String] {
    try coordinator.managedObjectModel.entities.flatMap { entity in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      return try context.fetch(request).map { object in
        let ends = entity.relationshipsByName.keys.sorted().map { key in
          let isToMany = entity.relationshipsByName[key]?.isToMany == true
          let names = isToMany ? object.names(key) : [object.oneName(key) ?? "-"]
          return "\(key): \(names)"
        }
        return "\(entity.name ?? "") \(object.called ?? "-") \(ends)"
      }
    }.sorted()
  }
}

/// The notifications of failed reads of a context.
final class FaultFailures: @unchecked Sendable {
  // Sendable: notifications are posted where the context is used, which is the test's thread.

  private(set) var all: [(error: CocoaError?, ids: Set<NSManagedObjectID>)] = []
  private var observer: (any NSObjectProtocol)?

  @MainActor init(of context: NSManagedObjectContext) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidFailToFillFault, object: context, queue: nil
    ) { [weak self] note in
      self?.all.append(
        (
          note.userInfo?[NSFaultFailureErrorKey] as? CocoaError,
          note.userInfo?[NSFaultFailureObjectIDsKey] as? Set<NSManagedObjectID> ?? []
        ))
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
