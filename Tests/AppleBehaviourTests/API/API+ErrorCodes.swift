import CoreData
import Foundation
import Testing

/// All error codes.
@Suite struct ErrorCodesAPI {
  @Test func isThere() {
    use("error-code||NSCoreDataError", NSCoreDataError, 134060)
    use("error-code||NSEntityMigrationPolicyError", NSEntityMigrationPolicyError, 134170)
    use("error-code||NSExternalRecordImportError", NSExternalRecordImportError, 134200)
    use("error-code||NSInferredMappingModelError", NSInferredMappingModelError, 134190)
    use("error-code||NSManagedObjectConstraintMergeError", NSManagedObjectConstraintMergeError, 133021)
    use("error-code||NSManagedObjectConstraintValidationError", NSManagedObjectConstraintValidationError, 1551)
    use("error-code||NSManagedObjectContextLockingError", NSManagedObjectContextLockingError, 132000)
    use("error-code||NSManagedObjectExternalRelationshipError", NSManagedObjectExternalRelationshipError, 133010)
    use("error-code||NSManagedObjectMergeError", NSManagedObjectMergeError, 133020)
    use("error-code||NSManagedObjectModelReferenceNotFoundError", NSManagedObjectModelReferenceNotFoundError, 134504)
    use("error-code||NSManagedObjectReferentialIntegrityError", NSManagedObjectReferentialIntegrityError, 133000)
    use("error-code||NSManagedObjectValidationError", NSManagedObjectValidationError, 1550)
    use("error-code||NSMigrationCancelledError", NSMigrationCancelledError, 134120)
    use("error-code||NSMigrationConstraintViolationError", NSMigrationConstraintViolationError, 134111)
    use("error-code||NSMigrationError", NSMigrationError, 134110)
    use("error-code||NSMigrationManagerDestinationStoreError", NSMigrationManagerDestinationStoreError, 134160)
    use("error-code||NSMigrationManagerSourceStoreError", NSMigrationManagerSourceStoreError, 134150)
    use("error-code||NSMigrationMissingMappingModelError", NSMigrationMissingMappingModelError, 134140)
    use("error-code||NSMigrationMissingSourceModelError", NSMigrationMissingSourceModelError, 134130)
    use("error-code||NSPersistentHistoryTokenExpiredError", NSPersistentHistoryTokenExpiredError, 134301)
    use("error-code||NSPersistentStoreCoordinatorLockingError", NSPersistentStoreCoordinatorLockingError, 132010)
    use("error-code||NSPersistentStoreIncompatibleSchemaError", NSPersistentStoreIncompatibleSchemaError, 134020)
    use(
      "error-code||NSPersistentStoreIncompatibleVersionHashError", NSPersistentStoreIncompatibleVersionHashError, 134100
    )
    use("error-code||NSPersistentStoreIncompleteSaveError", NSPersistentStoreIncompleteSaveError, 134040)
    use("error-code||NSPersistentStoreInvalidTypeError", NSPersistentStoreInvalidTypeError, 134000)
    use("error-code||NSPersistentStoreOpenError", NSPersistentStoreOpenError, 134080)
    use("error-code||NSPersistentStoreOperationError", NSPersistentStoreOperationError, 134070)
    use("error-code||NSPersistentStoreSaveConflictsError", NSPersistentStoreSaveConflictsError, 134050)
    use("error-code||NSPersistentStoreSaveError", NSPersistentStoreSaveError, 134030)
    use("error-code||NSPersistentStoreTimeoutError", NSPersistentStoreTimeoutError, 134090)
    use("error-code||NSPersistentStoreTypeMismatchError", NSPersistentStoreTypeMismatchError, 134010)
    use(
      "error-code||NSPersistentStoreUnsupportedRequestTypeError", NSPersistentStoreUnsupportedRequestTypeError, 134091)
    use("error-code||NSSQLiteError", NSSQLiteError, 134180)
    use("error-code||NSStagedMigrationBackwardMigrationError", NSStagedMigrationBackwardMigrationError, 134506)
    use(
      "error-code||NSStagedMigrationFrameworkVersionMismatchError", NSStagedMigrationFrameworkVersionMismatchError,
      134505)
    use("error-code||NSValidationDateTooLateError", NSValidationDateTooLateError, 1630)
    use("error-code||NSValidationDateTooSoonError", NSValidationDateTooSoonError, 1640)
    use("error-code||NSValidationInvalidDateError", NSValidationInvalidDateError, 1650)
    use("error-code||NSValidationInvalidURIError", NSValidationInvalidURIError, 1690)
    use("error-code||NSValidationMissingMandatoryPropertyError", NSValidationMissingMandatoryPropertyError, 1570)
    use("error-code||NSValidationMultipleErrorsError", NSValidationMultipleErrorsError, 1560)
    use("error-code||NSValidationNumberTooLargeError", NSValidationNumberTooLargeError, 1610)
    use("error-code||NSValidationNumberTooSmallError", NSValidationNumberTooSmallError, 1620)
    use("error-code||NSValidationRelationshipDeniedDeleteError", NSValidationRelationshipDeniedDeleteError, 1600)
    use(
      "error-code||NSValidationRelationshipExceedsMaximumCountError", NSValidationRelationshipExceedsMaximumCountError,
      1590)
    use(
      "error-code||NSValidationRelationshipLacksMinimumCountError", NSValidationRelationshipLacksMinimumCountError, 1580
    )
    use("error-code||NSValidationStringPatternMatchingError", NSValidationStringPatternMatchingError, 1680)
    use("error-code||NSValidationStringTooLongError", NSValidationStringTooLongError, 1660)
    use("error-code||NSValidationStringTooShortError", NSValidationStringTooShortError, 1670)
    use("error-code|CocoaError.Code|managedObjectValidation", CocoaError.Code.managedObjectValidation.rawValue, 1550)
    use("error-code|CocoaError.Code|validationMultipleErrors", CocoaError.Code.validationMultipleErrors.rawValue, 1560)
    use(
      "error-code|CocoaError.Code|validationMissingMandatoryProperty",
      CocoaError.Code.validationMissingMandatoryProperty.rawValue, 1570)
    use(
      "error-code|CocoaError.Code|validationRelationshipLacksMinimumCount",
      CocoaError.Code.validationRelationshipLacksMinimumCount.rawValue, 1580)
    use(
      "error-code|CocoaError.Code|validationRelationshipExceedsMaximumCount",
      CocoaError.Code.validationRelationshipExceedsMaximumCount.rawValue, 1590)
    use(
      "error-code|CocoaError.Code|validationRelationshipDeniedDelete",
      CocoaError.Code.validationRelationshipDeniedDelete.rawValue, 1600)
    use("error-code|CocoaError.Code|validationNumberTooLarge", CocoaError.Code.validationNumberTooLarge.rawValue, 1610)
    use("error-code|CocoaError.Code|validationNumberTooSmall", CocoaError.Code.validationNumberTooSmall.rawValue, 1620)
    use("error-code|CocoaError.Code|validationDateTooLate", CocoaError.Code.validationDateTooLate.rawValue, 1630)
    use("error-code|CocoaError.Code|validationDateTooSoon", CocoaError.Code.validationDateTooSoon.rawValue, 1640)
    use("error-code|CocoaError.Code|validationInvalidDate", CocoaError.Code.validationInvalidDate.rawValue, 1650)
    use("error-code|CocoaError.Code|validationStringTooLong", CocoaError.Code.validationStringTooLong.rawValue, 1660)
    use("error-code|CocoaError.Code|validationStringTooShort", CocoaError.Code.validationStringTooShort.rawValue, 1670)
    use(
      "error-code|CocoaError.Code|validationStringPatternMatching",
      CocoaError.Code.validationStringPatternMatching.rawValue, 1680)
    use(
      "error-code|CocoaError.Code|managedObjectContextLocking", CocoaError.Code.managedObjectContextLocking.rawValue,
      132000)
    use(
      "error-code|CocoaError.Code|persistentStoreCoordinatorLocking",
      CocoaError.Code.persistentStoreCoordinatorLocking.rawValue, 132010)
    use(
      "error-code|CocoaError.Code|managedObjectReferentialIntegrity",
      CocoaError.Code.managedObjectReferentialIntegrity.rawValue, 133000)
    use(
      "error-code|CocoaError.Code|managedObjectExternalRelationship",
      CocoaError.Code.managedObjectExternalRelationship.rawValue, 133010)
    use("error-code|CocoaError.Code|managedObjectMerge", CocoaError.Code.managedObjectMerge.rawValue, 133020)
    use(
      "error-code|CocoaError.Code|managedObjectConstraintMerge", CocoaError.Code.managedObjectConstraintMerge.rawValue,
      133021)
    use(
      "error-code|CocoaError.Code|persistentStoreInvalidType", CocoaError.Code.persistentStoreInvalidType.rawValue,
      134000)
    use(
      "error-code|CocoaError.Code|persistentStoreTypeMismatch", CocoaError.Code.persistentStoreTypeMismatch.rawValue,
      134010)
    use(
      "error-code|CocoaError.Code|persistentStoreIncompatibleSchema",
      CocoaError.Code.persistentStoreIncompatibleSchema.rawValue, 134020)
    use("error-code|CocoaError.Code|persistentStoreSave", CocoaError.Code.persistentStoreSave.rawValue, 134030)
    use(
      "error-code|CocoaError.Code|persistentStoreIncompleteSave",
      CocoaError.Code.persistentStoreIncompleteSave.rawValue, 134040)
    use(
      "error-code|CocoaError.Code|persistentStoreSaveConflicts", CocoaError.Code.persistentStoreSaveConflicts.rawValue,
      134050)
    use("error-code|CocoaError.Code|coreData", CocoaError.Code.coreData.rawValue, 134060)
    use(
      "error-code|CocoaError.Code|persistentStoreOperation", CocoaError.Code.persistentStoreOperation.rawValue, 134070)
    use("error-code|CocoaError.Code|persistentStoreOpen", CocoaError.Code.persistentStoreOpen.rawValue, 134080)
    use("error-code|CocoaError.Code|persistentStoreTimeout", CocoaError.Code.persistentStoreTimeout.rawValue, 134090)
    use(
      "error-code|CocoaError.Code|persistentStoreUnsupportedRequestType",
      CocoaError.Code.persistentStoreUnsupportedRequestType.rawValue, 134091)
    use(
      "error-code|CocoaError.Code|persistentStoreIncompatibleVersionHash",
      CocoaError.Code.persistentStoreIncompatibleVersionHash.rawValue, 134100)
    use("error-code|CocoaError.Code|migration", CocoaError.Code.migration.rawValue, 134110)
    use("error-code|CocoaError.Code|migrationCancelled", CocoaError.Code.migrationCancelled.rawValue, 134120)
    use(
      "error-code|CocoaError.Code|migrationMissingSourceModel", CocoaError.Code.migrationMissingSourceModel.rawValue,
      134130)
    use(
      "error-code|CocoaError.Code|migrationMissingMappingModel", CocoaError.Code.migrationMissingMappingModel.rawValue,
      134140)
    use(
      "error-code|CocoaError.Code|migrationManagerSourceStore", CocoaError.Code.migrationManagerSourceStore.rawValue,
      134150)
    use(
      "error-code|CocoaError.Code|migrationManagerDestinationStore",
      CocoaError.Code.migrationManagerDestinationStore.rawValue, 134160)
    use("error-code|CocoaError.Code|entityMigrationPolicy", CocoaError.Code.entityMigrationPolicy.rawValue, 134170)
    use("error-code|CocoaError.Code|sqlite", CocoaError.Code.sqlite.rawValue, 134180)
    use("error-code|CocoaError.Code|inferredMappingModel", CocoaError.Code.inferredMappingModel.rawValue, 134190)
    use("error-code|CocoaError.Code|externalRecordImport", CocoaError.Code.externalRecordImport.rawValue, 134200)
    use("error-userinfo-key||NSAffectedObjectsErrorKey", NSAffectedObjectsErrorKey as String)
    use("error-userinfo-key||NSAffectedStoresErrorKey", NSAffectedStoresErrorKey as String)
    use("error-userinfo-key||NSDetailedErrorsKey", NSDetailedErrorsKey, "NSDetailedErrors")
    use(
      "error-userinfo-key||NSPersistentStoreSaveConflictsErrorKey", NSPersistentStoreSaveConflictsErrorKey,
      "conflictList")
    use("error-userinfo-key||NSValidationKeyErrorKey", NSValidationKeyErrorKey, "NSValidationErrorKey")
    use("error-userinfo-key||NSValidationObjectErrorKey", NSValidationObjectErrorKey, "NSValidationErrorObject")
    use(
      "error-userinfo-key||NSValidationPredicateErrorKey", NSValidationPredicateErrorKey, "NSValidationErrorPredicate")
    use("error-userinfo-key||NSValidationValueErrorKey", NSValidationValueErrorKey, "NSValidationErrorValue")
  }
}
