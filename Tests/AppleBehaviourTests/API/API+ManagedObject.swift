import CoreData
import Foundation
import Testing

/// All symbols of managed objects, their ids and snapshot events.
@Suite struct ManagedObjectAPI {
  @Test func isThere() {
    use(
      "method|NSManagedObject|awake(fromSnapshotEvents:)",
      NSManagedObject.awake(fromSnapshotEvents:) as (NSManagedObject) -> (NSSnapshotEventType) -> Void)
    use("method|NSManagedObject|awakeFromFetch()", NSManagedObject.awakeFromFetch as (NSManagedObject) -> () -> Void)
    use("method|NSManagedObject|awakeFromInsert()", NSManagedObject.awakeFromInsert as (NSManagedObject) -> () -> Void)
    use(
      "method|NSManagedObject|changedValues()",
      NSManagedObject.changedValues as (NSManagedObject) -> () -> [String: Any])
    use(
      "method|NSManagedObject|changedValuesForCurrentEvent()",
      NSManagedObject.changedValuesForCurrentEvent as (NSManagedObject) -> () -> [String: Any])
    use(
      "type-property|NSManagedObject|contextShouldIgnoreUnmodeledPropertyChanges",
      NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges, true)
    use(
      "method|NSManagedObject|didChangeValue(forKey:withSetMutation:using:)",
      NSManagedObject.didChangeValue(forKey:withSetMutation:using:)
        as (NSManagedObject) -> (String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void)
    use(
      "method|NSManagedObject|willChangeValue(forKey:withSetMutation:using:)",
      NSManagedObject.willChangeValue(forKey:withSetMutation:using:)
        as (NSManagedObject) -> (String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void)
    use(
      "type-method|NSManagedObject|fetchRequest()",
      NSManagedObject.fetchRequest as () -> NSFetchRequest<any NSFetchRequestResult>)
    use(
      "subscript|NSManagedObject|subscript(_:)",
      \NSManagedObject.["name"] as ReferenceWritableKeyPath<NSManagedObject, Any?>)
    use(
      "method|NSManagedObject|committedValues(forKeys:)",
      NSManagedObject.committedValues(forKeys:) as (NSManagedObject) -> ([String]?) -> [String: Any])
    use(
      "method|NSManagedObject|didAccessValue(forKey:)",
      NSManagedObject.didAccessValue(forKey:) as (NSManagedObject) -> (String?) -> Void)
    use(
      "method|NSManagedObject|didChangeValue(forKey:)",
      NSManagedObject.didChangeValue(forKey:) as (NSManagedObject) -> (String) -> Void)
    use("method|NSManagedObject|didSave()", NSManagedObject.didSave as (NSManagedObject) -> () -> Void)
    use(
      "method|NSManagedObject|didTurnIntoFault()", NSManagedObject.didTurnIntoFault as (NSManagedObject) -> () -> Void)
    use("type-method|NSManagedObject|entity()", NSManagedObject.entity as () -> NSEntityDescription)
    use("property|NSManagedObject|entity", \NSManagedObject.entity as KeyPath<NSManagedObject, NSEntityDescription>)
    use("property|NSManagedObject|faultingState", \NSManagedObject.faultingState as KeyPath<NSManagedObject, Int>)
    use("property|NSManagedObject|hasChanges", \NSManagedObject.hasChanges as KeyPath<NSManagedObject, Bool>)
    use(
      "method|NSManagedObject|hasFault(forRelationshipNamed:)",
      NSManagedObject.hasFault(forRelationshipNamed:) as (NSManagedObject) -> (String) -> Bool)
    use(
      "property|NSManagedObject|hasPersistentChangedValues",
      \NSManagedObject.hasPersistentChangedValues as KeyPath<NSManagedObject, Bool>)
    use(
      "init|NSManagedObject|init(context:)",
      NSManagedObject.init(context:) as (NSManagedObjectContext) -> NSManagedObject)
    use(
      "init|NSManagedObject|init(entity:insertInto:)",
      NSManagedObject.init(entity:insertInto:) as (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject)
    use("property|NSManagedObject|isDeleted", \NSManagedObject.isDeleted as KeyPath<NSManagedObject, Bool>)
    use("property|NSManagedObject|isFault", \NSManagedObject.isFault as KeyPath<NSManagedObject, Bool>)
    use("property|NSManagedObject|isInserted", \NSManagedObject.isInserted as KeyPath<NSManagedObject, Bool>)
    use("property|NSManagedObject|isUpdated", \NSManagedObject.isUpdated as KeyPath<NSManagedObject, Bool>)
    use(
      "property|NSManagedObject|managedObjectContext",
      \NSManagedObject.managedObjectContext as KeyPath<NSManagedObject, NSManagedObjectContext?>)
    use("property|NSManagedObject|objectID", \NSManagedObject.objectID as KeyPath<NSManagedObject, NSManagedObjectID>)
    use(
      "method|NSManagedObject|objectIDs(forRelationshipNamed:)",
      NSManagedObject.objectIDs(forRelationshipNamed:) as (NSManagedObject) -> (String) -> [NSManagedObjectID])
    use(
      "method|NSManagedObject|prepareForDeletion()",
      NSManagedObject.prepareForDeletion as (NSManagedObject) -> () -> Void)
    use(
      "method|NSManagedObject|primitiveValue(forKey:)",
      NSManagedObject.primitiveValue(forKey:) as (NSManagedObject) -> (String) -> Any?)
    use(
      "method|NSManagedObject|setPrimitiveValue(_:forKey:)",
      NSManagedObject.setPrimitiveValue(_:forKey:) as (NSManagedObject) -> (Any?, String) -> Void)
    use(
      "method|NSManagedObject|setValue(_:forKey:)",
      NSManagedObject.setValue(_:forKey:) as (NSManagedObject) -> (Any?, String) -> Void)
    use(
      "method|NSManagedObject|validateForDelete()",
      NSManagedObject.validateForDelete as (NSManagedObject) -> () throws -> Void)
    use(
      "method|NSManagedObject|validateForInsert()",
      NSManagedObject.validateForInsert as (NSManagedObject) -> () throws -> Void)
    use(
      "method|NSManagedObject|validateForUpdate()",
      NSManagedObject.validateForUpdate as (NSManagedObject) -> () throws -> Void)
    use(
      "method|NSManagedObject|value(forKey:)", NSManagedObject.value(forKey:) as (NSManagedObject) -> (String) -> Any?)
    use(
      "method|NSManagedObject|willAccessValue(forKey:)",
      NSManagedObject.willAccessValue(forKey:) as (NSManagedObject) -> (String?) -> Void)
    use(
      "method|NSManagedObject|willChangeValue(forKey:)",
      NSManagedObject.willChangeValue(forKey:) as (NSManagedObject) -> (String) -> Void)
    use("method|NSManagedObject|willSave()", NSManagedObject.willSave as (NSManagedObject) -> () -> Void)
    use(
      "method|NSManagedObject|willTurnIntoFault()", NSManagedObject.willTurnIntoFault as (NSManagedObject) -> () -> Void
    )
    use("class||NSManagedObject", NSManagedObject.self)
    use("conformance|NSManagedObject|NSFetchRequestResult", NSManagedObject.self as any NSFetchRequestResult.Type)
    use(
      "property|NSManagedObjectID|entity", \NSManagedObjectID.entity as KeyPath<NSManagedObjectID, NSEntityDescription>)
    use(
      "property|NSManagedObjectID|isTemporaryID", \NSManagedObjectID.isTemporaryID as KeyPath<NSManagedObjectID, Bool>)
    use(
      "property|NSManagedObjectID|persistentStore",
      \NSManagedObjectID.persistentStore as KeyPath<NSManagedObjectID, NSPersistentStore?>)
    use(
      "method|NSManagedObjectID|uriRepresentation()",
      NSManagedObjectID.uriRepresentation as (NSManagedObjectID) -> () -> URL)
    use("class||NSManagedObjectID", NSManagedObjectID.self)
    use("conformance|NSManagedObjectID|NSCopying", NSManagedObjectID.self as any NSCopying.Type)
    use("conformance|NSManagedObjectID|NSFetchRequestResult", NSManagedObjectID.self as any NSFetchRequestResult.Type)
    use("conformance|NSManagedObjectID|Sendable", NSManagedObjectID.self as any Sendable.Type)
    use(
      "init|NSSnapshotEventType|init(rawValue:)", NSSnapshotEventType.init(rawValue:) as (UInt) -> NSSnapshotEventType)
    use("option|NSSnapshotEventType|mergePolicy", NSSnapshotEventType.mergePolicy.rawValue, 64)
    use("option|NSSnapshotEventType|refresh", NSSnapshotEventType.refresh.rawValue, 32)
    use("option|NSSnapshotEventType|rollback", NSSnapshotEventType.rollback.rawValue, 16)
    use("option|NSSnapshotEventType|undoDeletion", NSSnapshotEventType.undoDeletion.rawValue, 4)
    use("option|NSSnapshotEventType|undoInsertion", NSSnapshotEventType.undoInsertion.rawValue, 2)
    use("option|NSSnapshotEventType|undoUpdate", NSSnapshotEventType.undoUpdate.rawValue, 8)
    use("struct||NSSnapshotEventType", NSSnapshotEventType.self)
    use("conformance|NSSnapshotEventType|OptionSet", NSSnapshotEventType.self as any OptionSet.Type)
  }
}
