import CoreData
import Foundation
import Testing

/// All symbols for implementing stores.
@Suite struct StoresAPI {
  @Test func ofACoordinatorIsThere() {
    use(
      "type-property|NSPersistentStoreCoordinator|registeredStoreTypes",
      NSPersistentStoreCoordinator.registeredStoreTypes as [String: NSValue])
    use(
      "type-method|NSPersistentStoreCoordinator|registerStoreClass(_:forStoreType:)",
      NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:) as (AnyClass?, String) -> Void)
    use(
      "type-method|NSPersistentStoreCoordinator|registerStoreClass(_:type:)",
      NSPersistentStoreCoordinator.registerStoreClass(_:type:) as (AnyClass?, NSPersistentStore.StoreType) -> Void)
  }
}
