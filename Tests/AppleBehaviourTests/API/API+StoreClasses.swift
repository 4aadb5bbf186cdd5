import CoreData
import Testing

/// The members of the store classes, for programs that subclass them.
@Suite struct StoreClassesAPI {
  @Test func ofAStoreIsThere() {
    use(
      "property|NSPersistentStore|configurationName",
      \NSPersistentStore.configurationName as KeyPath<NSPersistentStore, String>)
    use(
      "method|NSPersistentStore|didAdd(to:)",
      NSPersistentStore.didAdd(to:) as (NSPersistentStore) -> (NSPersistentStoreCoordinator) -> Void)
    use(
      "property|NSPersistentStore|identifier",
      \NSPersistentStore.identifier as ReferenceWritableKeyPath<NSPersistentStore, String?>)
    use(
      "init|NSPersistentStore|init(persistentStoreCoordinator:configurationName:at:options:)",
      NSPersistentStore.init(persistentStoreCoordinator:configurationName:at:options:)
        as (NSPersistentStoreCoordinator?, String?, URL, [AnyHashable: Any]?) -> NSPersistentStore)
    use(
      "property|NSPersistentStore|isReadOnly",
      \NSPersistentStore.isReadOnly as ReferenceWritableKeyPath<NSPersistentStore, Bool>)
    use(
      "method|NSPersistentStore|loadMetadata()",
      NSPersistentStore.loadMetadata as (NSPersistentStore) -> () throws -> Void)
    use(
      "property|NSPersistentStore|metadata",
      \NSPersistentStore.metadata as ReferenceWritableKeyPath<NSPersistentStore, [String: Any]?>)
    use(
      "type-method|NSPersistentStore|metadataForPersistentStore(with:)",
      NSPersistentStore.metadataForPersistentStore(with:) as (URL) throws -> [String: Any])
    use(
      "type-method|NSPersistentStore|migrationManagerClass()", NSPersistentStore.migrationManagerClass as () -> AnyClass
    )
    use("struct|NSPersistentStore|NSPersistentStore.StoreType", NSPersistentStore.StoreType.self)
    use(
      "property|NSPersistentStore|options",
      \NSPersistentStore.options as KeyPath<NSPersistentStore, [AnyHashable: Any]?>)
    use(
      "property|NSPersistentStore|persistentStoreCoordinator",
      \NSPersistentStore.persistentStoreCoordinator as KeyPath<NSPersistentStore, NSPersistentStoreCoordinator?>)
    use(
      "type-method|NSPersistentStore|setMetadata(_:forPersistentStoreAt:)",
      NSPersistentStore.setMetadata(_:forPersistentStoreAt:) as ([String: Any]?, URL) throws -> Void)
    use("property|NSPersistentStore|type", \NSPersistentStore.type as KeyPath<NSPersistentStore, String>)
    use("property|NSPersistentStore|url", \NSPersistentStore.url as ReferenceWritableKeyPath<NSPersistentStore, URL?>)
    use(
      "method|NSPersistentStore|willRemove(from:)",
      NSPersistentStore.willRemove(from:) as (NSPersistentStore) -> (NSPersistentStoreCoordinator?) -> Void)
    use("class||NSPersistentStore", NSPersistentStore.self)
    use(
      "type-property|NSPersistentStore.StoreType|binary",
      NSPersistentStore.StoreType.binary as NSPersistentStore.StoreType)
    use(
      "type-property|NSPersistentStore.StoreType|xml", NSPersistentStore.StoreType.xml as NSPersistentStore.StoreType)
    use(
      "type-property|NSPersistentStore.StoreType|inMemory",
      NSPersistentStore.StoreType.inMemory as NSPersistentStore.StoreType)
    use(
      "type-property|NSPersistentStore.StoreType|sqlite",
      NSPersistentStore.StoreType.sqlite as NSPersistentStore.StoreType)
    use(
      "init|NSPersistentStore.StoreType|init(rawValue:)",
      NSPersistentStore.StoreType.init(rawValue:) as (String) -> NSPersistentStore.StoreType)
    use(
      "property|NSPersistentStore.StoreType|rawValue",
      \NSPersistentStore.StoreType.rawValue as KeyPath<NSPersistentStore.StoreType, String>)
    use(
      "conformance|NSPersistentStore.StoreType|Hashable, RawRepresentable",
      NSPersistentStore.StoreType.self as any (Hashable & RawRepresentable).Type)
  }

