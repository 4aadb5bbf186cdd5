import Foundation

// The names from before Swift 3 and from its first versions, which recent code still uses. The compiler offers the new names.

extension CocoaError.Code {
  /// The former name of `managedObjectValidation`.
  @available(*, deprecated, renamed: "managedObjectValidation")
  public static var managedObjectValidationError: CocoaError.Code { .managedObjectValidation }
  /// The former name of `validationMultipleErrors`.
  @available(*, deprecated, renamed: "validationMultipleErrors")
  public static var validationMultipleErrorsError: CocoaError.Code { .validationMultipleErrors }
  /// The former name of `validationMissingMandatoryProperty`.
  @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
  public static var validationMissingMandatoryPropertyError: CocoaError.Code { .validationMissingMandatoryProperty }
  /// The former name of `validationRelationshipLacksMinimumCount`.
  @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
  public static var validationRelationshipLacksMinimumCountError: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The former name of `validationRelationshipExceedsMaximumCount`.
  @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
  public static var validationRelationshipExceedsMaximumCountError: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The former name of `validationRelationshipDeniedDelete`.
  @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
  public static var validationRelationshipDeniedDeleteError: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// The former name of `validationNumberTooLarge`.
  @available(*, deprecated, renamed: "validationNumberTooLarge")
  public static var validationNumberTooLargeError: CocoaError.Code { .validationNumberTooLarge }
  /// The former name of `validationNumberTooSmall`.
  @available(*, deprecated, renamed: "validationNumberTooSmall")
  public static var validationNumberTooSmallError: CocoaError.Code { .validationNumberTooSmall }
  /// The former name of `validationDateTooLate`.
  @available(*, deprecated, renamed: "validationDateTooLate")
  public static var validationDateTooLateError: CocoaError.Code { .validationDateTooLate }
  /// The former name of `validationDateTooSoon`.
  @available(*, deprecated, renamed: "validationDateTooSoon")
  public static var validationDateTooSoonError: CocoaError.Code { .validationDateTooSoon }
  /// The former name of `validationInvalidDate`.
  @available(*, deprecated, renamed: "validationInvalidDate")
  public static var validationInvalidDateError: CocoaError.Code { .validationInvalidDate }
  /// The former name of `validationStringTooLong`.
  @available(*, deprecated, renamed: "validationStringTooLong")
  public static var validationStringTooLongError: CocoaError.Code { .validationStringTooLong }
  /// The former name of `validationStringTooShort`.
  @available(*, deprecated, renamed: "validationStringTooShort")
  public static var validationStringTooShortError: CocoaError.Code { .validationStringTooShort }
  /// The former name of `validationStringPatternMatching`.
  @available(*, deprecated, renamed: "validationStringPatternMatching")
  public static var validationStringPatternMatchingError: CocoaError.Code { .validationStringPatternMatching }
  /// The former name of `managedObjectContextLocking`.
  @available(*, deprecated, renamed: "managedObjectContextLocking")
  public static var managedObjectContextLockingError: CocoaError.Code { .managedObjectContextLocking }
  /// The former name of `persistentStoreCoordinatorLocking`.
  @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
  public static var persistentStoreCoordinatorLockingError: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// The former name of `managedObjectReferentialIntegrity`.
  @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
  public static var managedObjectReferentialIntegrityError: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// The former name of `managedObjectExternalRelationship`.
  @available(*, deprecated, renamed: "managedObjectExternalRelationship")
  public static var managedObjectExternalRelationshipError: CocoaError.Code { .managedObjectExternalRelationship }
  /// The former name of `managedObjectMerge`.
  @available(*, deprecated, renamed: "managedObjectMerge")
  public static var managedObjectMergeError: CocoaError.Code { .managedObjectMerge }
  /// The former name of `managedObjectConstraintMerge`.
  @available(*, deprecated, renamed: "managedObjectConstraintMerge")
  public static var managedObjectConstraintMergeError: CocoaError.Code { .managedObjectConstraintMerge }
  /// The former name of `persistentStoreInvalidType`.
  @available(*, deprecated, renamed: "persistentStoreInvalidType")
  public static var persistentStoreInvalidTypeError: CocoaError.Code { .persistentStoreInvalidType }
  /// The former name of `persistentStoreTypeMismatch`.
  @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
  public static var persistentStoreTypeMismatchError: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The former name of `persistentStoreIncompatibleSchema`.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
  public static var persistentStoreIncompatibleSchemaError: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// The former name of `persistentStoreSave`.
  @available(*, deprecated, renamed: "persistentStoreSave")
  public static var persistentStoreSaveError: CocoaError.Code { .persistentStoreSave }
  /// The former name of `persistentStoreIncompleteSave`.
  @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
  public static var persistentStoreIncompleteSaveError: CocoaError.Code { .persistentStoreIncompleteSave }
  /// The former name of `persistentStoreSaveConflicts`.
  @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
  public static var persistentStoreSaveConflictsError: CocoaError.Code { .persistentStoreSaveConflicts }
  /// The former name of `coreData`.
  @available(*, deprecated, renamed: "coreData")
  public static var coreDataError: CocoaError.Code { .coreData }
  /// The former name of `persistentStoreOperation`.
  @available(*, deprecated, renamed: "persistentStoreOperation")
  public static var persistentStoreOperationError: CocoaError.Code { .persistentStoreOperation }
  /// The former name of `persistentStoreOpen`.
  @available(*, deprecated, renamed: "persistentStoreOpen")
  public static var persistentStoreOpenError: CocoaError.Code { .persistentStoreOpen }
  /// The former name of `persistentStoreTimeout`.
  @available(*, deprecated, renamed: "persistentStoreTimeout")
  public static var persistentStoreTimeoutError: CocoaError.Code { .persistentStoreTimeout }
  /// The former name of `persistentStoreUnsupportedRequestType`.
  @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
  public static var persistentStoreUnsupportedRequestTypeError: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The former name of `persistentStoreIncompatibleVersionHash`.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
  public static var persistentStoreIncompatibleVersionHashError: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The former name of `migration`.
  @available(*, deprecated, renamed: "migration")
  public static var migrationError: CocoaError.Code { .migration }
  /// The former name of `migrationCancelled`.
  @available(*, deprecated, renamed: "migrationCancelled")
  public static var migrationCancelledError: CocoaError.Code { .migrationCancelled }
  /// The former name of `migrationMissingSourceModel`.
  @available(*, deprecated, renamed: "migrationMissingSourceModel")
  public static var migrationMissingSourceModelError: CocoaError.Code { .migrationMissingSourceModel }
  /// The former name of `migrationMissingMappingModel`.
  @available(*, deprecated, renamed: "migrationMissingMappingModel")
  public static var migrationMissingMappingModelError: CocoaError.Code { .migrationMissingMappingModel }
  /// The former name of `migrationManagerSourceStore`.
  @available(*, deprecated, renamed: "migrationManagerSourceStore")
  public static var migrationManagerSourceStoreError: CocoaError.Code { .migrationManagerSourceStore }
  /// The former name of `migrationManagerDestinationStore`.
  @available(*, deprecated, renamed: "migrationManagerDestinationStore")
  public static var migrationManagerDestinationStoreError: CocoaError.Code { .migrationManagerDestinationStore }
  /// The former name of `entityMigrationPolicy`.
  @available(*, deprecated, renamed: "entityMigrationPolicy")
  public static var entityMigrationPolicyError: CocoaError.Code { .entityMigrationPolicy }
  /// The former name of `sqlite`.
  @available(*, deprecated, renamed: "sqlite")
  public static var sqliteError: CocoaError.Code { .sqlite }
  /// The former name of `inferredMappingModel`.
  @available(*, deprecated, renamed: "inferredMappingModel")
  public static var inferredMappingModelError: CocoaError.Code { .inferredMappingModel }
  /// The former name of `externalRecordImport`.
  @available(*, deprecated, renamed: "externalRecordImport")
  public static var externalRecordImportError: CocoaError.Code { .externalRecordImport }
}

