import Foundation

/// The changes of a save, for a store that a program implements. Contexts and coordinators do not execute it: call
/// `save()`.
/// See <https://developer.apple.com/documentation/coredata/nssavechangesrequest>
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The inserted objects.
  public let insertedObjects: Set<NSManagedObject>?
  /// The updated objects.
  public let updatedObjects: Set<NSManagedObject>?
  /// The deleted objects.
  public let deletedObjects: Set<NSManagedObject>?
  /// Unchanged objects whose rows must not have been changed by others.
  public let lockedObjects: Set<NSManagedObject>?

  /// The kind of request: a save.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  /// Creates a request for a save.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  /// Creates a request without objects.
  public override convenience init() { self.init(inserted: nil, updated: nil, deleted: nil, locked: nil) }
}
