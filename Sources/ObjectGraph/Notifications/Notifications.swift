import Foundation

/// Key: the objects that were inserted.
public let NSInsertedObjectsKey = "inserted"
/// Key: the objects that were updated.
public let NSUpdatedObjectsKey = "updated"
/// Key: the objects that were deleted.
public let NSDeletedObjectsKey = "deleted"
/// Key: the objects that were read anew and had no changes of their own.
public let NSRefreshedObjectsKey = "refreshed"
/// Key: objects that became invalid.
public let NSInvalidatedObjectsKey = "invalidated"
/// Key: the ids of all objects of a context that was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// Key: the ids of the objects that were inserted.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// Key: the ids of the objects that were updated.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// Key: the ids of the objects that were deleted.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// Key: the ids of the objects that were read anew.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// Key: the ids of the objects that became invalid.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// Key of the query generation that a context has after a save or a merge, if it is pinned to one; its value is no set.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// Key that is in ObjectsDidChange if a merge made the changes. Apple's framework names it nowhere; programs look whether it
/// is there, so its value says nothing.
let NSObjectsChangedByMergeChangesKey = "NSObjectsChangedByMergeChangesKey"
/// Key of the context itself in notifications about saves; its value is no set.
let NSManagedObjectContextKey = "managedObjectContext"

extension NSNotification.Name {
  /// Posted when a context's objects changed: sets under the objects' keys, absent where empty. Object: the context.
  public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted before a context saves. Object: the context.
  public static let NSManagedObjectContextWillSave = NSNotification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Posted after a context saved, with sets of its objects. Object: the context.
  public static let NSManagedObjectContextDidSave = NSNotification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Posted after a context saved, with sets of permanent ids, which may go to other threads. Object: the context.
  public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted after a context took over changes of others, with sets of ids. Object: the context.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  /// `NSManagedObjectContextObjectsDidChange` under its newer name.
  public static let didChangeObjectsNotification = NSNotification.Name.NSManagedObjectContextObjectsDidChange
  /// `NSManagedObjectContextWillSave` under its newer name.
  public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
  /// `NSManagedObjectContextDidSave` under its newer name.
  public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
  /// `NSManagedObjectContextDidSaveObjectIDs` under its newer name.
  public static let didSaveObjectIDsNotification = NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs
  /// `NSManagedObjectContextDidMergeChangesObjectIDs` under its newer name.
  public static let didMergeChangesObjectIDsNotification =
    NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys of the notifications' dictionaries under their newer names.
  public enum NotificationKey: String, Sendable {
    case sourceContext = "managedObjectContext"
    case insertedObjects = "inserted"
    case updatedObjects = "updated"
    case deletedObjects = "deleted"
    case refreshedObjects = "refreshed"
    case invalidatedObjects = "invalidated"
    case invalidatedAllObjects = "invalidatedAll"
    case insertedObjectIDs = "inserted_objectIDs"
    case updatedObjectIDs = "updated_objectIDs"
    case deletedObjectIDs = "deleted_objectIDs"
    case refreshedObjectIDs = "refreshed_objectIDs"
    case invalidatedObjectIDs = "invalidated_objectIDs"
    case queryGeneration = "newQueryGeneration"
  }
}
