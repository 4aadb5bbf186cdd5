import Foundation

/// The contents of Core Data errors.
extension CocoaError {
  /// The object that failed validation.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that failed validation.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The validation predicate that failed.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The value that failed validation; nil if the value is nil.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores that the error concerns.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

  /// The objects, or their IDs, that the error concerns.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// The version conflicts that stopped a save.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}

extension CocoaError {
  package static func missingObject(_ id: NSManagedObjectID) -> CocoaError {
    let text =
      id.isTemporaryID
      ? "The object ID \(id) is temporary, and this context has no object with it. Save the object's context first, or call "
        + "obtainPermanentIDs(for:) there, and use the permanent ID."
      : "The object \(id) is not in its store; it may have been deleted."
    return coreData(.missingRow, text, userInfo: [NSAffectedObjectsErrorKey: [id]])
  }
}
