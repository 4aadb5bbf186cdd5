import CoreData
import Foundation
import StrataSampleStores

@testable import StrataBehaviorSupport

/// The library in a program's store, whose server can be unavailable.
struct UnreachableLibrary {
  /// The server's error, which is not an error of Core Data.
  struct ServerUnavailable: LocalizedError {
    var errorDescription: String? { "The server is unavailable." }
  }

  let container: NSPersistentContainer
  private let server: Server
  var context: NSManagedObjectContext { container.viewContext }

  init(_ model: NSManagedObjectModel = Library.model) throws {
    _ = Store.every
    container = try Store.incremental.container(of: model)
    server = Server.at(container.persistentStoreDescriptions[0].url ?? URL(fileURLWithPath: "/"))
  }

  func disconnect(_ error: any Error = ServerUnavailable()) { server.readFailure = error }
  func reconnect() { server.readFailure = nil }
  /// Makes reads fail at random.
  func failRandomly(_ fails: @escaping () -> Bool) { server.failReads { fails() ? ServerUnavailable() : nil } }

  /// Returns a context without registered objects.
  func reader(parent: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    if let parent { context.parent = parent } else { context.persistentStoreCoordinator = coordinator }
    return context
  }

  private var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// Returns the names of all rows and of the rows they are related to, as a new context reads them.
  func stored() throws -> [String] { try graph(in: reader()) }

  /// Returns the names of all objects and of the objects they are related to, as `context` sees them.
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

/// The notifications that a context posts for failed reads.
final class FaultFailures: @unchecked Sendable {
  // Sendable: notifications are posted on the thread that uses the context, which is the test's thread.

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
