import CoreData
import Testing

/// Values of constants that programs store, send or compare: raw values, keys and the names of notifications.
@Suite struct ConstantTests {
  /// Checks the raw values of the cases of an enumeration, of options, or of names.
  private func check<Value: RawRepresentable>(_ values: KeyValuePairs<Value, Value.RawValue>)
  where Value.RawValue: Equatable {
    for (value, expected) in values { #expect(value.rawValue == expected, "\(Value.self)") }
  }

  private func checkStrings(_ constants: KeyValuePairs<String, String>) {
    for (value, expected) in constants { #expect(value == expected) }
  }

  @Test func `enumerations have Apple's raw values`() {
    check([
      NSPersistentStoreRequestType.fetchRequestType: 1, .saveRequestType: 2, .batchInsertRequestType: 5,
      .batchUpdateRequestType: 6, .batchDeleteRequestType: 7,
    ])
    check([NSBatchInsertRequestResultType.statusOnly: 0, .objectIDs: 1, .count: 2])
    check([
      NSBatchUpdateRequestResultType.statusOnlyResultType: 0, .updatedObjectIDsResultType: 1,
      .updatedObjectsCountResultType: 2,
    ])
    check([NSBatchDeleteRequestResultType.resultTypeStatusOnly: 0, .resultTypeObjectIDs: 1, .resultTypeCount: 2])
    check([NSManagedObjectContextConcurrencyType.privateQueueConcurrencyType: 1, .mainQueueConcurrencyType: 2])
    check([NSFetchedResultsChangeType.insert: 1, .delete: 2, .move: 3, .update: 4])
    #expect(NSFetchedResultsChangeType(rawValue: 0) == nil)
    check([
      NSPersistentHistoryResultType.statusOnly: 0, .objectIDs: 1, .count: 2, .transactionsOnly: 3, .changesOnly: 4,
      .transactionsAndChanges: 5,
    ])
    check([NSPersistentHistoryChangeType.insert: 0, .update: 1, .delete: 2])
    check([
      NSMergePolicyType.errorMergePolicyType: 0, .mergeByPropertyStoreTrumpMergePolicyType: 1,
      .mergeByPropertyObjectTrumpMergePolicyType: 2, .overwriteMergePolicyType: 3, .rollbackMergePolicyType: 4,
    ])
    check([
      NSEntityMappingType.undefinedEntityMappingType: 0, .customEntityMappingType: 1, .addEntityMappingType: 2,
      .removeEntityMappingType: 3, .copyEntityMappingType: 4, .transformEntityMappingType: 5,
    ])
  }

  @Test func `options have Apple's raw values`() {
    check([
      NSFetchRequestResultType.managedObjectResultType: 0, .managedObjectIDResultType: 1, .dictionaryResultType: 2,
      .countResultType: 4,
    ])
    check([
      NSSnapshotEventType.undoInsertion: 2, .undoDeletion: 4, .undoUpdate: 8, .rollback: 16, .refresh: 32,
      .mergePolicy: 64,
    ])
  }

  @Test func `notifications and their keys have Apple's strings`() {
    check([
      Notification.Name.NSManagedObjectContextWillSave: "NSManagingContextWillSaveChangesNotification",
      .NSManagedObjectContextDidSave: "NSManagingContextDidSaveChangesNotification",
      .NSManagedObjectContextObjectsDidChange: "NSObjectsChangedInManagingContextNotification",
    ])
    check([
      NSManagedObjectContext.NotificationKey.deletedObjectIDs: "deleted_objectIDs", .deletedObjects: "deleted",
      .insertedObjectIDs: "inserted_objectIDs", .insertedObjects: "inserted",
      .invalidatedAllObjects: "invalidatedAll", .invalidatedObjectIDs: "invalidated_objectIDs",
      .invalidatedObjects: "invalidated", .queryGeneration: "newQueryGeneration",
      .refreshedObjectIDs: "refreshed_objectIDs", .refreshedObjects: "refreshed",
      .updatedObjectIDs: "updated_objectIDs", .updatedObjects: "updated",
    ])
    checkStrings([
      NSDeletedObjectIDsKey: "deleted_objectIDs", NSDeletedObjectsKey: "deleted",
      NSInsertedObjectIDsKey: "inserted_objectIDs", NSInsertedObjectsKey: "inserted",
      NSInvalidatedAllObjectsKey: "invalidatedAll", NSInvalidatedObjectIDsKey: "invalidated_objectIDs",
      NSInvalidatedObjectsKey: "invalidated", NSManagedObjectContextQueryGenerationKey: "newQueryGeneration",
      NSRefreshedObjectIDsKey: "refreshed_objectIDs", NSRefreshedObjectsKey: "refreshed",
      NSUpdatedObjectIDsKey: "updated_objectIDs", NSUpdatedObjectsKey: "updated",
      NSDetailedErrorsKey: "NSDetailedErrors", NSPersistentStoreSaveConflictsErrorKey: "conflictList",
      NSValidationKeyErrorKey: "NSValidationErrorKey", NSValidationObjectErrorKey: "NSValidationErrorObject",
      NSValidationPredicateErrorKey: "NSValidationErrorPredicate",
      NSValidationValueErrorKey: "NSValidationErrorValue",
    ])
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