extension CocoaError {
  /// The former name of `managedObjectValidation`.
  @available(*, deprecated, renamed: "managedObjectValidation")
  public static var managedObjectValidationError: CocoaError.Code { .managedObjectValidation }
  /// The former name of `validationMultipleErrors`.
  @available(*, deprecated, renamed: "validationMultipleErrors")
  public static var validationMultipleErrorsError: CocoaError.Code { .validationMultipleErrors }
  /// The former name of `validationMissingMandatoryProperty`.
  @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
  public static var validationMissingMandatoryPropertyError: CocoaError.Code { .validationMissingMandatoryProperty }
  /// The former name of `validationRelationshipLacksMinimumCount`.
  @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
  public static var validationRelationshipLacksMinimumCountError: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The former name of `validationRelationshipExceedsMaximumCount`.
  @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
  public static var validationRelationshipExceedsMaximumCountError: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The former name of `validationRelationshipDeniedDelete`.
  @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
  public static var validationRelationshipDeniedDeleteError: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// The former name of `validationNumberTooLarge`.
  @available(*, deprecated, renamed: "validationNumberTooLarge")
  public static var validationNumberTooLargeError: CocoaError.Code { .validationNumberTooLarge }
  /// The former name of `validationNumberTooSmall`.
  @available(*, deprecated, renamed: "validationNumberTooSmall")
  public static var validationNumberTooSmallError: CocoaError.Code { .validationNumberTooSmall }
  /// The former name of `validationDateTooLate`.
  @available(*, deprecated, renamed: "validationDateTooLate")
  public static var validationDateTooLateError: CocoaError.Code { .validationDateTooLate }
  /// The former name of `validationDateTooSoon`.
  @available(*, deprecated, renamed: "validationDateTooSoon")
  public static var validationDateTooSoonError: CocoaError.Code { .validationDateTooSoon }
  /// The former name of `validationInvalidDate`.
  @available(*, deprecated, renamed: "validationInvalidDate")
  public static var validationInvalidDateError: CocoaError.Code { .validationInvalidDate }
  /// The former name of `validationStringTooLong`.
  @available(*, deprecated, renamed: "validationStringTooLong")
  public static var validationStringTooLongError: CocoaError.Code { .validationStringTooLong }
  /// The former name of `validationStringTooShort`.
  @available(*, deprecated, renamed: "validationStringTooShort")
  public static var validationStringTooShortError: CocoaError.Code { .validationStringTooShort }
  /// The former name of `validationStringPatternMatching`.
  @available(*, deprecated, renamed: "validationStringPatternMatching")
  public static var validationStringPatternMatchingError: CocoaError.Code { .validationStringPatternMatching }
  /// The former name of `managedObjectContextLocking`.
  @available(*, deprecated, renamed: "managedObjectContextLocking")
  public static var managedObjectContextLockingError: CocoaError.Code { .managedObjectContextLocking }
  /// The former name of `persistentStoreCoordinatorLocking`.
  @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
  public static var persistentStoreCoordinatorLockingError: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// The former name of `managedObjectReferentialIntegrity`.
  @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
  public static var managedObjectReferentialIntegrityError: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// The former name of `managedObjectExternalRelationship`.
  @available(*, deprecated, renamed: "managedObjectExternalRelationship")
  public static var managedObjectExternalRelationshipError: CocoaError.Code { .managedObjectExternalRelationship }
  /// The former name of `managedObjectMerge`.
  @available(*, deprecated, renamed: "managedObjectMerge")
  public static var managedObjectMergeError: CocoaError.Code { .managedObjectMerge }
  /// The former name of `managedObjectConstraintMerge`.
  @available(*, deprecated, renamed: "managedObjectConstraintMerge")
  public static var managedObjectConstraintMergeError: CocoaError.Code { .managedObjectConstraintMerge }
  /// The former name of `persistentStoreInvalidType`.
  @available(*, deprecated, renamed: "persistentStoreInvalidType")
  public static var persistentStoreInvalidTypeError: CocoaError.Code { .persistentStoreInvalidType }
  /// The former name of `persistentStoreTypeMismatch`.
  @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
  public static var persistentStoreTypeMismatchError: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The former name of `persistentStoreIncompatibleSchema`.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
  public static var persistentStoreIncompatibleSchemaError: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// The former name of `persistentStoreSave`.
  @available(*, deprecated, renamed: "persistentStoreSave")
  public static var persistentStoreSaveError: CocoaError.Code { .persistentStoreSave }
  /// The former name of `persistentStoreIncompleteSave`.
  @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
  public static var persistentStoreIncompleteSaveError: CocoaError.Code { .persistentStoreIncompleteSave }
  /// The former name of `persistentStoreSaveConflicts`.
  @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
  public static var persistentStoreSaveConflictsError: CocoaError.Code { .persistentStoreSaveConflicts }
  /// The former name of `coreData`.
  @available(*, deprecated, renamed: "coreData")
  public static var coreDataError: CocoaError.Code { .coreData }
  /// The former name of `persistentStoreOperation`.
  @available(*, deprecated, renamed: "persistentStoreOperation")
  public static var persistentStoreOperationError: CocoaError.Code { .persistentStoreOperation }
  /// The former name of `persistentStoreOpen`.
  @available(*, deprecated, renamed: "persistentStoreOpen")
  public static var persistentStoreOpenError: CocoaError.Code { .persistentStoreOpen }
  /// The former name of `persistentStoreTimeout`.
  @available(*, deprecated, renamed: "persistentStoreTimeout")
  public static var persistentStoreTimeoutError: CocoaError.Code { .persistentStoreTimeout }
  /// The former name of `persistentStoreUnsupportedRequestType`.
  @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
  public static var persistentStoreUnsupportedRequestTypeError: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The former name of `persistentStoreIncompatibleVersionHash`.
  @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
  public static var persistentStoreIncompatibleVersionHashError: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The former name of `migration`.
  @available(*, deprecated, renamed: "migration")
  public static var migrationError: CocoaError.Code { .migration }
  /// The former name of `migrationCancelled`.
  @available(*, deprecated, renamed: "migrationCancelled")
  public static var migrationCancelledError: CocoaError.Code { .migrationCancelled }
  /// The former name of `migrationMissingSourceModel`.
  @available(*, deprecated, renamed: "migrationMissingSourceModel")
  public static var migrationMissingSourceModelError: CocoaError.Code { .migrationMissingSourceModel }
  /// The former name of `migrationMissingMappingModel`.
  @available(*, deprecated, renamed: "migrationMissingMappingModel")
  public static var migrationMissingMappingModelError: CocoaError.Code { .migrationMissingMappingModel }
  /// The former name of `migrationManagerSourceStore`.
  @available(*, deprecated, renamed: "migrationManagerSourceStore")
  public static var migrationManagerSourceStoreError: CocoaError.Code { .migrationManagerSourceStore }
  /// The former name of `migrationManagerDestinationStore`.
  @available(*, deprecated, renamed: "migrationManagerDestinationStore")
  public static var migrationManagerDestinationStoreError: CocoaError.Code { .migrationManagerDestinationStore }
  /// The former name of `entityMigrationPolicy`.
  @available(*, deprecated, renamed: "entityMigrationPolicy")
  public static var entityMigrationPolicyError: CocoaError.Code { .entityMigrationPolicy }
  /// The former name of `sqlite`.
  @available(*, deprecated, renamed: "sqlite")
  public static var sqliteError: CocoaError.Code { .sqlite }
  /// The former name of `inferredMappingModel`.
  @available(*, deprecated, renamed: "inferredMappingModel")
  public static var inferredMappingModelError: CocoaError.Code { .inferredMappingModel }
  /// The former name of `externalRecordImport`.
  @available(*, deprecated, renamed: "externalRecordImport")
  public static var externalRecordImportError: CocoaError.Code { .externalRecordImport }
}

