import CoreData
import Foundation
import Testing

/// Everything that programs name to write stores of their own.
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

  /// What subclasses override and call has Apple's signatures.
  @Test func ofStoresIsThere() {
    typealias Atomic = NSAtomicStore
    typealias Incremental = NSIncrementalStore
    let atomic: [Any] = [
      Atomic.load as (Atomic) -> () throws -> Void, Atomic.save as (Atomic) -> () throws -> Void,
      Atomic.newReferenceObject(for:) as (Atomic) -> (NSManagedObject) -> Any,
      Atomic.newCacheNode(for:) as (Atomic) -> (NSManagedObject) -> NSAtomicStoreCacheNode,
      Atomic.updateCacheNode(_:from:) as (Atomic) -> (NSAtomicStoreCacheNode, NSManagedObject) -> Void,
      Atomic.willRemoveCacheNodes(_:) as (Atomic) -> (Set<NSAtomicStoreCacheNode>) -> Void,
      Atomic.cacheNodes as (Atomic) -> () -> Set<NSAtomicStoreCacheNode>,
      Atomic.addCacheNodes(_:) as (Atomic) -> (Set<NSAtomicStoreCacheNode>) -> Void,
      Atomic.cacheNode(for:) as (Atomic) -> (NSManagedObjectID) -> NSAtomicStoreCacheNode?,
      Atomic.objectID(for:withReferenceObject:) as (Atomic) -> (NSEntityDescription, Any) -> NSManagedObjectID,
      Atomic.referenceObject(for:) as (Atomic) -> (NSManagedObjectID) -> Any,
    ]
    let incremental: [Any] = [
      Incremental.loadMetadata as (Incremental) -> () throws -> Void,
      Incremental.identifierForNewStore(at:) as (URL) -> Any,
      Incremental.execute(_:with:)
        as (Incremental) -> (NSPersistentStoreRequest, NSManagedObjectContext?) throws -> Any,
      Incremental.newValuesForObject(with:with:)
        as (Incremental) -> (NSManagedObjectID, NSManagedObjectContext) throws -> NSIncrementalStoreNode,
      Incremental.newValue(forRelationship:forObjectWith:with:)
        as (Incremental) -> (NSRelationshipDescription, NSManagedObjectID, NSManagedObjectContext?) throws -> Any,
      Incremental.obtainPermanentIDs(for:) as (Incremental) -> ([NSManagedObject]) throws -> [NSManagedObjectID],
      Incremental.newObjectID(for:referenceObject:) as (Incremental) -> (NSEntityDescription, Any) -> NSManagedObjectID,
      Incremental.referenceObject(for:) as (Incremental) -> (NSManagedObjectID) -> Any,
    ]
    #expect(atomic.count == 11 && incremental.count == 8)
  }
}
