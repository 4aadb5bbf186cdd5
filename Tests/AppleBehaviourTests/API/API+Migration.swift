import CoreData
import Foundation
import Testing

/// Everything that programs name to migrate a store, and to move, empty and describe one as a whole.
@Suite struct MigrationAPI {
  @Test func ofACoordinatorIsThere() {
    use(
      "method|NSPersistentStoreCoordinator|destroyPersistentStore(at:ofType:options:)",
      NSPersistentStoreCoordinator.destroyPersistentStore(at:ofType:options:)
        as (NSPersistentStoreCoordinator) -> (URL, String, [AnyHashable: Any]?) throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|destroyPersistentStore(at:type:options:)",
      NSPersistentStoreCoordinator.destroyPersistentStore(at:type:options:)
        as (NSPersistentStoreCoordinator) -> (URL, NSPersistentStore.StoreType, [AnyHashable: Any]?) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(ofType:at:options:)",
      NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)
        as (String, URL, [AnyHashable: Any]?) throws -> [String: Any])
    use(
      "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(type:at:options:)",
      NSPersistentStoreCoordinator.metadataForPersistentStore(type:at:options:)
        as (NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws -> [String: Any])
    use(
      "method|NSPersistentStoreCoordinator|migratePersistentStore(_:to:options:type:)",
      NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:type:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType)
        throws -> NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|migratePersistentStore(_:to:options:withType:)",
      NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:withType:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore, URL, [AnyHashable: Any]?, String) throws ->
        NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)",
      NSPersistentStoreCoordinator.replacePersistentStore(
        at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)
        as (NSPersistentStoreCoordinator) -> (URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, String) throws -> Void
    )
    use(
      "method|NSPersistentStoreCoordinator|replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)",
      NSPersistentStoreCoordinator.replacePersistentStore(
        at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)
        as (NSPersistentStoreCoordinator) -> (
          URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType
        ) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|setMetadata(_:forPersistentStoreOfType:at:options:)",
      NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:)
        as ([String: Any]?, String, URL, [AnyHashable: Any]?) throws -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|setMetadata(_:type:at:options:)",
      NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)
        as ([String: Any]?, NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|setMetadata(_:for:)",
      NSPersistentStoreCoordinator.setMetadata(_:for:)
        as (NSPersistentStoreCoordinator) -> ([String: Any]?, NSPersistentStore) -> Void)
  }
}
