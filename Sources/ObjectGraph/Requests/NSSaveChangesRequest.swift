import Foundation

/// What a save asks a store of the program's own to write. Contexts and coordinators take none: call `save()`.
/// See https://developer.apple.com/documentation/coredata/nssavechangesrequest
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The new objects.
  public let insertedObjects: Set<NSManagedObject>?
  /// The changed objects.
  public let updatedObjects: Set<NSManagedObject>?
  /// The objects to remove.
  public let deletedObjects: Set<NSManagedObject>?
  /// Objects that are not changed, and that nobody else may have changed.
  public let lockedObjects: Set<NSManagedObject>?

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

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

  /// A request without objects.
  public override convenience init() { self.init(inserted: nil, updated: nil, deleted: nil, locked: nil) }
}
