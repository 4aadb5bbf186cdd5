import CoreData
import Foundation

extension ModelContext {
  /// The keys of the information in `willSave` and `didSave`. The values are arrays of `PersistentIdentifier`.
  ///
  /// See <https://developer.apple.com/documentation/swiftdata/modelcontext/notificationkey>
  public enum NotificationKey: String {
    /// The models that are new in the store. Before the save, they have temporary identifiers.
    case insertedIdentifiers
    /// The models with changed values.
    case updatedIdentifiers
    /// The models that are removed from the store.
    case deletedIdentifiers
    /// Not used: contexts do not discard all models together.
    case invalidatedAllIdentifiers
    /// Not used: contexts read the newest state of the store.
    case queryGeneration
  }

  /// Posted before a save with changes. The object is the context; the information has the changes by `NotificationKey`.
  public static let willSave = Notification.Name("ModelContext.willSave")
  /// Posted after a save with changes. The object is the context; the information has the changes by `NotificationKey`.
  public static let didSave = Notification.Name("ModelContext.didSave")
}

/// The models that a save writes, for its notifications.
struct SavedChanges {
  private let inserted, updated, deleted: Set<NSManagedObject>

  /// - Parameter objects: a context without unprocessed changes.
  init(in objects: NSManagedObjectContext) {
    (inserted, updated, deleted) = (objects.insertedObjects, objects.updatedObjects, objects.deletedObjects)
  }

  func post(_ name: Notification.Name, by context: ModelContext) {
    let lists: [(ModelContext.NotificationKey, Set<NSManagedObject>)] = [
      (.insertedIdentifiers, inserted), (.updatedIdentifiers, updated), (.deletedIdentifiers, deleted),
    ]
    let identifiers = lists.map { ($0.rawValue as AnyHashable, $1.map { PersistentIdentifier($0.objectID) }) }
    NotificationCenter.default.post(
      name: name, object: context, userInfo: Dictionary(uniqueKeysWithValues: identifiers))
  }
}
