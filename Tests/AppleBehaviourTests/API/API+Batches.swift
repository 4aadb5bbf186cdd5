import CoreData
import Foundation
import Testing

/// All symbols of store requests and batch requests.
@Suite struct BatchAPI {
  @Test func requestsAreThere() {
    use(
      "method|NSManagedObjectContext|execute(_:)",
      NSManagedObjectContext.execute(_:)
        as (NSManagedObjectContext) -> (NSPersistentStoreRequest) throws -> NSPersistentStoreResult)
    use(
      "method|NSPersistentStoreCoordinator|execute(_:with:)",
      NSPersistentStoreCoordinator.execute(_:with:)
        as (NSPersistentStoreCoordinator) -> (NSPersistentStoreRequest, NSManagedObjectContext) throws -> Any)
    use(
      "property|NSPersistentStoreRequest|affectedStores",
      \NSPersistentStoreRequest.affectedStores
        as ReferenceWritableKeyPath<NSPersistentStoreRequest, [NSPersistentStore]?>)
    use(
      "property|NSPersistentStoreRequest|requestType",
      \NSPersistentStoreRequest.requestType as KeyPath<NSPersistentStoreRequest, NSPersistentStoreRequestType>)
    use(
      "class||NSPersistentStoreRequest",
      NSPersistentStoreRequest.self)
    use(
      "init|NSPersistentStoreRequest|init()",
      NSPersistentStoreRequest.init as () -> NSPersistentStoreRequest)
    use(
      "conformance|NSPersistentStoreRequest|NSCopying",
      NSPersistentStoreRequest() as any NSCopying)
    use(
      "init|NSPersistentStoreRequestType|init(rawValue:)",
      NSPersistentStoreRequestType.init(rawValue:) as (UInt) -> NSPersistentStoreRequestType?)
    use(
      "case|NSPersistentStoreRequestType|batchDeleteRequestType",
      NSPersistentStoreRequestType.batchDeleteRequestType.rawValue, 7)
    use(
      "case|NSPersistentStoreRequestType|batchInsertRequestType",
      NSPersistentStoreRequestType.batchInsertRequestType.rawValue, 5)
    use(
      "case|NSPersistentStoreRequestType|batchUpdateRequestType",
      NSPersistentStoreRequestType.batchUpdateRequestType.rawValue, 6)
    use(
      "case|NSPersistentStoreRequestType|fetchRequestType",
      NSPersistentStoreRequestType.fetchRequestType.rawValue, 1)
    use(
      "case|NSPersistentStoreRequestType|saveRequestType",
      NSPersistentStoreRequestType.saveRequestType.rawValue, 2)
    use(
      "enum||NSPersistentStoreRequestType",
      NSPersistentStoreRequestType.self)
    use(
      "class||NSPersistentStoreResult",
      NSPersistentStoreResult.self)
    use(
      "property|NSSaveChangesRequest|deletedObjects",
      \NSSaveChangesRequest.deletedObjects as KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?>)
    use(
      "init|NSSaveChangesRequest|init(inserted:updated:deleted:locked:)",
      NSSaveChangesRequest.init(inserted:updated:deleted:locked:)
        as (Set<NSManagedObject>?, Set<NSManagedObject>?, Set<NSManagedObject>?, Set<NSManagedObject>?) ->
        NSSaveChangesRequest)
    use(
      "property|NSSaveChangesRequest|insertedObjects",
      \NSSaveChangesRequest.insertedObjects as KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?>)
    use(
      "property|NSSaveChangesRequest|lockedObjects",
      \NSSaveChangesRequest.lockedObjects as KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?>)
    use(
      "property|NSSaveChangesRequest|updatedObjects",
      \NSSaveChangesRequest.updatedObjects as KeyPath<NSSaveChangesRequest, Set<NSManagedObject>?>)
    use(
      "class||NSSaveChangesRequest",
      NSSaveChangesRequest.self)
    use(
      "init|NSSaveChangesRequest|init()",
      NSSaveChangesRequest.init as () -> NSSaveChangesRequest)
  }

