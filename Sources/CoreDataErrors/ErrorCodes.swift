/// The error codes of Core Data under their oldest names, with Apple's numbers.
/// See https://developer.apple.com/documentation/coredata/core-data-constants

/// A rule of the model was broken, of no other kind below.
public let NSManagedObjectValidationError = 1550
/// Two objects share the values of a uniqueness constraint.
public let NSManagedObjectConstraintValidationError = 1551
/// Several rules were broken: `NSDetailedErrorsKey` holds an error for each.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship leads to fewer objects than it must.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship leads to more objects than it may.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the rule "deny" still leads somewhere.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is larger than its rule allows.
public let NSValidationNumberTooLargeError = 1610
/// A number is smaller than its rule allows.
public let NSValidationNumberTooSmallError = 1620
/// A date is later than its rule allows.
public let NSValidationDateTooLateError = 1630
/// A date is earlier than its rule allows.
public let NSValidationDateTooSoonError = 1640
/// A date is none.
public let NSValidationInvalidDateError = 1650
/// A text is longer than its rule allows.
public let NSValidationStringTooLongError = 1660
/// A text is shorter than its rule allows.
public let NSValidationStringTooShortError = 1670
/// A text does not fit its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is none.
public let NSValidationInvalidURIError = 1690
/// The lock of a context could not be had.
public let NSManagedObjectContextLockingError = 132000
/// The lock of a coordinator could not be had.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object's row is not in its store.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Somebody else changed what was to be saved.
public let NSManagedObjectMergeError = 133020
/// What was to be saved shares the values of a uniqueness constraint with a row or another object.
public let NSManagedObjectConstraintMergeError = 133021
/// There is no such type of store, or the store is not of it.
public let NSPersistentStoreInvalidTypeError = 134000
/// The store is of another type than it was to be opened as.
public let NSPersistentStoreTypeMismatchError = 134010
/// The store's schema does not hold what was to be saved.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The store could not be saved.
public let NSPersistentStoreSaveError = 134030
/// Some stores could not be saved: see `NSAffectedStoresErrorKey`.
public let NSPersistentStoreIncompleteSaveError = 134040
/// Conflicts of a save were not resolved: see `NSPersistentStoreSaveConflictsErrorKey`.
public let NSPersistentStoreSaveConflictsError = 134050
/// Something went wrong of no other kind.
public let NSCoreDataError = 134060
/// The store could not do what it was asked.
public let NSPersistentStoreOperationError = 134070
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// Others kept the store for longer than the time-out.
public let NSPersistentStoreTimeoutError = 134090
/// The store cannot answer such a request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store was written with another model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// The store could not be migrated.
public let NSMigrationError = 134110
/// Rows break a uniqueness constraint of the model that the store is migrated to.
public let NSMigrationConstraintViolationError = 134111
/// The migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The model that the store was written with was not found.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping model was found.
public let NSMigrationMissingMappingModelError = 134140
/// The store to migrate could not be read.
public let NSMigrationManagerSourceStoreError = 134150
/// The store to migrate to could not be written.
public let NSMigrationManagerDestinationStoreError = 134160
/// An entity's migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite failed: the underlying error has its code.
public let NSSQLiteError = 134180
/// No mapping could be inferred from the two models.
public let NSInferredMappingModelError = 134190
/// An external record could not be read.
public let NSExternalRecordImportError = 134200
/// The history that a token stands for is gone.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A model reference leads to no model.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// The stages of a migration need another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The stages of a migration would lead back to an older model.
public let NSStagedMigrationBackwardMigrationError = 134506
