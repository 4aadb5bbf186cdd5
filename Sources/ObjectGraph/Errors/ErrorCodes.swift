// The error codes of Core Data under their oldest names, with Apple's numbers.
// See https://developer.apple.com/documentation/coredata/core-data-constants

/// A validation rule of the model was broken, other than those with a code of their own.
public let NSManagedObjectValidationError = 1550
/// Two objects have the same values for a uniqueness constraint.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validation rules were broken. `NSDetailedErrorsKey` holds one error for each.
public let NSValidationMultipleErrorsError = 1560
/// A required property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has fewer objects than its minimum count.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has more objects than its maximum count.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// An object cannot be deleted: a relationship with the deny rule still has objects.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is larger than its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is smaller than its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is later than its maximum.
public let NSValidationDateTooLateError = 1630
/// A date is earlier than its minimum.
public let NSValidationDateTooSoonError = 1640
/// A value is not a valid date.
public let NSValidationInvalidDateError = 1650
/// A string is longer than its maximum length.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than its minimum length.
public let NSValidationStringTooShortError = 1670
/// A string does not match its regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// A value is not a valid URI.
public let NSValidationInvalidURIError = 1690
/// A context's lock could not be acquired.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator's lock could not be acquired.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object's row is missing from its store.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship refers to an object in another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// A save conflicts with changes that another context or process saved first. See `NSMergePolicy`.
public let NSManagedObjectMergeError = 133020
/// A save would break a uniqueness constraint. See `NSMergePolicy`.
public let NSManagedObjectConstraintMergeError = 133021
/// The store type is unknown, or the file is not a store of that type.
public let NSPersistentStoreInvalidTypeError = 134000
/// The store has a different type from the one it was opened with.
public let NSPersistentStoreTypeMismatchError = 134010
/// The store's schema has no place for what was to be saved.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// Saving to the store failed.
public let NSPersistentStoreSaveError = 134030
/// Saving to some of the stores failed. `NSAffectedStoresErrorKey` lists them.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save has unresolved conflicts. `NSPersistentStoreSaveConflictsErrorKey` lists them.
public let NSPersistentStoreSaveConflictsError = 134050
/// A Core Data error without a code of its own.
public let NSCoreDataError = 134060
/// The store could not carry out an operation.
public let NSPersistentStoreOperationError = 134070
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// Another writer held the store for longer than the timeout.
public let NSPersistentStoreTimeoutError = 134090
/// The store does not support this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store was written with a different version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// Migration failed.
public let NSMigrationError = 134110
/// Migration failed: rows break a uniqueness constraint of the new model.
public let NSMigrationConstraintViolationError = 134111
/// Migration was canceled.
public let NSMigrationCancelledError = 134120
/// Migration failed: the model that the store was written with was not found.
public let NSMigrationMissingSourceModelError = 134130
/// Migration failed: no mapping model was found.
public let NSMigrationMissingMappingModelError = 134140
/// Migration failed: the source store could not be read.
public let NSMigrationManagerSourceStoreError = 134150
/// Migration failed: the destination store could not be written.
public let NSMigrationManagerDestinationStoreError = 134160
/// Migration failed: an entity migration policy reported an error.
public let NSEntityMigrationPolicyError = 134170
/// SQLite reported an error. The underlying error holds its code.
public let NSSQLiteError = 134180
/// No mapping model could be inferred from the two models.
public let NSInferredMappingModelError = 134190
/// An external record could not be imported.
public let NSExternalRecordImportError = 134200
/// A history token has expired: the history after it was purged, or the store was replaced.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A model reference could not be resolved.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would lead back to an older model.
public let NSStagedMigrationBackwardMigrationError = 134506
