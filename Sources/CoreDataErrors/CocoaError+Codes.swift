import Foundation

/// The error codes of Core Data.
/// See https://developer.apple.com/documentation/foundation/cocoaerror/code
extension CocoaError.Code {
  /// A rule of the model was broken, of no other kind below.
  public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
  /// Several rules were broken: `NSDetailedErrorsKey` holds an error for each.
  public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
  /// A property that is not optional has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code { CocoaError.Code(rawValue: 1570) }
  /// A relationship leads to fewer objects than it must.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code { CocoaError.Code(rawValue: 1580) }
  /// A relationship leads to more objects than it may.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { CocoaError.Code(rawValue: 1590) }
  /// A relationship with the rule "deny" still leads somewhere.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { CocoaError.Code(rawValue: 1600) }
  /// A number is larger than its rule allows.
  public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
  /// A number is smaller than its rule allows.
  public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
  /// A date is later than its rule allows.
  public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
  /// A date is earlier than its rule allows.
  public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
  /// A date is none.
  public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
  /// A text is longer than its rule allows.
  public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
  /// A text is shorter than its rule allows.
  public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
  /// A text does not fit its pattern.
  public static var validationStringPatternMatching: CocoaError.Code { CocoaError.Code(rawValue: 1680) }
  /// The lock of a context could not be had.
  public static var managedObjectContextLocking: CocoaError.Code { CocoaError.Code(rawValue: 132000) }
  /// The lock of a coordinator could not be had.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { CocoaError.Code(rawValue: 132010) }
  /// An object's row is not in its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { CocoaError.Code(rawValue: 133000) }
  /// A relationship leads to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { CocoaError.Code(rawValue: 133010) }
  /// Somebody else changed what was to be saved.
  public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
  /// What was to be saved shares the values of a uniqueness constraint with a row or another object.
  public static var managedObjectConstraintMerge: CocoaError.Code { CocoaError.Code(rawValue: 133021) }
  /// There is no such type of store, or the store is not of it.
  public static var persistentStoreInvalidType: CocoaError.Code { CocoaError.Code(rawValue: 134000) }
  /// The store is of another type than it was to be opened as.
  public static var persistentStoreTypeMismatch: CocoaError.Code { CocoaError.Code(rawValue: 134010) }
  /// The store's schema does not hold what was to be saved.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { CocoaError.Code(rawValue: 134020) }
  /// The store could not be saved.
  public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
  /// Some stores could not be saved: see `NSAffectedStoresErrorKey`.
  public static var persistentStoreIncompleteSave: CocoaError.Code { CocoaError.Code(rawValue: 134040) }
  /// Conflicts of a save were not resolved: see `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code { CocoaError.Code(rawValue: 134050) }
  /// Something went wrong of no other kind.
  public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
  /// The store could not do what it was asked.
  public static var persistentStoreOperation: CocoaError.Code { CocoaError.Code(rawValue: 134070) }
  /// The store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
  /// Others kept the store for longer than the time-out.
  public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
  /// The store cannot answer such a request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { CocoaError.Code(rawValue: 134091) }
  /// The store was written with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { CocoaError.Code(rawValue: 134100) }
  /// The store could not be migrated.
  public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
  /// The migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
  /// The model that the store was written with was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { CocoaError.Code(rawValue: 134130) }
  /// No mapping model was found.
  public static var migrationMissingMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134140) }
  /// The store to migrate could not be read.
  public static var migrationManagerSourceStore: CocoaError.Code { CocoaError.Code(rawValue: 134150) }
  /// The store to migrate to could not be written.
  public static var migrationManagerDestinationStore: CocoaError.Code { CocoaError.Code(rawValue: 134160) }
  /// An entity's migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
  /// SQLite failed: the underlying error has its code.
  public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
  /// No mapping could be inferred from the two models.
  public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
  /// An external record could not be read.
  public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}

/// The same on the error itself, so that `catch CocoaError.managedObjectMerge` needs no more words.
extension CocoaError {
  /// A rule of the model was broken, of no other kind below.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// Several rules were broken: `NSDetailedErrorsKey` holds an error for each.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// A property that is not optional has no value.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
  /// A relationship leads to fewer objects than it must.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// A relationship leads to more objects than it may.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// A relationship with the rule "deny" still leads somewhere.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// A number is larger than its rule allows.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// A number is smaller than its rule allows.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// A date is later than its rule allows.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// A date is earlier than its rule allows.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// A date is none.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// A text is longer than its rule allows.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// A text is shorter than its rule allows.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// A text does not fit its pattern.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
  /// The lock of a context could not be had.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// The lock of a coordinator could not be had.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// An object's row is not in its store.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// A relationship leads to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
  /// Somebody else changed what was to be saved.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// What was to be saved shares the values of a uniqueness constraint with a row or another object.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// There is no such type of store, or the store is not of it.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// The store is of another type than it was to be opened as.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The store's schema does not hold what was to be saved.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// The store could not be saved.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Some stores could not be saved: see `NSAffectedStoresErrorKey`.
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
  /// Conflicts of a save were not resolved: see `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// Something went wrong of no other kind.
  public static var coreData: CocoaError.Code { .coreData }
  /// The store could not do what it was asked.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// The store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// Others kept the store for longer than the time-out.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// The store cannot answer such a request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
  /// The store was written with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
  /// The store could not be migrated.
  public static var migration: CocoaError.Code { .migration }
  /// The migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// The model that the store was written with was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// No mapping model was found.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// The store to migrate could not be read.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// The store to migrate to could not be written.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
  /// An entity's migration policy failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// SQLite failed: the underlying error has its code.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// No mapping could be inferred from the two models.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// An external record could not be read.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
