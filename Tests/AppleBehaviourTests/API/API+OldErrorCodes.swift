import CoreData
import Foundation
import Testing

/// All old names of error codes.
@Suite struct OldErrorCodesAPI {

  @available(*, deprecated)
  @Test func isThereUnderItsOldNames() {
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectValidationError",
      CocoaError.Code.managedObjectValidationError.rawValue, 1550)
    use(
      "error-code-deprecated|CocoaError.Code|validationMultipleErrorsError",
      CocoaError.Code.validationMultipleErrorsError.rawValue, 1560)
    use(
      "error-code-deprecated|CocoaError.Code|validationMissingMandatoryPropertyError",
      CocoaError.Code.validationMissingMandatoryPropertyError.rawValue, 1570)
    use(
      "error-code-deprecated|CocoaError.Code|validationRelationshipLacksMinimumCountError",
      CocoaError.Code.validationRelationshipLacksMinimumCountError.rawValue, 1580)
    use(
      "error-code-deprecated|CocoaError.Code|validationRelationshipExceedsMaximumCountError",
      CocoaError.Code.validationRelationshipExceedsMaximumCountError.rawValue, 1590)
    use(
      "error-code-deprecated|CocoaError.Code|validationRelationshipDeniedDeleteError",
      CocoaError.Code.validationRelationshipDeniedDeleteError.rawValue, 1600)
    use(
      "error-code-deprecated|CocoaError.Code|validationNumberTooLargeError",
      CocoaError.Code.validationNumberTooLargeError.rawValue, 1610)
    use(
      "error-code-deprecated|CocoaError.Code|validationNumberTooSmallError",
      CocoaError.Code.validationNumberTooSmallError.rawValue, 1620)
    use(
      "error-code-deprecated|CocoaError.Code|validationDateTooLateError",
      CocoaError.Code.validationDateTooLateError.rawValue, 1630)
    use(
      "error-code-deprecated|CocoaError.Code|validationDateTooSoonError",
      CocoaError.Code.validationDateTooSoonError.rawValue, 1640)
    use(
      "error-code-deprecated|CocoaError.Code|validationInvalidDateError",
      CocoaError.Code.validationInvalidDateError.rawValue, 1650)
    use(
      "error-code-deprecated|CocoaError.Code|validationStringTooLongError",
      CocoaError.Code.validationStringTooLongError.rawValue, 1660)
    use(
      "error-code-deprecated|CocoaError.Code|validationStringTooShortError",
      CocoaError.Code.validationStringTooShortError.rawValue, 1670)
    use(
      "error-code-deprecated|CocoaError.Code|validationStringPatternMatchingError",
      CocoaError.Code.validationStringPatternMatchingError.rawValue, 1680)
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectContextLockingError",
      CocoaError.Code.managedObjectContextLockingError.rawValue, 132000)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreCoordinatorLockingError",
      CocoaError.Code.persistentStoreCoordinatorLockingError.rawValue, 132010)
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectReferentialIntegrityError",
      CocoaError.Code.managedObjectReferentialIntegrityError.rawValue, 133000)
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectExternalRelationshipError",
      CocoaError.Code.managedObjectExternalRelationshipError.rawValue, 133010)
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectMergeError", CocoaError.Code.managedObjectMergeError.rawValue,
      133020)
    use(
      "error-code-deprecated|CocoaError.Code|managedObjectConstraintMergeError",
      CocoaError.Code.managedObjectConstraintMergeError.rawValue, 133021)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreInvalidTypeError",
      CocoaError.Code.persistentStoreInvalidTypeError.rawValue, 134000)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreTypeMismatchError",
      CocoaError.Code.persistentStoreTypeMismatchError.rawValue, 134010)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreIncompatibleSchemaError",
      CocoaError.Code.persistentStoreIncompatibleSchemaError.rawValue, 134020)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreSaveError",
      CocoaError.Code.persistentStoreSaveError.rawValue, 134030)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreIncompleteSaveError",
      CocoaError.Code.persistentStoreIncompleteSaveError.rawValue, 134040)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreSaveConflictsError",
      CocoaError.Code.persistentStoreSaveConflictsError.rawValue, 134050)
    use("error-code-deprecated|CocoaError.Code|coreDataError", CocoaError.Code.coreDataError.rawValue, 134060)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreOperationError",
      CocoaError.Code.persistentStoreOperationError.rawValue, 134070)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreOpenError",
      CocoaError.Code.persistentStoreOpenError.rawValue, 134080)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreTimeoutError",
      CocoaError.Code.persistentStoreTimeoutError.rawValue, 134090)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreUnsupportedRequestTypeError",
      CocoaError.Code.persistentStoreUnsupportedRequestTypeError.rawValue, 134091)
    use(
      "error-code-deprecated|CocoaError.Code|persistentStoreIncompatibleVersionHashError",
      CocoaError.Code.persistentStoreIncompatibleVersionHashError.rawValue, 134100)
    use("error-code-deprecated|CocoaError.Code|migrationError", CocoaError.Code.migrationError.rawValue, 134110)
    use(
      "error-code-deprecated|CocoaError.Code|migrationCancelledError", CocoaError.Code.migrationCancelledError.rawValue,
      134120)
    use(
      "error-code-deprecated|CocoaError.Code|migrationMissingSourceModelError",
      CocoaError.Code.migrationMissingSourceModelError.rawValue, 134130)
    use(
      "error-code-deprecated|CocoaError.Code|migrationMissingMappingModelError",
      CocoaError.Code.migrationMissingMappingModelError.rawValue, 134140)
    use(
      "error-code-deprecated|CocoaError.Code|migrationManagerSourceStoreError",
      CocoaError.Code.migrationManagerSourceStoreError.rawValue, 134150)
    use(
      "error-code-deprecated|CocoaError.Code|migrationManagerDestinationStoreError",
      CocoaError.Code.migrationManagerDestinationStoreError.rawValue, 134160)
    use(
      "error-code-deprecated|CocoaError.Code|entityMigrationPolicyError",
      CocoaError.Code.entityMigrationPolicyError.rawValue, 134170)
    use("error-code-deprecated|CocoaError.Code|sqliteError", CocoaError.Code.sqliteError.rawValue, 134180)
    use(
      "error-code-deprecated|CocoaError.Code|inferredMappingModelError",
      CocoaError.Code.inferredMappingModelError.rawValue, 134190)
    use(
      "error-code-deprecated|CocoaError.Code|externalRecordImportError",
      CocoaError.Code.externalRecordImportError.rawValue, 134200)
    use(
      "error-code-deprecated|CocoaError|managedObjectValidationError", CocoaError.managedObjectValidationError.rawValue,
      1550)
    use(
      "error-code-deprecated|CocoaError|validationMultipleErrorsError",
      CocoaError.validationMultipleErrorsError.rawValue, 1560)
    use(
      "error-code-deprecated|CocoaError|validationMissingMandatoryPropertyError",
      CocoaError.validationMissingMandatoryPropertyError.rawValue, 1570)
    use(
      "error-code-deprecated|CocoaError|validationRelationshipLacksMinimumCountError",
      CocoaError.validationRelationshipLacksMinimumCountError.rawValue, 1580)
    use(
      "error-code-deprecated|CocoaError|validationRelationshipExceedsMaximumCountError",
      CocoaError.validationRelationshipExceedsMaximumCountError.rawValue, 1590)
    use(
      "error-code-deprecated|CocoaError|validationRelationshipDeniedDeleteError",
      CocoaError.validationRelationshipDeniedDeleteError.rawValue, 1600)
    use(
      "error-code-deprecated|CocoaError|validationNumberTooLargeError",
      CocoaError.validationNumberTooLargeError.rawValue, 1610)
    use(
      "error-code-deprecated|CocoaError|validationNumberTooSmallError",
      CocoaError.validationNumberTooSmallError.rawValue, 1620)
    use(
      "error-code-deprecated|CocoaError|validationDateTooLateError", CocoaError.validationDateTooLateError.rawValue,
      1630)
    use(
      "error-code-deprecated|CocoaError|validationDateTooSoonError", CocoaError.validationDateTooSoonError.rawValue,
      1640)
    use(
      "error-code-deprecated|CocoaError|validationInvalidDateError", CocoaError.validationInvalidDateError.rawValue,
      1650)
    use(
      "error-code-deprecated|CocoaError|validationStringTooLongError", CocoaError.validationStringTooLongError.rawValue,
      1660)
    use(
      "error-code-deprecated|CocoaError|validationStringTooShortError",
      CocoaError.validationStringTooShortError.rawValue, 1670)
    use(
      "error-code-deprecated|CocoaError|validationStringPatternMatchingError",
      CocoaError.validationStringPatternMatchingError.rawValue, 1680)
    use(
      "error-code-deprecated|CocoaError|managedObjectContextLockingError",
      CocoaError.managedObjectContextLockingError.rawValue, 132000)
    use(
      "error-code-deprecated|CocoaError|persistentStoreCoordinatorLockingError",
      CocoaError.persistentStoreCoordinatorLockingError.rawValue, 132010)
    use(
      "error-code-deprecated|CocoaError|managedObjectReferentialIntegrityError",
      CocoaError.managedObjectReferentialIntegrityError.rawValue, 133000)
    use(
      "error-code-deprecated|CocoaError|managedObjectExternalRelationshipError",
      CocoaError.managedObjectExternalRelationshipError.rawValue, 133010)
    use("error-code-deprecated|CocoaError|managedObjectMergeError", CocoaError.managedObjectMergeError.rawValue, 133020)
    use(
      "error-code-deprecated|CocoaError|managedObjectConstraintMergeError",
      CocoaError.managedObjectConstraintMergeError.rawValue, 133021)
    use(
      "error-code-deprecated|CocoaError|persistentStoreInvalidTypeError",
      CocoaError.persistentStoreInvalidTypeError.rawValue, 134000)
    use(
      "error-code-deprecated|CocoaError|persistentStoreTypeMismatchError",
      CocoaError.persistentStoreTypeMismatchError.rawValue, 134010)
    use(
      "error-code-deprecated|CocoaError|persistentStoreIncompatibleSchemaError",
      CocoaError.persistentStoreIncompatibleSchemaError.rawValue, 134020)
    use(
      "error-code-deprecated|CocoaError|persistentStoreSaveError", CocoaError.persistentStoreSaveError.rawValue, 134030)
    use(
      "error-code-deprecated|CocoaError|persistentStoreIncompleteSaveError",
      CocoaError.persistentStoreIncompleteSaveError.rawValue, 134040)
    use(
      "error-code-deprecated|CocoaError|persistentStoreSaveConflictsError",
      CocoaError.persistentStoreSaveConflictsError.rawValue, 134050)
    use("error-code-deprecated|CocoaError|coreDataError", CocoaError.coreDataError.rawValue, 134060)
    use(
      "error-code-deprecated|CocoaError|persistentStoreOperationError",
      CocoaError.persistentStoreOperationError.rawValue, 134070)
    use(
      "error-code-deprecated|CocoaError|persistentStoreOpenError", CocoaError.persistentStoreOpenError.rawValue, 134080)
    use(
      "error-code-deprecated|CocoaError|persistentStoreTimeoutError", CocoaError.persistentStoreTimeoutError.rawValue,
      134090)
    use(
      "error-code-deprecated|CocoaError|persistentStoreUnsupportedRequestTypeError",
      CocoaError.persistentStoreUnsupportedRequestTypeError.rawValue, 134091)
    use(
      "error-code-deprecated|CocoaError|persistentStoreIncompatibleVersionHashError",
      CocoaError.persistentStoreIncompatibleVersionHashError.rawValue, 134100)
    use("error-code-deprecated|CocoaError|migrationError", CocoaError.migrationError.rawValue, 134110)
    use("error-code-deprecated|CocoaError|migrationCancelledError", CocoaError.migrationCancelledError.rawValue, 134120)
    use(
      "error-code-deprecated|CocoaError|migrationMissingSourceModelError",
      CocoaError.migrationMissingSourceModelError.rawValue, 134130)
    use(
      "error-code-deprecated|CocoaError|migrationMissingMappingModelError",
      CocoaError.migrationMissingMappingModelError.rawValue, 134140)
    use(
      "error-code-deprecated|CocoaError|migrationManagerSourceStoreError",
      CocoaError.migrationManagerSourceStoreError.rawValue, 134150)
    use(
      "error-code-deprecated|CocoaError|migrationManagerDestinationStoreError",
      CocoaError.migrationManagerDestinationStoreError.rawValue, 134160)
    use(
      "error-code-deprecated|CocoaError|entityMigrationPolicyError", CocoaError.entityMigrationPolicyError.rawValue,
      134170)
    use("error-code-deprecated|CocoaError|sqliteError", CocoaError.sqliteError.rawValue, 134180)
    use(
      "error-code-deprecated|CocoaError|inferredMappingModelError", CocoaError.inferredMappingModelError.rawValue,
      134190)
    use(
      "error-code-deprecated|CocoaError|externalRecordImportError", CocoaError.externalRecordImportError.rawValue,
      134200)
  }

  /// The compiler rejects these and suggests the new name, except where nothing is ever called.
  @available(*, unavailable)
  func unavailable() {
    use(
      "error-code-unavailable|CocoaError|ManagedObjectValidationError",
      CocoaError.ManagedObjectValidationError.rawValue, 1550)
    use(
      "error-code-unavailable|CocoaError|ValidationMultipleErrorsError",
      CocoaError.ValidationMultipleErrorsError.rawValue, 1560)
    use(
      "error-code-unavailable|CocoaError|ValidationMissingMandatoryPropertyError",
      CocoaError.ValidationMissingMandatoryPropertyError.rawValue, 1570)
    use(
      "error-code-unavailable|CocoaError|ValidationRelationshipLacksMinimumCountError",
      CocoaError.ValidationRelationshipLacksMinimumCountError.rawValue, 1580)
    use(
      "error-code-unavailable|CocoaError|ValidationRelationshipExceedsMaximumCountError",
      CocoaError.ValidationRelationshipExceedsMaximumCountError.rawValue, 1590)
    use(
      "error-code-unavailable|CocoaError|ValidationRelationshipDeniedDeleteError",
      CocoaError.ValidationRelationshipDeniedDeleteError.rawValue, 1600)
    use(
      "error-code-unavailable|CocoaError|ValidationNumberTooLargeError",
      CocoaError.ValidationNumberTooLargeError.rawValue, 1610)
    use(
      "error-code-unavailable|CocoaError|ValidationNumberTooSmallError",
      CocoaError.ValidationNumberTooSmallError.rawValue, 1620)
    use(
      "error-code-unavailable|CocoaError|ValidationDateTooLateError", CocoaError.ValidationDateTooLateError.rawValue,
      1630)
    use(
      "error-code-unavailable|CocoaError|ValidationDateTooSoonError", CocoaError.ValidationDateTooSoonError.rawValue,
      1640)
    use(
      "error-code-unavailable|CocoaError|ValidationInvalidDateError", CocoaError.ValidationInvalidDateError.rawValue,
      1650)
    use(
      "error-code-unavailable|CocoaError|ValidationStringTooLongError",
      CocoaError.ValidationStringTooLongError.rawValue, 1660)
    use(
      "error-code-unavailable|CocoaError|ValidationStringTooShortError",
      CocoaError.ValidationStringTooShortError.rawValue, 1670)
    use(
      "error-code-unavailable|CocoaError|ValidationStringPatternMatchingError",
      CocoaError.ValidationStringPatternMatchingError.rawValue, 1680)
    use(
      "error-code-unavailable|CocoaError|ManagedObjectContextLockingError",
      CocoaError.ManagedObjectContextLockingError.rawValue, 132000)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreCoordinatorLockingError",
      CocoaError.PersistentStoreCoordinatorLockingError.rawValue, 132010)
    use(
      "error-code-unavailable|CocoaError|ManagedObjectReferentialIntegrityError",
      CocoaError.ManagedObjectReferentialIntegrityError.rawValue, 133000)
    use(
      "error-code-unavailable|CocoaError|ManagedObjectExternalRelationshipError",
      CocoaError.ManagedObjectExternalRelationshipError.rawValue, 133010)
    use(
      "error-code-unavailable|CocoaError|ManagedObjectMergeError", CocoaError.ManagedObjectMergeError.rawValue, 133020)
    use(
      "error-code-unavailable|CocoaError|ManagedObjectConstraintMergeError",
      CocoaError.ManagedObjectConstraintMergeError.rawValue, 133021)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreInvalidTypeError",
      CocoaError.PersistentStoreInvalidTypeError.rawValue, 134000)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreTypeMismatchError",
      CocoaError.PersistentStoreTypeMismatchError.rawValue, 134010)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreIncompatibleSchemaError",
      CocoaError.PersistentStoreIncompatibleSchemaError.rawValue, 134020)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreSaveError", CocoaError.PersistentStoreSaveError.rawValue, 134030
    )
    use(
      "error-code-unavailable|CocoaError|PersistentStoreIncompleteSaveError",
      CocoaError.PersistentStoreIncompleteSaveError.rawValue, 134040)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreSaveConflictsError",
      CocoaError.PersistentStoreSaveConflictsError.rawValue, 134050)
    use("error-code-unavailable|CocoaError|CoreDataError", CocoaError.CoreDataError.rawValue, 134060)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreOperationError",
      CocoaError.PersistentStoreOperationError.rawValue, 134070)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreOpenError", CocoaError.PersistentStoreOpenError.rawValue, 134080
    )
    use(
      "error-code-unavailable|CocoaError|PersistentStoreTimeoutError", CocoaError.PersistentStoreTimeoutError.rawValue,
      134090)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreUnsupportedRequestTypeError",
      CocoaError.PersistentStoreUnsupportedRequestTypeError.rawValue, 134091)
    use(
      "error-code-unavailable|CocoaError|PersistentStoreIncompatibleVersionHashError",
      CocoaError.PersistentStoreIncompatibleVersionHashError.rawValue, 134100)
    use("error-code-unavailable|CocoaError|MigrationError", CocoaError.MigrationError.rawValue, 134110)
    use(
      "error-code-unavailable|CocoaError|MigrationCancelledError", CocoaError.MigrationCancelledError.rawValue, 134120)
    use(
      "error-code-unavailable|CocoaError|MigrationMissingSourceModelError",
      CocoaError.MigrationMissingSourceModelError.rawValue, 134130)
    use(
      "error-code-unavailable|CocoaError|MigrationMissingMappingModelError",
      CocoaError.MigrationMissingMappingModelError.rawValue, 134140)
    use(
      "error-code-unavailable|CocoaError|MigrationManagerSourceStoreError",
      CocoaError.MigrationManagerSourceStoreError.rawValue, 134150)
    use(
      "error-code-unavailable|CocoaError|MigrationManagerDestinationStoreError",
      CocoaError.MigrationManagerDestinationStoreError.rawValue, 134160)
    use(
      "error-code-unavailable|CocoaError|EntityMigrationPolicyError", CocoaError.EntityMigrationPolicyError.rawValue,
      134170)
    use("error-code-unavailable|CocoaError|SQLiteError", CocoaError.SQLiteError.rawValue, 134180)
    use(
      "error-code-unavailable|CocoaError|InferredMappingModelError", CocoaError.InferredMappingModelError.rawValue,
      134190)
    use(
      "error-code-unavailable|CocoaError|ExternalRecordImportError", CocoaError.ExternalRecordImportError.rawValue,
      134200)
  }
}