  @Test func insertIsThere() {
    use(
      "property|NSBatchInsertRequest|dictionaryHandler",
      \NSBatchInsertRequest.dictionaryHandler
        as ReferenceWritableKeyPath<NSBatchInsertRequest, ((NSMutableDictionary) -> Bool)?>)
    use(
      "property|NSBatchInsertRequest|entity",
      \NSBatchInsertRequest.entity as KeyPath<NSBatchInsertRequest, NSEntityDescription?>)
    use(
      "property|NSBatchInsertRequest|entityName",
      \NSBatchInsertRequest.entityName as KeyPath<NSBatchInsertRequest, String>)
    use(
      "init|NSBatchInsertRequest|init(entity:dictionaryHandler:)",
      NSBatchInsertRequest.init(entity:dictionaryHandler:)
        as (NSEntityDescription, @escaping (NSMutableDictionary) -> Bool) -> NSBatchInsertRequest)
    use(
      "init|NSBatchInsertRequest|init(entity:managedObjectHandler:)",
      NSBatchInsertRequest.init(entity:managedObjectHandler:)
        as (NSEntityDescription, @escaping (NSManagedObject) -> Bool) -> NSBatchInsertRequest)
    use(
      "init|NSBatchInsertRequest|init(entity:objects:)",
      NSBatchInsertRequest.init(entity:objects:) as (NSEntityDescription, [[String: Any]]) -> NSBatchInsertRequest)
    use(
      "init|NSBatchInsertRequest|init(entityName:dictionaryHandler:)",
      NSBatchInsertRequest.init(entityName:dictionaryHandler:)
        as (String, @escaping (NSMutableDictionary) -> Bool) -> NSBatchInsertRequest)
    use(
      "init|NSBatchInsertRequest|init(entityName:managedObjectHandler:)",
      NSBatchInsertRequest.init(entityName:managedObjectHandler:)
        as (String, @escaping (NSManagedObject) -> Bool) -> NSBatchInsertRequest)
    use(
      "init|NSBatchInsertRequest|init(entityName:objects:)",
      NSBatchInsertRequest.init(entityName:objects:) as (String, [[String: Any]]) -> NSBatchInsertRequest)
    use(
      "property|NSBatchInsertRequest|managedObjectHandler",
      \NSBatchInsertRequest.managedObjectHandler
        as ReferenceWritableKeyPath<NSBatchInsertRequest, ((NSManagedObject) -> Bool)?>)
    use(
      "property|NSBatchInsertRequest|objectsToInsert",
      \NSBatchInsertRequest.objectsToInsert as ReferenceWritableKeyPath<NSBatchInsertRequest, [[String: Any]]?>)
    use(
      "property|NSBatchInsertRequest|resultType",
      \NSBatchInsertRequest.resultType as ReferenceWritableKeyPath<NSBatchInsertRequest, NSBatchInsertRequestResultType>
    )
    use(
      "class||NSBatchInsertRequest",
      NSBatchInsertRequest.self)
    use(
      "init|NSBatchInsertRequestResultType|init(rawValue:)",
      NSBatchInsertRequestResultType.init(rawValue:) as (UInt) -> NSBatchInsertRequestResultType?)
    use(
      "case|NSBatchInsertRequestResultType|count",
      NSBatchInsertRequestResultType.count.rawValue, 2)
    use(
      "case|NSBatchInsertRequestResultType|objectIDs",
      NSBatchInsertRequestResultType.objectIDs.rawValue, 1)
    use(
      "case|NSBatchInsertRequestResultType|statusOnly",
      NSBatchInsertRequestResultType.statusOnly.rawValue, 0)
    use(
      "enum||NSBatchInsertRequestResultType",
      NSBatchInsertRequestResultType.self)
    use(
      "property|NSBatchInsertResult|result",
      \NSBatchInsertResult.result as KeyPath<NSBatchInsertResult, Any?>)
    use(
      "property|NSBatchInsertResult|resultType",
      \NSBatchInsertResult.resultType as KeyPath<NSBatchInsertResult, NSBatchInsertRequestResultType>)
    use(
      "class||NSBatchInsertResult",
      NSBatchInsertResult.self)
  }

  @available(*, deprecated)
  @Test func deprecatedIsThere() {
    use("init|NSBatchInsertRequest|init()", NSBatchInsertRequest.init as () -> NSBatchInsertRequest)
  }

