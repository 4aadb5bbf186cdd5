import CoreData
import Foundation

/// A store opened through the public API.
struct AuditedStore {
  let model: NSManagedObjectModel
  let context: NSManagedObjectContext

  init(_ url: URL, _ model: NSManagedObjectModel, history: Bool = false) throws {
    self.model = model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = history ? [NSPersistentHistoryTrackingKey: true as NSNumber] : nil
    _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  func close() throws {
    let coordinator = context.persistentStoreCoordinator
    for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
  }
}
