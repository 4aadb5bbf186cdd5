import CoreData
import Foundation
import Testing

/// All notifications and their keys.
@Suite struct NotificationsAPI {
  @Test func isThere() {
    use(
      "case|NSManagedObjectContext.NotificationKey|deletedObjectIDs",
      NSManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue, "deleted_objectIDs")
    use(
      "case|NSManagedObjectContext.NotificationKey|deletedObjects",
      NSManagedObjectContext.NotificationKey.deletedObjects.rawValue, "deleted")
    use(
      "case|NSManagedObjectContext.NotificationKey|insertedObjectIDs",
      NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue, "inserted_objectIDs")
    use(
      "case|NSManagedObjectContext.NotificationKey|insertedObjects",
      NSManagedObjectContext.NotificationKey.insertedObjects.rawValue, "inserted")
    use(
      "case|NSManagedObjectContext.NotificationKey|invalidatedAllObjects",
      NSManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue, "invalidatedAll")
    use(
      "case|NSManagedObjectContext.NotificationKey|invalidatedObjectIDs",
      NSManagedObjectContext.NotificationKey.invalidatedObjectIDs.rawValue, "invalidated_objectIDs")
    use(
      "case|NSManagedObjectContext.NotificationKey|invalidatedObjects",
      NSManagedObjectContext.NotificationKey.invalidatedObjects.rawValue, "invalidated")
    use(
      "case|NSManagedObjectContext.NotificationKey|queryGeneration",
      NSManagedObjectContext.NotificationKey.queryGeneration.rawValue, "newQueryGeneration")
    use(
      "case|NSManagedObjectContext.NotificationKey|refreshedObjectIDs",
      NSManagedObjectContext.NotificationKey.refreshedObjectIDs.rawValue, "refreshed_objectIDs")
    use(
      "case|NSManagedObjectContext.NotificationKey|refreshedObjects",
      NSManagedObjectContext.NotificationKey.refreshedObjects.rawValue, "refreshed")
    use(
      "case|NSManagedObjectContext.NotificationKey|updatedObjectIDs",
      NSManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue, "updated_objectIDs")
    use(
      "case|NSManagedObjectContext.NotificationKey|updatedObjects",
      NSManagedObjectContext.NotificationKey.updatedObjects.rawValue, "updated")
    use(
      "init|NSManagedObjectContext.NotificationKey|init(rawValue:)",
      NSManagedObjectContext.NotificationKey.init(rawValue:) as (String) -> NSManagedObjectContext.NotificationKey?)
    use(
      "property|NSManagedObjectContext.NotificationKey|rawValue",
      \NSManagedObjectContext.NotificationKey.rawValue as KeyPath<NSManagedObjectContext.NotificationKey, String>)
    use(
      "conformance|NSManagedObjectContext.NotificationKey|Hashable, RawRepresentable",
      NSManagedObjectContext.NotificationKey.self as any (Hashable & RawRepresentable).Type)
    use(
      "notification|NSNotification.Name|NSManagedObjectContextWillSave",
      NSNotification.Name.NSManagedObjectContextWillSave.rawValue, "NSManagingContextWillSaveChangesNotification")
    use(
      "notification|NSNotification.Name|NSManagedObjectContextDidSave",
      NSNotification.Name.NSManagedObjectContextDidSave.rawValue, "NSManagingContextDidSaveChangesNotification")
    use(
      "notification|NSNotification.Name|NSManagedObjectContextObjectsDidChange",
      NSNotification.Name.NSManagedObjectContextObjectsDidChange.rawValue,
      "NSObjectsChangedInManagingContextNotification")
    use(
      "notification|NSNotification.Name|NSManagedObjectContextDidSaveObjectIDs",
      NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs as Notification.Name)
    use(
      "notification|NSNotification.Name|NSManagedObjectContextDidMergeChangesObjectIDs",
      NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs as Notification.Name)
    use(
      "notification|NSNotification.Name|NSPersistentStoreCoordinatorStoresWillChange",
      NSNotification.Name.NSPersistentStoreCoordinatorStoresWillChange as Notification.Name)
    use(
      "notification|NSNotification.Name|NSPersistentStoreCoordinatorStoresDidChange",
      NSNotification.Name.NSPersistentStoreCoordinatorStoresDidChange as Notification.Name)
    use(
      "notification|NSNotification.Name|NSPersistentStoreCoordinatorWillRemoveStore",
      NSNotification.Name.NSPersistentStoreCoordinatorWillRemoveStore as Notification.Name)
    use(
      "notification|NSNotification.Name|NSPersistentStoreRemoteChange",
      NSNotification.Name.NSPersistentStoreRemoteChange as Notification.Name)
    use("userinfo-key||NSAddedPersistentStoresKey", NSAddedPersistentStoresKey as String)
    use("userinfo-key||NSDeletedObjectIDsKey", NSDeletedObjectIDsKey, "deleted_objectIDs")
    use("userinfo-key||NSDeletedObjectsKey", NSDeletedObjectsKey, "deleted")
    use("userinfo-key||NSInsertedObjectIDsKey", NSInsertedObjectIDsKey, "inserted_objectIDs")
    use("userinfo-key||NSInsertedObjectsKey", NSInsertedObjectsKey, "inserted")
    use("userinfo-key||NSInvalidatedAllObjectsKey", NSInvalidatedAllObjectsKey, "invalidatedAll")
    use("userinfo-key||NSInvalidatedObjectIDsKey", NSInvalidatedObjectIDsKey, "invalidated_objectIDs")
    use("userinfo-key||NSInvalidatedObjectsKey", NSInvalidatedObjectsKey, "invalidated")
    use(
      "userinfo-key||NSManagedObjectContextQueryGenerationKey", NSManagedObjectContextQueryGenerationKey,
      "newQueryGeneration")
    use("userinfo-key||NSPersistentHistoryTokenKey", NSPersistentHistoryTokenKey as String)
    use("userinfo-key||NSPersistentStoreURLKey", NSPersistentStoreURLKey as String)
    use("userinfo-key||NSRefreshedObjectIDsKey", NSRefreshedObjectIDsKey, "refreshed_objectIDs")
    use("userinfo-key||NSRefreshedObjectsKey", NSRefreshedObjectsKey, "refreshed")
    use("userinfo-key||NSRemovedPersistentStoresKey", NSRemovedPersistentStoresKey as String)
    use("userinfo-key||NSUpdatedObjectIDsKey", NSUpdatedObjectIDsKey, "updated_objectIDs")
    use("userinfo-key||NSUpdatedObjectsKey", NSUpdatedObjectsKey, "updated")
    use("userinfo-key||NSUUIDChangedPersistentStoresKey", NSUUIDChangedPersistentStoresKey as String)
  }
}