extension CocoaError {
  /// The former name of `managedObjectValidation`.
  @available(*, unavailable, renamed: "managedObjectValidation")
  public static var ManagedObjectValidationError: CocoaError.Code { .managedObjectValidation }
  /// The former name of `validationMultipleErrors`.
  @available(*, unavailable, renamed: "validationMultipleErrors")
  public static var ValidationMultipleErrorsError: CocoaError.Code { .validationMultipleErrors }
  /// The former name of `validationMissingMandatoryProperty`.
  @available(*, unavailable, renamed: "validationMissingMandatoryProperty")
  public static var ValidationMissingMandatoryPropertyError: CocoaError.Code { .validationMissingMandatoryProperty }
  /// The former name of `validationRelationshipLacksMinimumCount`.
  @available(*, unavailable, renamed: "validationRelationshipLacksMinimumCount")
  public static var ValidationRelationshipLacksMinimumCountError: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The former name of `validationRelationshipExceedsMaximumCount`.
  @available(*, unavailable, renamed: "validationRelationshipExceedsMaximumCount")
  public static var ValidationRelationshipExceedsMaximumCountError: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The former name of `validationRelationshipDeniedDelete`.
  @available(*, unavailable, renamed: "validationRelationshipDeniedDelete")
  public static var ValidationRelationshipDeniedDeleteError: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// The former name of `validationNumberTooLarge`.
  @available(*, unavailable, renamed: "validationNumberTooLarge")
  public static var ValidationNumberTooLargeError: CocoaError.Code { .validationNumberTooLarge }
  /// The former name of `validationNumberTooSmall`.
  @available(*, unavailable, renamed: "validationNumberTooSmall")
  public static var ValidationNumberTooSmallError: CocoaError.Code { .validationNumberTooSmall }
  /// The former name of `validationDateTooLate`.
  @available(*, unavailable, renamed: "validationDateTooLate")
  public static var ValidationDateTooLateError: CocoaError.Code { .validationDateTooLate }
  /// The former name of `validationDateTooSoon`.
  @available(*, unavailable, renamed: "validationDateTooSoon")
  public static var ValidationDateTooSoonError: CocoaError.Code { .validationDateTooSoon }
  /// The former name of `validationInvalidDate`.
  @available(*, unavailable, renamed: "validationInvalidDate")
  public static var ValidationInvalidDateError: CocoaError.Code { .validationInvalidDate }
  /// The former name of `validationStringTooLong`.
  @available(*, unavailable, renamed: "validationStringTooLong")
  public static var ValidationStringTooLongError: CocoaError.Code { .validationStringTooLong }
  /// The former name of `validationStringTooShort`.
  @available(*, unavailable, renamed: "validationStringTooShort")
  public static var ValidationStringTooShortError: CocoaError.Code { .validationStringTooShort }
  /// The former name of `validationStringPatternMatching`.
  @available(*, unavailable, renamed: "validationStringPatternMatching")
  public static var ValidationStringPatternMatchingError: CocoaError.Code { .validationStringPatternMatching }
  /// The former name of `managedObjectContextLocking`.
  @available(*, unavailable, renamed: "managedObjectContextLocking")
  public static var ManagedObjectContextLockingError: CocoaError.Code { .managedObjectContextLocking }
  /// The former name of `persistentStoreCoordinatorLocking`.
  @available(*, unavailable, renamed: "persistentStoreCoordinatorLocking")
  public static var PersistentStoreCoordinatorLockingError: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// The former name of `managedObjectReferentialIntegrity`.
  @available(*, unavailable, renamed: "managedObjectReferentialIntegrity")
  public static var ManagedObjectReferentialIntegrityError: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// The former name of `managedObjectExternalRelationship`.
  @available(*, unavailable, renamed: "managedObjectExternalRelationship")
  public static var ManagedObjectExternalRelationshipError: CocoaError.Code { .managedObjectExternalRelationship }
  /// The former name of `managedObjectMerge`.
  @available(*, unavailable, renamed: "managedObjectMerge")
  public static var ManagedObjectMergeError: CocoaError.Code { .managedObjectMerge }
  /// The former name of `managedObjectConstraintMerge`.
  @available(*, unavailable, renamed: "managedObjectConstraintMerge")
  public static var ManagedObjectConstraintMergeError: CocoaError.Code { .managedObjectConstraintMerge }
  /// The former name of `persistentStoreInvalidType`.
  @available(*, unavailable, renamed: "persistentStoreInvalidType")
  public static var PersistentStoreInvalidTypeError: CocoaError.Code { .persistentStoreInvalidType }
  /// The former name of `persistentStoreTypeMismatch`.
  @available(*, unavailable, renamed: "persistentStoreTypeMismatch")
  public static var PersistentStoreTypeMismatchError: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The former name of `persistentStoreIncompatibleSchema`.
  @available(*, unavailable, renamed: "persistentStoreIncompatibleSchema")
  public static var PersistentStoreIncompatibleSchemaError: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// The former name of `persistentStoreSave`.
  @available(*, unavailable, renamed: "persistentStoreSave")
  public static var PersistentStoreSaveError: CocoaError.Code { .persistentStoreSave }
  /// The former name of `persistentStoreIncompleteSave`.
  @available(*, unavailable, renamed: "persistentStoreIncompleteSave")
  public static var PersistentStoreIncompleteSaveError: CocoaError.Code { .persistentStoreIncompleteSave }
  /// The former name of `persistentStoreSaveConflicts`.
  @available(*, unavailable, renamed: "persistentStoreSaveConflicts")
  public static var PersistentStoreSaveConflictsError: CocoaError.Code { .persistentStoreSaveConflicts }
  /// The former name of `coreData`.
  @available(*, unavailable, renamed: "coreData")
  public static var CoreDataError: CocoaError.Code { .coreData }
  /// The former name of `persistentStoreOperation`.
  @available(*, unavailable, renamed: "persistentStoreOperation")
  public static var PersistentStoreOperationError: CocoaError.Code { .persistentStoreOperation }
  /// The former name of `persistentStoreOpen`.
  @available(*, unavailable, renamed: "persistentStoreOpen")
  public static var PersistentStoreOpenError: CocoaError.Code { .persistentStoreOpen }
  /// The former name of `persistentStoreTimeout`.
  @available(*, unavailable, renamed: "persistentStoreTimeout")
  public static var PersistentStoreTimeoutError: CocoaError.Code { .persistentStoreTimeout }
  /// The former name of `persistentStoreUnsupportedRequestType`.
  @available(*, unavailable, renamed: "persistentStoreUnsupportedRequestType")
  public static var PersistentStoreUnsupportedRequestTypeError: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The former name of `persistentStoreIncompatibleVersionHash`.
  @available(*, unavailable, renamed: "persistentStoreIncompatibleVersionHash")
  public static var PersistentStoreIncompatibleVersionHashError: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The former name of `migration`.
  @available(*, unavailable, renamed: "migration")
  public static var MigrationError: CocoaError.Code { .migration }
  /// The former name of `migrationCancelled`.
  @available(*, unavailable, renamed: "migrationCancelled")
  public static var MigrationCancelledError: CocoaError.Code { .migrationCancelled }
  /// The former name of `migrationMissingSourceModel`.
  @available(*, unavailable, renamed: "migrationMissingSourceModel")
  public static var MigrationMissingSourceModelError: CocoaError.Code { .migrationMissingSourceModel }
  /// The former name of `migrationMissingMappingModel`.
  @available(*, unavailable, renamed: "migrationMissingMappingModel")
  public static var MigrationMissingMappingModelError: CocoaError.Code { .migrationMissingMappingModel }
  /// The former name of `migrationManagerSourceStore`.
  @available(*, unavailable, renamed: "migrationManagerSourceStore")
  public static var MigrationManagerSourceStoreError: CocoaError.Code { .migrationManagerSourceStore }
  /// The former name of `migrationManagerDestinationStore`.
  @available(*, unavailable, renamed: "migrationManagerDestinationStore")
  public static var MigrationManagerDestinationStoreError: CocoaError.Code { .migrationManagerDestinationStore }
  /// The former name of `entityMigrationPolicy`.
  @available(*, unavailable, renamed: "entityMigrationPolicy")
  public static var EntityMigrationPolicyError: CocoaError.Code { .entityMigrationPolicy }
  /// The former name of `sqlite`.
  @available(*, unavailable, renamed: "sqlite")
  public static var SQLiteError: CocoaError.Code { .sqlite }
  /// The former name of `inferredMappingModel`.
  @available(*, unavailable, renamed: "inferredMappingModel")
  public static var InferredMappingModelError: CocoaError.Code { .inferredMappingModel }
  /// The former name of `externalRecordImport`.
  @available(*, unavailable, renamed: "externalRecordImport")
  public static var ExternalRecordImportError: CocoaError.Code { .externalRecordImport }
}
