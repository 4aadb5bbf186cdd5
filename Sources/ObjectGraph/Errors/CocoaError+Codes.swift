import Foundation

/// The error codes of Core Data.
///
/// See <https://developer.apple.com/documentation/foundation/cocoaerror/code>
extension CocoaError.Code {
  /// A validation rule of the model was broken, other than those with a code of their own.
  public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
  /// Several validation rules were broken. `NSDetailedErrorsKey` holds one error for each.
  public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
  /// A required property has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code { CocoaError.Code(rawValue: 1570) }
  /// A to-many relationship has fewer objects than its minimum count.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code { CocoaError.Code(rawValue: 1580) }
  /// A to-many relationship has more objects than its maximum count.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { CocoaError.Code(rawValue: 1590) }
  /// An object cannot be deleted: a relationship with the deny rule still has objects.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { CocoaError.Code(rawValue: 1600) }
  /// A number is larger than its maximum.
  public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
  /// A number is smaller than its minimum.
  public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
  /// A date is later than its maximum.
  public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
  /// A date is earlier than its minimum.
  public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
  /// A value is not a valid date.
  public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
  /// A string is longer than its maximum length.
  public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
  /// A string is shorter than its minimum length.
  public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
  /// A string does not match its regular expression.
  public static var validationStringPatternMatching: CocoaError.Code { CocoaError.Code(rawValue: 1680) }
  /// A context's lock could not be acquired.
  public static var managedObjectContextLocking: CocoaError.Code { CocoaError.Code(rawValue: 132000) }
  /// A coordinator's lock could not be acquired.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { CocoaError.Code(rawValue: 132010) }
  /// An object's row is missing from its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { CocoaError.Code(rawValue: 133000) }
  /// A relationship refers to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { CocoaError.Code(rawValue: 133010) }
  /// A save conflicts with changes that another context or process saved first. See `NSMergePolicy`.
  public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
  /// A save would break a uniqueness constraint. See `NSMergePolicy`.
  public static var managedObjectConstraintMerge: CocoaError.Code { CocoaError.Code(rawValue: 133021) }
  /// The store type is unknown, or the file is not a store of that type.
  public static var persistentStoreInvalidType: CocoaError.Code { CocoaError.Code(rawValue: 134000) }
  /// The store has a different type from the one it was opened with.
  public static var persistentStoreTypeMismatch: CocoaError.Code { CocoaError.Code(rawValue: 134010) }
  /// The store's schema has no place for what was to be saved.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { CocoaError.Code(rawValue: 134020) }
  /// Saving to the store failed.
  public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
  /// Saving to some of the stores failed. `NSAffectedStoresErrorKey` lists them.
  public static var persistentStoreIncompleteSave: CocoaError.Code { CocoaError.Code(rawValue: 134040) }
  /// A save has unresolved conflicts. `NSPersistentStoreSaveConflictsErrorKey` lists them.
  public static var persistentStoreSaveConflicts: CocoaError.Code { CocoaError.Code(rawValue: 134050) }
  /// A Core Data error without a code of its own.
  public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
  /// The store could not carry out an operation.
  public static var persistentStoreOperation: CocoaError.Code { CocoaError.Code(rawValue: 134070) }
  /// The store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
  /// Another writer held the store for longer than the timeout.
  public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
  /// The store does not support this kind of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { CocoaError.Code(rawValue: 134091) }
  /// The store was written with a different version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { CocoaError.Code(rawValue: 134100) }
  /// Migration failed.
  public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
  /// Migration was canceled.
  public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
  /// Migration failed: the model that the store was written with was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { CocoaError.Code(rawValue: 134130) }
  /// Migration failed: no mapping model was found.
  public static var migrationMissingMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134140) }
  /// Migration failed: the source store could not be read.
  public static var migrationManagerSourceStore: CocoaError.Code { CocoaError.Code(rawValue: 134150) }
  /// Migration failed: the destination store could not be written.
  public static var migrationManagerDestinationStore: CocoaError.Code { CocoaError.Code(rawValue: 134160) }
  /// Migration failed: an entity migration policy reported an error.
  public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
  /// SQLite reported an error. The underlying error holds its code.
  public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
  /// No mapping model could be inferred from the two models.
  public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
  /// An external record could not be imported.
  public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}

/// The same codes on the error type itself, for `catch CocoaError.managedObjectMerge`.
extension CocoaError {
  /// A validation rule of the model was broken, other than those with a code of their own.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Several validation rules were broken. `NSDetailedErrorsKey` holds one error for each.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// A required property has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
  /// A to-many relationship has fewer objects than its minimum count.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// A to-many relationship has more objects than its maximum count.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// An object cannot be deleted: a relationship with the deny rule still has objects.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// A number is larger than its maximum.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// A number is smaller than its minimum.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// A date is later than its maximum.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// A date is earlier than its minimum.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// A value is not a valid date.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// A string is longer than its maximum length.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// A string is shorter than its minimum length.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// A string does not match its regular expression.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
  /// A context's lock could not be acquired.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// A coordinator's lock could not be acquired.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// An object's row is missing from its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// A relationship refers to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
  /// A save conflicts with changes that another context or process saved first. See `NSMergePolicy`.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// A save would break a uniqueness constraint. See `NSMergePolicy`.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// The store type is unknown, or the file is not a store of that type.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// The store has a different type from the one it was opened with.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The store's schema has no place for what was to be saved.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// Saving to the store failed.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Saving to some of the stores failed. `NSAffectedStoresErrorKey` lists them.
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
  /// A save has unresolved conflicts. `NSPersistentStoreSaveConflictsErrorKey` lists them.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// A Core Data error without a code of its own.
  public static var coreData: CocoaError.Code { .coreData }
  /// The store could not carry out an operation.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// The store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// Another writer held the store for longer than the timeout.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// The store does not support this kind of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
  /// The store was written with a different version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
  /// Migration failed.
  public static var migration: CocoaError.Code { .migration }
  /// Migration was canceled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// Migration failed: the model that the store was written with was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// Migration failed: no mapping model was found.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// Migration failed: the source store could not be read.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// Migration failed: the destination store could not be written.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
  /// Migration failed: an entity migration policy reported an error.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// SQLite reported an error. The underlying error holds its code.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// No mapping model could be inferred from the two models.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// An external record could not be imported.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
