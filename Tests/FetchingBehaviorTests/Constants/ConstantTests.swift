import CoreData
import Testing

/// Values of constants that programs store, send or compare: raw values, keys and the names of notifications.
@Suite struct ConstantTests {
  /// Checks the raw values of the cases of an enumeration, of options, or of names.
  private func check<Value: RawRepresentable>(_ values: KeyValuePairs<Value, Value.RawValue>)
  where Value.RawValue: Equatable {
    for (value, expected) in values { #expect(value.rawValue == expected, "\(Value.self)") }
  }

  @Test func `enumerations have Apple's raw values`() {
    let requests: KeyValuePairs<NSPersistentStoreRequestType, UInt> = [
      .fetchRequestType: 1,
      .saveRequestType: 2,
      .batchInsertRequestType: 5,
      .batchUpdateRequestType: 6,
      .batchDeleteRequestType: 7,
    ]
    check(requests)
    let insertResults: KeyValuePairs<NSBatchInsertRequestResultType, UInt> = [
      .statusOnly: 0,
      .objectIDs: 1,
      .count: 2,
    ]
    check(insertResults)
    let updateResults: KeyValuePairs<NSBatchUpdateRequestResultType, UInt> = [
      .statusOnlyResultType: 0,
      .updatedObjectIDsResultType: 1,
      .updatedObjectsCountResultType: 2,
    ]
    check(updateResults)
    let deleteResults: KeyValuePairs<NSBatchDeleteRequestResultType, UInt> = [
      .resultTypeStatusOnly: 0,
      .resultTypeObjectIDs: 1,
      .resultTypeCount: 2,
    ]
    check(deleteResults)
    let queues: KeyValuePairs<NSManagedObjectContextConcurrencyType, UInt> = [
      .privateQueueConcurrencyType: 1,
      .mainQueueConcurrencyType: 2,
    ]
    check(queues)
    let resultChanges: KeyValuePairs<NSFetchedResultsChangeType, UInt> = [
      .insert: 1,
      .delete: 2,
      .move: 3,
      .update: 4,
    ]
    check(resultChanges)
    #expect(NSFetchedResultsChangeType(rawValue: 0) == nil)
    let historyResults: KeyValuePairs<NSPersistentHistoryResultType, Int> = [
      .statusOnly: 0,
      .objectIDs: 1,
      .count: 2,
      .transactionsOnly: 3,
      .changesOnly: 4,
      .transactionsAndChanges: 5,
    ]
    check(historyResults)
    let historyChanges: KeyValuePairs<NSPersistentHistoryChangeType, Int> = [
      .insert: 0,
      .update: 1,
      .delete: 2,
    ]
    check(historyChanges)
    let policies: KeyValuePairs<NSMergePolicyType, UInt> = [
      .errorMergePolicyType: 0,
      .mergeByPropertyStoreTrumpMergePolicyType: 1,
      .mergeByPropertyObjectTrumpMergePolicyType: 2,
      .overwriteMergePolicyType: 3,
      .rollbackMergePolicyType: 4,
    ]
    check(policies)
    let mappings: KeyValuePairs<NSEntityMappingType, UInt> = [
      .undefinedEntityMappingType: 0,
      .customEntityMappingType: 1,
      .addEntityMappingType: 2,
      .removeEntityMappingType: 3,
      .copyEntityMappingType: 4,
      .transformEntityMappingType: 5,
    ]
    check(mappings)
  }

  @Test func `options have Apple's raw values`() {
    let fetchResults: KeyValuePairs<NSFetchRequestResultType, UInt> = [
      .managedObjectResultType: 0,
      .managedObjectIDResultType: 1,
      .dictionaryResultType: 2,
      .countResultType: 4,
    ]
    check(fetchResults)
    let events: KeyValuePairs<NSSnapshotEventType, UInt> = [
      .undoInsertion: 2,
      .undoDeletion: 4,
      .undoUpdate: 8,
      .rollback: 16,
      .refresh: 32,
      .mergePolicy: 64,
    ]
    check(events)
  }

  @Test func `notifications and their keys have Apple's strings`() {
    let names: KeyValuePairs<Notification.Name, String> = [
      .NSManagedObjectContextWillSave: "NSManagingContextWillSaveChangesNotification",
      .NSManagedObjectContextDidSave: "NSManagingContextDidSaveChangesNotification",
      .NSManagedObjectContextObjectsDidChange: "NSObjectsChangedInManagingContextNotification",
    ]
    check(names)
    let keys: KeyValuePairs<NSManagedObjectContext.NotificationKey, String> = [
      .deletedObjectIDs: "deleted_objectIDs",
      .deletedObjects: "deleted",
      .insertedObjectIDs: "inserted_objectIDs",
      .insertedObjects: "inserted",
      .invalidatedAllObjects: "invalidatedAll",
      .invalidatedObjectIDs: "invalidated_objectIDs",
      .invalidatedObjects: "invalidated",
      .queryGeneration: "newQueryGeneration",
      .refreshedObjectIDs: "refreshed_objectIDs",
      .refreshedObjects: "refreshed",
      .updatedObjectIDs: "updated_objectIDs",
      .updatedObjects: "updated",
    ]
    check(keys)
    let constants: [(name: String, value: String, expected: String)] = [
      ("NSDeletedObjectIDsKey", NSDeletedObjectIDsKey, "deleted_objectIDs"),
      ("NSDeletedObjectsKey", NSDeletedObjectsKey, "deleted"),
      ("NSInsertedObjectIDsKey", NSInsertedObjectIDsKey, "inserted_objectIDs"),
      ("NSInsertedObjectsKey", NSInsertedObjectsKey, "inserted"),
      ("NSInvalidatedAllObjectsKey", NSInvalidatedAllObjectsKey, "invalidatedAll"),
      ("NSInvalidatedObjectIDsKey", NSInvalidatedObjectIDsKey, "invalidated_objectIDs"),
      ("NSInvalidatedObjectsKey", NSInvalidatedObjectsKey, "invalidated"),
      ("NSManagedObjectContextQueryGenerationKey", NSManagedObjectContextQueryGenerationKey, "newQueryGeneration"),
      ("NSRefreshedObjectIDsKey", NSRefreshedObjectIDsKey, "refreshed_objectIDs"),
      ("NSRefreshedObjectsKey", NSRefreshedObjectsKey, "refreshed"),
      ("NSUpdatedObjectIDsKey", NSUpdatedObjectIDsKey, "updated_objectIDs"),
      ("NSUpdatedObjectsKey", NSUpdatedObjectsKey, "updated"),
      ("NSDetailedErrorsKey", NSDetailedErrorsKey, "NSDetailedErrors"),
      ("NSPersistentStoreSaveConflictsErrorKey", NSPersistentStoreSaveConflictsErrorKey, "conflictList"),
      ("NSValidationKeyErrorKey", NSValidationKeyErrorKey, "NSValidationErrorKey"),
      ("NSValidationObjectErrorKey", NSValidationObjectErrorKey, "NSValidationErrorObject"),
      ("NSValidationPredicateErrorKey", NSValidationPredicateErrorKey, "NSValidationErrorPredicate"),
      ("NSValidationValueErrorKey", NSValidationValueErrorKey, "NSValidationErrorValue"),
    ]
    for (name, value, expected) in constants { #expect(value == expected, "\(name)") }
  }

  @available(*, deprecated)
  @Test func `iCloud's names have Apple's values`() {
    #expect(
      NSNotification.Name.NSPersistentStoreDidImportUbiquitousContentChanges.rawValue
        == "com.apple.coredata.ubiquity.importer.didfinishimport")
    #expect(NSPersistentStoreUbiquitousTransitionType(rawValue: 4) == .initialImportCompleted)
    #expect(NSPersistentStoreUbiquitousTransitionTypeKey == "NSPersistentStoreUbiquitousTransitionTypeKey")
  }

  @Test func `a context ignores changes of properties outside the model by default`() {
    #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges == true)
  }
}
