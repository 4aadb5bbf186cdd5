import CoreData
import Foundation
import Testing

/// All symbols of coordinators.
@Suite struct CoordinatorAPI {
  @Test func isThere() {
    use(
      "method|NSPersistentStoreCoordinator|addPersistentStore(ofType:configurationName:at:options:)",
      NSPersistentStoreCoordinator.addPersistentStore(ofType:configurationName:at:options:)
        as (NSPersistentStoreCoordinator) -> (String, String?, URL?, [AnyHashable: Any]?) throws -> NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|addPersistentStore(type:configuration:at:options:)",
      NSPersistentStoreCoordinator.addPersistentStore(type:configuration:at:options:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore.StoreType, String?, URL, [AnyHashable: Any]?) throws ->
        NSPersistentStore)
    use(
      "method|NSPersistentStoreCoordinator|addPersistentStore(with:completionHandler:)",
      NSPersistentStoreCoordinator.addPersistentStore(with:completionHandler:)
        as (NSPersistentStoreCoordinator) -> (
          NSPersistentStoreDescription, @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) -> Void)
    use(
      "method|NSPersistentStoreCoordinator|currentPersistentHistoryToken(fromStores:)",
      NSPersistentStoreCoordinator.currentPersistentHistoryToken(fromStores:)
        as (NSPersistentStoreCoordinator) -> ([Any]?) -> NSPersistentHistoryToken?)
    use(
      "init|NSPersistentStoreCoordinator|init(managedObjectModel:)",
      NSPersistentStoreCoordinator.init(managedObjectModel:) as (NSManagedObjectModel) -> NSPersistentStoreCoordinator)
    use(
      "method|NSPersistentStoreCoordinator|managedObjectID(for:)",
      NSPersistentStoreCoordinator.managedObjectID(for:)
        as (NSPersistentStoreCoordinator) -> (String) -> NSManagedObjectID?)
    use(
      "method|NSPersistentStoreCoordinator|managedObjectID(forURIRepresentation:)",
      NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)
        as (NSPersistentStoreCoordinator) -> (URL) -> NSManagedObjectID?)
    use(
      "property|NSPersistentStoreCoordinator|managedObjectModel",
      \NSPersistentStoreCoordinator.managedObjectModel as KeyPath<NSPersistentStoreCoordinator, NSManagedObjectModel>)
    use(
      "method|NSPersistentStoreCoordinator|metadata(for:)",
      NSPersistentStoreCoordinator.metadata(for:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStore) -> [String: Any])
    use(
      "property|NSPersistentStoreCoordinator|name",
      \NSPersistentStoreCoordinator.name as ReferenceWritableKeyPath<NSPersistentStoreCoordinator, String?>)
    use(
      "method|NSPersistentStoreCoordinator|perform(_:)",
      { (coordinator: NSPersistentStoreCoordinator) async throws -> Int in
        try await coordinator.perform {
          try Task.checkCancellation()
          return 1
        }
      })
    use(
      "method|NSPersistentStoreCoordinator|perform(_:)",
      { (coordinator: NSPersistentStoreCoordinator) in coordinator.perform { _ = coordinator.persistentStores } })
    use(
      "method|NSPersistentStoreCoordinator|performAndWait(_:)",
      { (coordinator: NSPersistentStoreCoordinator) throws -> Int in
        try coordinator.performAndWait {
          try Task.checkCancellation()
          return 1
        }
      })
    use(
      "method|NSPersistentStoreCoordinator|performAndWait(_:)",
      NSPersistentStoreCoordinator.performAndWait as (NSPersistentStoreCoordinator) -> (() -> Void) -> Void
    )
    use(
      "method|NSPersistentStoreCoordinator|persistentStore(for:)",
      NSPersistentStoreCoordinator.persistentStore(for:)
        as (NSPersistentStoreCoordinator) -> (URL) -> NSPersistentStore?)
    use(
      "property|NSPersistentStoreCoordinator|persistentStores",
      \NSPersistentStoreCoordinator.persistentStores as KeyPath<NSPersistentStoreCoordinator, [NSPersistentStore]>)
    use(
      "method|NSPersistentStoreCoordinator|remove(_:)",
      NSPersistentStoreCoordinator.remove(_:) as (NSPersistentStoreCoordinator) -> (NSPersistentStore) throws -> Void)
    use(
      "method|NSPersistentStoreCoordinator|setURL(_:for:)",
      NSPersistentStoreCoordinator.setURL(_:for:)
        as (NSPersistentStoreCoordinator) -> (URL, NSPersistentStore) -> Bool)
    use(
      "method|NSPersistentStoreCoordinator|url(for:)",
      NSPersistentStoreCoordinator.url(for:) as (NSPersistentStoreCoordinator) -> (NSPersistentStore) -> URL)
    use("class||NSPersistentStoreCoordinator", NSPersistentStoreCoordinator.self)
    use("conformance|NSPersistentStoreCoordinator|NSLocking", NSPersistentStoreCoordinator.self as any NSLocking.Type)
    use("conformance|NSPersistentStoreCoordinator|Sendable", NSPersistentStoreCoordinator.self as any Sendable.Type)
  }

  @available(*, deprecated)
  @Test func isThereUnderItsOldNames() {
    use(
      "method|NSPersistentStoreCoordinator|lock()",
      { (coordinator: NSPersistentStoreCoordinator) in coordinator.lock() })
    use(
      "method|NSPersistentStoreCoordinator|tryLock()",
      { (coordinator: NSPersistentStoreCoordinator) in coordinator.tryLock() })
    use(
      "method|NSPersistentStoreCoordinator|unlock()",
      { (coordinator: NSPersistentStoreCoordinator) in coordinator.unlock() })
  }
}