  @Test func updateIsThere() {
    use(
      "property|NSBatchUpdateRequest|entity",
      \NSBatchUpdateRequest.entity as KeyPath<NSBatchUpdateRequest, NSEntityDescription>)
    use(
      "property|NSBatchUpdateRequest|entityName",
      \NSBatchUpdateRequest.entityName as KeyPath<NSBatchUpdateRequest, String>)
    use(
      "property|NSBatchUpdateRequest|includesSubentities",
      \NSBatchUpdateRequest.includesSubentities as ReferenceWritableKeyPath<NSBatchUpdateRequest, Bool>)
    use(
      "init|NSBatchUpdateRequest|init(entity:)",
      NSBatchUpdateRequest.init(entity:) as (NSEntityDescription) -> NSBatchUpdateRequest)
    use(
      "init|NSBatchUpdateRequest|init(entityName:)",
      NSBatchUpdateRequest.init(entityName:) as (String) -> NSBatchUpdateRequest)
    use(
      "property|NSBatchUpdateRequest|predicate",
      \NSBatchUpdateRequest.predicate as ReferenceWritableKeyPath<NSBatchUpdateRequest, NSPredicate?>)
    use(
      "property|NSBatchUpdateRequest|propertiesToUpdate",
      \NSBatchUpdateRequest.propertiesToUpdate as ReferenceWritableKeyPath<NSBatchUpdateRequest, [AnyHashable: Any]?>)
    use(
      "property|NSBatchUpdateRequest|resultType",
      \NSBatchUpdateRequest.resultType as ReferenceWritableKeyPath<NSBatchUpdateRequest, NSBatchUpdateRequestResultType>
    )
    use(
      "class||NSBatchUpdateRequest",
      NSBatchUpdateRequest.self)
    use(
      "init|NSBatchUpdateRequestResultType|init(rawValue:)",
      NSBatchUpdateRequestResultType.init(rawValue:) as (UInt) -> NSBatchUpdateRequestResultType?)
    use(
      "case|NSBatchUpdateRequestResultType|statusOnlyResultType",
      NSBatchUpdateRequestResultType.statusOnlyResultType.rawValue, 0)
    use(
      "case|NSBatchUpdateRequestResultType|updatedObjectIDsResultType",
      NSBatchUpdateRequestResultType.updatedObjectIDsResultType.rawValue, 1)
    use(
      "case|NSBatchUpdateRequestResultType|updatedObjectsCountResultType",
      NSBatchUpdateRequestResultType.updatedObjectsCountResultType.rawValue, 2)
    use(
      "enum||NSBatchUpdateRequestResultType",
      NSBatchUpdateRequestResultType.self)
    use(
      "property|NSBatchUpdateResult|result",
      \NSBatchUpdateResult.result as KeyPath<NSBatchUpdateResult, Any?>)
    use(
      "property|NSBatchUpdateResult|resultType",
      \NSBatchUpdateResult.resultType as KeyPath<NSBatchUpdateResult, NSBatchUpdateRequestResultType>)
    use(
      "class||NSBatchUpdateResult",
      NSBatchUpdateResult.self)
  }

  @Test func deleteIsThere() {
    use(
      "property|NSBatchDeleteRequest|fetchRequest",
      \NSBatchDeleteRequest.fetchRequest as KeyPath<NSBatchDeleteRequest, NSFetchRequest<any NSFetchRequestResult>>)
    use(
      "init|NSBatchDeleteRequest|init(fetchRequest:)",
      NSBatchDeleteRequest.init(fetchRequest:) as (NSFetchRequest<any NSFetchRequestResult>) -> NSBatchDeleteRequest)
    use(
      "init|NSBatchDeleteRequest|init(objectIDs:)",
      NSBatchDeleteRequest.init(objectIDs:) as ([NSManagedObjectID]) -> NSBatchDeleteRequest)
    use(
      "property|NSBatchDeleteRequest|resultType",
      \NSBatchDeleteRequest.resultType as ReferenceWritableKeyPath<NSBatchDeleteRequest, NSBatchDeleteRequestResultType>
    )
    use(
      "class||NSBatchDeleteRequest",
      NSBatchDeleteRequest.self)
    use(
      "init|NSBatchDeleteRequestResultType|init(rawValue:)",
      NSBatchDeleteRequestResultType.init(rawValue:) as (UInt) -> NSBatchDeleteRequestResultType?)
    use(
      "case|NSBatchDeleteRequestResultType|resultTypeCount",
      NSBatchDeleteRequestResultType.resultTypeCount.rawValue, 2)
    use(
      "case|NSBatchDeleteRequestResultType|resultTypeObjectIDs",
      NSBatchDeleteRequestResultType.resultTypeObjectIDs.rawValue, 1)
    use(
      "case|NSBatchDeleteRequestResultType|resultTypeStatusOnly",
      NSBatchDeleteRequestResultType.resultTypeStatusOnly.rawValue, 0)
    use(
      "enum||NSBatchDeleteRequestResultType",
      NSBatchDeleteRequestResultType.self)
    use(
      "property|NSBatchDeleteResult|result",
      \NSBatchDeleteResult.result as KeyPath<NSBatchDeleteResult, Any?>)
    use(
      "property|NSBatchDeleteResult|resultType",
      \NSBatchDeleteResult.resultType as KeyPath<NSBatchDeleteResult, NSBatchDeleteRequestResultType>)
    use(
      "class||NSBatchDeleteResult",
      NSBatchDeleteResult.self)
  }
}
