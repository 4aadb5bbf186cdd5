import CoreData
import Foundation
import Testing

/// All symbols of errors.
@Suite struct CocoaErrorAPI {
  @Test func isThere() {
    use("error-code|CocoaError|managedObjectValidation", CocoaError.managedObjectValidation.rawValue, 1550)
    use("error-code|CocoaError|validationMultipleErrors", CocoaError.validationMultipleErrors.rawValue, 1560)
    use(
      "error-code|CocoaError|validationMissingMandatoryProperty",
      CocoaError.validationMissingMandatoryProperty.rawValue, 1570)
    use(
      "error-code|CocoaError|validationRelationshipLacksMinimumCount",
      CocoaError.validationRelationshipLacksMinimumCount.rawValue, 1580)
    use(
      "error-code|CocoaError|validationRelationshipExceedsMaximumCount",
      CocoaError.validationRelationshipExceedsMaximumCount.rawValue, 1590)
    use(
      "error-code|CocoaError|validationRelationshipDeniedDelete",
      CocoaError.validationRelationshipDeniedDelete.rawValue, 1600)
    use("error-code|CocoaError|validationNumberTooLarge", CocoaError.validationNumberTooLarge.rawValue, 1610)
    use("error-code|CocoaError|validationNumberTooSmall", CocoaError.validationNumberTooSmall.rawValue, 1620)
    use("error-code|CocoaError|validationDateTooLate", CocoaError.validationDateTooLate.rawValue, 1630)
    use("error-code|CocoaError|validationDateTooSoon", CocoaError.validationDateTooSoon.rawValue, 1640)
    use("error-code|CocoaError|validationInvalidDate", CocoaError.validationInvalidDate.rawValue, 1650)
    use("error-code|CocoaError|validationStringTooLong", CocoaError.validationStringTooLong.rawValue, 1660)
    use("error-code|CocoaError|validationStringTooShort", CocoaError.validationStringTooShort.rawValue, 1670)
    use(
      "error-code|CocoaError|validationStringPatternMatching", CocoaError.validationStringPatternMatching.rawValue, 1680
    )
    use("error-code|CocoaError|managedObjectContextLocking", CocoaError.managedObjectContextLocking.rawValue, 132000)
    use(
      "error-code|CocoaError|persistentStoreCoordinatorLocking", CocoaError.persistentStoreCoordinatorLocking.rawValue,
      132010)
    use(
      "error-code|CocoaError|managedObjectReferentialIntegrity", CocoaError.managedObjectReferentialIntegrity.rawValue,
      133000)
    use(
      "error-code|CocoaError|managedObjectExternalRelationship", CocoaError.managedObjectExternalRelationship.rawValue,
      133010)
    use("error-code|CocoaError|managedObjectMerge", CocoaError.managedObjectMerge.rawValue, 133020)
    use("error-code|CocoaError|managedObjectConstraintMerge", CocoaError.managedObjectConstraintMerge.rawValue, 133021)
    use("error-code|CocoaError|persistentStoreInvalidType", CocoaError.persistentStoreInvalidType.rawValue, 134000)
    use("error-code|CocoaError|persistentStoreTypeMismatch", CocoaError.persistentStoreTypeMismatch.rawValue, 134010)
    use(
      "error-code|CocoaError|persistentStoreIncompatibleSchema", CocoaError.persistentStoreIncompatibleSchema.rawValue,
      134020)
    use("error-code|CocoaError|persistentStoreSave", CocoaError.persistentStoreSave.rawValue, 134030)
    use(
      "error-code|CocoaError|persistentStoreIncompleteSave", CocoaError.persistentStoreIncompleteSave.rawValue, 134040)
    use("error-code|CocoaError|persistentStoreSaveConflicts", CocoaError.persistentStoreSaveConflicts.rawValue, 134050)
    use("error-code|CocoaError|coreData", CocoaError.coreData.rawValue, 134060)
    use("error-code|CocoaError|persistentStoreOperation", CocoaError.persistentStoreOperation.rawValue, 134070)
    use("error-code|CocoaError|persistentStoreOpen", CocoaError.persistentStoreOpen.rawValue, 134080)
    use("error-code|CocoaError|persistentStoreTimeout", CocoaError.persistentStoreTimeout.rawValue, 134090)
    use(
      "error-code|CocoaError|persistentStoreUnsupportedRequestType",
      CocoaError.persistentStoreUnsupportedRequestType.rawValue, 134091)
    use(
      "error-code|CocoaError|persistentStoreIncompatibleVersionHash",
      CocoaError.persistentStoreIncompatibleVersionHash.rawValue, 134100)
    use("error-code|CocoaError|migration", CocoaError.migration.rawValue, 134110)
    use("error-code|CocoaError|migrationCancelled", CocoaError.migrationCancelled.rawValue, 134120)
    use("error-code|CocoaError|migrationMissingSourceModel", CocoaError.migrationMissingSourceModel.rawValue, 134130)
    use("error-code|CocoaError|migrationMissingMappingModel", CocoaError.migrationMissingMappingModel.rawValue, 134140)
    use("error-code|CocoaError|migrationManagerSourceStore", CocoaError.migrationManagerSourceStore.rawValue, 134150)
    use(
      "error-code|CocoaError|migrationManagerDestinationStore", CocoaError.migrationManagerDestinationStore.rawValue,
      134160)
    use("error-code|CocoaError|entityMigrationPolicy", CocoaError.entityMigrationPolicy.rawValue, 134170)
    use("error-code|CocoaError|sqlite", CocoaError.sqlite.rawValue, 134180)
    use("error-code|CocoaError|inferredMappingModel", CocoaError.inferredMappingModel.rawValue, 134190)
    use("error-code|CocoaError|externalRecordImport", CocoaError.externalRecordImport.rawValue, 134200)
    use("property|CocoaError|validationObject", \CocoaError.validationObject as KeyPath<CocoaError, Any?>)
    use("property|CocoaError|validationKey", \CocoaError.validationKey as KeyPath<CocoaError, String?>)
    use("property|CocoaError|validationPredicate", \CocoaError.validationPredicate as KeyPath<CocoaError, NSPredicate?>)
    use("property|CocoaError|validationValue", \CocoaError.validationValue as KeyPath<CocoaError, Any?>)
    use("property|CocoaError|affectedStores", \CocoaError.affectedStores as KeyPath<CocoaError, [AnyObject]?>)
    use("property|CocoaError|affectedObjects", \CocoaError.affectedObjects as KeyPath<CocoaError, [AnyObject]?>)
    use(
      "property|CocoaError|persistentStoreSaveConflicts",
      \CocoaError.persistentStoreSaveConflicts as KeyPath<CocoaError, [NSMergeConflict]?>)
  }
}
