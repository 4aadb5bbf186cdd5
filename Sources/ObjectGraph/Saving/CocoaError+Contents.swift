import Foundation
import StrataCoreDataErrors

/// What an error of Core Data carries.
extension CocoaError {
  /// The object that failed its validation.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that failed its validation.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The rule that the value broke.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The value that broke a rule; nil if it is nil itself.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores that the error is about.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

  /// The objects, or their ids, that the error is about.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

  /// The conflicts of versions that stopped a save.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}

extension CocoaError {
  package static func missingObject(_ id: NSManagedObjectID) -> CocoaError {
    coreData(
      .missingRow, "The object \(id) is not in its store; it may have been deleted.", [NSAffectedObjectsErrorKey: [id]])
  }
}
