import Foundation
import StrataRowStore
import StrataSupport

/// User info key: the individual errors of an error with several causes, as an array.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// User info key: the object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// User info key: the name of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// User info key: the validation predicate that failed.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// User info key: the value that failed validation; absent if the value is nil.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// User info key: the objects that an error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// User info key: the stores that an error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// User info key: the conflicts that stopped a save, as an array of `NSMergeConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's own errors, and the user info key that holds SQLite's result code.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

extension CocoaError {
  package enum CoreDataCode: Int {
    case missingRow = 133000
    case invalidStoreType = 134000
    case validation = 1550
    case severalErrors = 1560
    case missingValue = 1570
    case tooFewLinks = 1580
    case tooManyLinks = 1590
    case deniedDelete = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case invalidDate = 1650
    case tooLong = 1660
    case tooShort = 1670
    case patternMismatch = 1680
    case invalidURI = 1690
    case conflict = 133020
    case constraint = 133021
    case noStores = 134020
    case incompleteSave = 134040
    case save = 134030
    case open = 134080
    case timeout = 134090
    case unsupported = 134091
    case incompatibleModel = 134100
    case migration = 134110
    case migrationConstraint = 134111
    case migrationCancelled = 134120
    case missingSourceModel = 134130
    case missingMapping = 134140
    case migrationSource = 134150
    case migrationDestination = 134160
    case entityPolicy = 134170
    case expiredToken = 134301
    case missingModelReference = 134504
    case frameworkMismatch = 134505
    case backwardMigration = 134506
    case readOnly = 513
    case noPermission = 257
    case outOfSpace = 640
    case corrupt = 259
  }

  /// An error with a code of Core Data and a sentence for people. The sentence is the reason as well, unless there is
  /// another: Foundation on Linux prints an error with its reason, and "(null)" without.
  package static func coreData(
    _ code: CoreDataCode, _ message: String, cause: (any Error)? = nil, userInfo: [String: Any] = [:]
  ) -> CocoaError {
    var info = userInfo
    info[NSLocalizedDescriptionKey] = message
    if info[NSLocalizedFailureReasonErrorKey] == nil { info[NSLocalizedFailureReasonErrorKey] = message }
    if let cause { info[NSUnderlyingErrorKey] = cause }
    if let failure = cause as? any EngineFailure {
      info[NSSQLiteErrorDomain] = NSNumber(value: failure.engineCode)
    }
    return .printed(CocoaError.Code(rawValue: code.rawValue), userInfo: info)
  }

  /// The public form of a store's error.
  package init(_ error: StoreError, saving: Bool = false) {
    let code: CoreDataCode =
      switch error.code {
      case .busy: .timeout
      case .conflict: .conflict
      case .constraint: .constraint
      case .corrupt: .corrupt
      case .full: .outOfSpace
      case .incompatibleModel: .incompatibleModel
      case .missingSourceModel: .missingSourceModel
      case .missingMapping: .missingMapping
      case .migration: .migration
      case .migrationConstraint: .migrationConstraint
      case .notOpen: .open
      case .unassignable, .noStores: .noStores
      case .permission: saving ? .readOnly : .noPermission
      case .readOnly: .readOnly
      case .unsupported: .unsupported
      case .io: saving ? .save : .open
      }
    // Apple's reason is under the key where its logs have it.
    var info: [String: Any] = [NSLocalizedFailureReasonErrorKey: error.message, "NSUnderlyingException": error.message]
    switch error.code {
    case .unassignable:
      // The reason first: Apple's sentence alone blames the configuration.
      self = .coreData(
        code,
        "\(error.message) The model configuration used to open the store is incompatible with the one that was used to "
          + "create the store.", userInfo: info)
    // Apple's sentence blames the model.
    case .noStores:
      info[NSLocalizedRecoverySuggestionErrorKey] =
        "Before the save, call loadPersistentStores of the container, or add a store to the coordinator; an error that this "
        + "reports says why a store is missing."
      self = .coreData(
        code,
        "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation. "
          + error.message, userInfo: info)
    default: self = .coreData(code, error.message, cause: error.cause)
    }
  }
}

/// Runs what asks a store, and gives its errors their public form.
package func storeErrors<T>(saving: Bool = false, _ body: () throws -> T) throws -> T {
  do { return try body() } catch let error as StoreError { throw CocoaError(error, saving: saving) }
}
