import Foundation

/// Notification key: the set of inserted objects.
///
/// ```swift
/// func inserted(in notification: Notification) -> Set<NSManagedObject> {
///   let objects = notification.userInfo?[NSInsertedObjectsKey]
///   // Nil if no object was inserted.
///   return objects as? Set<NSManagedObject> ?? []
/// }
/// ```
public let NSInsertedObjectsKey = "inserted"
/// Notification key: the set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// Notification key: the set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// Notification key: the set of objects that were refreshed and had no changes of their own, as after a merge.
///
/// ```swift
/// func changedObjects(in notification: Notification) -> [NSManagedObject] {
///   // What others saved arrives as refreshed objects, not as updated ones.
///   [NSUpdatedObjectsKey, NSRefreshedObjectsKey].flatMap {
///     notification.userInfo?[$0] as? Set<NSManagedObject> ?? []
///   }
/// }
/// ```
public let NSRefreshedObjectsKey = "refreshed"
/// Notification key: the set of invalidated objects.
public let NSInvalidatedObjectsKey = "invalidated"
/// Notification key: the IDs of all objects of a context that was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// Notification key: the IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// Notification key: the IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// Notification key: the IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// Notification key: the IDs of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// Notification key: the IDs of invalidated objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// Notification key of `NSManagedObjectContextDidFailToFillFault`: the error of the read, a `CocoaError`. An addition
/// to Apple's API.
public let NSFaultFailureErrorKey = "faultError"
/// Notification key of `NSManagedObjectContextDidFailToFillFault`: the set of IDs of the objects that could not be
/// read. An addition to Apple's API.
public let NSFaultFailureObjectIDsKey = "fault_objectIDs"
/// Notification key: the query generation token of the context after a save or a merge, if it is pinned.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// The key present in ObjectsDidChange if a merge made the changes. Apple's framework does not document it; programs
/// check its presence, so its value is meaningless.
let NSObjectsChangedByMergeChangesKey = "NSObjectsChangedByMergeChangesKey"
/// The key of the context itself in notifications about saves; its value is not a set.
let NSManagedObjectContextKey = "managedObjectContext"

extension NSNotification.Name {
  /// Posted when objects of a context changed, with sets under the objects' keys, absent where empty. Object: the
  /// context.
  ///
  /// It is posted on the context's queue, when pending changes are processed: once for all changes of a `perform`
  /// block, not for each setter.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextObjectsDidChange, object: context,
  ///   queue: nil  // The context's queue: another must not use the objects.
  /// ) { notification in
  ///   let updated = notification.userInfo?[NSUpdatedObjectsKey]
  ///   for case let quake as Quake in updated as? Set<NSManagedObject> ?? [] {
  ///     show(quake.place)
  ///   }
  /// }
  /// ```
  public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted before a context saves. Object: the context.
  public static let NSManagedObjectContextWillSave = NSNotification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Posted after a context saved, with sets of its objects, on its queue. Object: the context. If a store has a
  /// history, the user info has the `NSPersistentHistoryToken` of the save under `newChangeToken`.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSave, object: context, queue: nil
  /// ) { notification in
  ///   let inserted = notification.userInfo?[NSInsertedObjectsKey]
  ///   let ids = (inserted as? Set<NSManagedObject> ?? []).map(\.objectID)
  ///   Task { await index.update(Set(ids)) }  // A task must not use the objects.
  /// }
  /// ```
  public static let NSManagedObjectContextDidSave = NSNotification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Posted after a context saved, with sets of permanent IDs, which any thread may use. Object: the context.
  ///
  /// ```swift
  /// let saves = NotificationCenter.default.notifications(
  ///   named: .NSManagedObjectContextDidSaveObjectIDs, object: context)
  /// for await save in saves {
  ///   let deleted = save.userInfo?[NSDeletedObjectIDsKey]
  ///   await index.remove(deleted as? Set<NSManagedObjectID> ?? [])
  /// }
  /// ```
  public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted after a context merged changes of others, with sets of IDs. Object: the context.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
  /// Posted when a context could not read an object from its store. Object: the context. An addition to Apple's API.
  ///
  /// The access returned nil, zero or an empty collection. From now on, saving the context throws the error, until
  /// `rollback()`, `reset()` or `refreshAllObjects()` succeeds. Until then, further failures do not post. The user info
  /// has ``NSFaultFailureErrorKey`` and ``NSFaultFailureObjectIDsKey``. It is posted on the context's queue during the
  /// access: an observer that discards the context's objects does so in a block of its own, with `perform(_:)`.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidFailToFillFault, object: context,
  ///   queue: nil
  /// ) { notification in
  ///   show("Not read:", notification.userInfo?[NSFaultFailureErrorKey])
  ///   context.perform { context.rollback() }  // Not now: an access is running.
  /// }
  /// ```
  public static let NSManagedObjectContextDidFailToFillFault = NSNotification.Name(
    "NSManagedObjectContextDidFailToFillFaultNotification")
}

extension NSManagedObjectContext {
  /// The Swift name of `NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification = NSNotification.Name.NSManagedObjectContextObjectsDidChange
  /// The Swift name of `NSManagedObjectContextWillSave`.
  public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
  /// The Swift name of `NSManagedObjectContextDidSave`.
  public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
  /// The Swift name of `NSManagedObjectContextDidSaveObjectIDs`.
  public static let didSaveObjectIDsNotification = NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs
  /// The Swift name of `NSManagedObjectContextDidMergeChangesObjectIDs`.
  public static let didMergeChangesObjectIDsNotification =
    NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
  /// The Swift name of `NSManagedObjectContextDidFailToFillFault`. An addition to Apple's API.
  public static let didFailToFillFaultNotification = NSNotification.Name.NSManagedObjectContextDidFailToFillFault

  /// The keys of the notifications' user info, under their Swift names.
  public enum NotificationKey: String, Sendable {
    /// The context that the notification is about.
    case sourceContext = "managedObjectContext"
    /// The set of inserted objects.
    case insertedObjects = "inserted"
    /// The set of updated objects.
    case updatedObjects = "updated"
    /// The set of deleted objects.
    case deletedObjects = "deleted"
    /// The set of refreshed objects.
    case refreshedObjects = "refreshed"
    /// The set of invalidated objects.
    case invalidatedObjects = "invalidated"
    /// The IDs of all objects of a context that was reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// The IDs of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The IDs of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The IDs of invalidated objects.
    case invalidatedObjectIDs = "invalidated_objectIDs"
    /// The error of a fault that could not be read. An addition to Apple's API.
    case faultError = "faultError"
    /// The IDs of the objects that could not be read. An addition to Apple's API.
    case faultObjectIDs = "fault_objectIDs"
    /// The query generation token of the context, if it is pinned.
    case queryGeneration = "newQueryGeneration"
  }
}