  @Test func ofAnAtomicStoreIsThere() {
    use(
      "method|NSAtomicStore|addCacheNodes(_:)",
      NSAtomicStore.addCacheNodes(_:) as (NSAtomicStore) -> (Set<NSAtomicStoreCacheNode>) -> Void)
    use(
      "method|NSAtomicStore|cacheNode(for:)",
      NSAtomicStore.cacheNode(for:) as (NSAtomicStore) -> (NSManagedObjectID) -> NSAtomicStoreCacheNode?)
    use(
      "method|NSAtomicStore|cacheNodes()",
      NSAtomicStore.cacheNodes as (NSAtomicStore) -> () -> Set<NSAtomicStoreCacheNode>)
    use(
      "init|NSAtomicStore|init(persistentStoreCoordinator:configurationName:at:options:)",
      NSAtomicStore.init(persistentStoreCoordinator:configurationName:at:options:)
        as (NSPersistentStoreCoordinator?, String?, URL, [AnyHashable: Any]?) -> NSAtomicStore)
    use("method|NSAtomicStore|load()", NSAtomicStore.load as (NSAtomicStore) -> () throws -> Void)
    use(
      "method|NSAtomicStore|newCacheNode(for:)",
      NSAtomicStore.newCacheNode(for:) as (NSAtomicStore) -> (NSManagedObject) -> NSAtomicStoreCacheNode)
    use(
      "method|NSAtomicStore|newReferenceObject(for:)",
      NSAtomicStore.newReferenceObject(for:) as (NSAtomicStore) -> (NSManagedObject) -> Any)
    use(
      "method|NSAtomicStore|objectID(for:withReferenceObject:)",
      NSAtomicStore.objectID(for:withReferenceObject:)
        as (NSAtomicStore) -> (NSEntityDescription, Any) -> NSManagedObjectID)
    use(
      "method|NSAtomicStore|referenceObject(for:)",
      NSAtomicStore.referenceObject(for:) as (NSAtomicStore) -> (NSManagedObjectID) -> Any)
    use("method|NSAtomicStore|save()", NSAtomicStore.save as (NSAtomicStore) -> () throws -> Void)
    use(
      "method|NSAtomicStore|updateCacheNode(_:from:)",
      NSAtomicStore.updateCacheNode(_:from:) as (NSAtomicStore) -> (NSAtomicStoreCacheNode, NSManagedObject) -> Void)
    use(
      "method|NSAtomicStore|willRemoveCacheNodes(_:)",
      NSAtomicStore.willRemoveCacheNodes(_:) as (NSAtomicStore) -> (Set<NSAtomicStoreCacheNode>) -> Void)
    use("class||NSAtomicStore", NSAtomicStore.self)
    use(
      "init|NSAtomicStoreCacheNode|init(objectID:)",
      NSAtomicStoreCacheNode.init(objectID:) as (NSManagedObjectID) -> NSAtomicStoreCacheNode)
    use(
      "property|NSAtomicStoreCacheNode|objectID",
      \NSAtomicStoreCacheNode.objectID as KeyPath<NSAtomicStoreCacheNode, NSManagedObjectID>)
    use(
      "property|NSAtomicStoreCacheNode|propertyCache",
      \NSAtomicStoreCacheNode.propertyCache as ReferenceWritableKeyPath<NSAtomicStoreCacheNode, NSMutableDictionary?>)
    use(
      "method|NSAtomicStoreCacheNode|setValue(_:forKey:)",
      NSAtomicStoreCacheNode.setValue(_:forKey:) as (NSAtomicStoreCacheNode) -> (Any?, String) -> Void)
    use(
      "method|NSAtomicStoreCacheNode|value(forKey:)",
      NSAtomicStoreCacheNode.value(forKey:) as (NSAtomicStoreCacheNode) -> (String) -> Any?)
    use("class||NSAtomicStoreCacheNode", NSAtomicStoreCacheNode.self)
  }

  @Test func ofAnIncrementalStoreIsThere() {
    use(
      "method|NSIncrementalStore|execute(_:with:)",
      NSIncrementalStore.execute(_:with:)
        as (NSIncrementalStore) -> (NSPersistentStoreRequest, NSManagedObjectContext?) throws -> Any)
    use(
      "type-method|NSIncrementalStore|identifierForNewStore(at:)",
      NSIncrementalStore.identifierForNewStore(at:) as (URL) -> Any)
    use(
      "method|NSIncrementalStore|loadMetadata()",
      NSIncrementalStore.loadMetadata as (NSIncrementalStore) -> () throws -> Void)
    use(
      "method|NSIncrementalStore|newObjectID(for:referenceObject:)",
      NSIncrementalStore.newObjectID(for:referenceObject:)
        as (NSIncrementalStore) -> (NSEntityDescription, Any) -> NSManagedObjectID)
    use(
      "method|NSIncrementalStore|newValue(forRelationship:forObjectWith:with:)",
      NSIncrementalStore.newValue(forRelationship:forObjectWith:with:)
        as (NSIncrementalStore) -> (NSRelationshipDescription, NSManagedObjectID, NSManagedObjectContext?) throws -> Any
    )
    use(
      "method|NSIncrementalStore|newValuesForObject(with:with:)",
      NSIncrementalStore.newValuesForObject(with:with:)
        as (NSIncrementalStore) -> (NSManagedObjectID, NSManagedObjectContext) throws -> NSIncrementalStoreNode)
    use(
      "method|NSIncrementalStore|obtainPermanentIDs(for:)",
      NSIncrementalStore.obtainPermanentIDs(for:)
        as (NSIncrementalStore) -> ([NSManagedObject]) throws -> [NSManagedObjectID])
    use(
      "method|NSIncrementalStore|referenceObject(for:)",
      NSIncrementalStore.referenceObject(for:) as (NSIncrementalStore) -> (NSManagedObjectID) -> Any)
    use("class||NSIncrementalStore", NSIncrementalStore.self)
    use(
      "init|NSIncrementalStoreNode|init(objectID:withValues:version:)",
      NSIncrementalStoreNode.init(objectID:withValues:version:)
        as (NSManagedObjectID, [String: Any], UInt64) -> NSIncrementalStoreNode)
    use(
      "property|NSIncrementalStoreNode|objectID",
      \NSIncrementalStoreNode.objectID as KeyPath<NSIncrementalStoreNode, NSManagedObjectID>)
    use(
      "method|NSIncrementalStoreNode|update(withValues:version:)",
      NSIncrementalStoreNode.update(withValues:version:) as (NSIncrementalStoreNode) -> ([String: Any], UInt64) -> Void)
    use(
      "method|NSIncrementalStoreNode|value(for:)",
      NSIncrementalStoreNode.value(for:) as (NSIncrementalStoreNode) -> (NSPropertyDescription) -> Any?)
    use(
      "property|NSIncrementalStoreNode|version",
      \NSIncrementalStoreNode.version as KeyPath<NSIncrementalStoreNode, UInt64>)
    use("class||NSIncrementalStoreNode", NSIncrementalStoreNode.self)
  }
}
