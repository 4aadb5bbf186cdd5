/// An error of SwiftData.
///
/// Errors of the same kind are equal, whatever their reasons are.
///
/// See <https://developer.apple.com/documentation/swiftdata/swiftdataerror>
public struct SwiftDataError: Error, Hashable, CustomStringConvertible {
  private enum Kind: String {
    case backwardMigration, configurationFileNameContainsInvalidCharacters, configurationFileNameTooLong
    case configurationSchemaNotFoundInContainerSchema, duplicateConfiguration, historyTokenExpired
    case includePendingChangesWithBatchSize, invalidTransactionFetchRequest, loadIssueModelContainer
    case missingModelContext, modelValidationFailure, sortingPendingChangesWithIdentifiers, unknownSchema
    case unsupportedKeyPath, unsupportedPredicate, unsupportedSortDescriptor
  }

  private let kind: Kind
  private var reason: String?

  private init(_ kind: Kind) { self.kind = kind }

  /// The store was written with a later version of the schema.
  public static let backwardMigration = Self(.backwardMigration)
  /// The name of a configuration cannot be that of a file.
  public static let configurationFileNameContainsInvalidCharacters = Self(
    .configurationFileNameContainsInvalidCharacters)
  /// The name of a configuration is too long for a file.
  public static let configurationFileNameTooLong = Self(.configurationFileNameTooLong)
  /// A configuration has a model that is not in the container's schema.
  public static let configurationSchemaNotFoundInContainerSchema = Self(.configurationSchemaNotFoundInContainerSchema)
  /// Two configurations have the same file.
  public static let duplicateConfiguration = Self(.duplicateConfiguration)
  /// The history no longer has what follows a token.
  public static let historyTokenExpired = Self(.historyTokenExpired)
  /// A fetch in batches does not include unsaved changes.
  public static let includePendingChangesWithBatchSize = Self(.includePendingChangesWithBatchSize)
  /// The history cannot be asked for this.
  public static let invalidTransactionFetchRequest = Self(.invalidTransactionFetchRequest)
  /// A store cannot be opened.
  public static let loadIssueModelContainer = Self(.loadIssueModelContainer)
  /// A model has no context.
  public static let missingModelContext = Self(.missingModelContext)
  /// A model has invalid values.
  public static let modelValidationFailure = Self(.modelValidationFailure)
  /// Identifiers of unsaved models cannot be sorted.
  public static let sortingPendingChangesWithIdentifiers = Self(.sortingPendingChangesWithIdentifiers)
  /// A model is in no schema, or a schema is not one that a store can have.
  public static let unknownSchema = Self(.unknownSchema)
  /// A key path leads to no persisted property.
  public static let unsupportedKeyPath = Self(.unsupportedKeyPath)
  /// A store cannot be asked for a part of a predicate.
  public static let unsupportedPredicate = Self(.unsupportedPredicate)
  /// A store cannot sort by a property.
  public static let unsupportedSortDescriptor = Self(.unsupportedSortDescriptor)

  /// The same error with a reason.
  func because(_ reason: String) -> Self {
    var error = self
    error.reason = reason
    return error
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Whether an error is of a kind, for `catch`.
  public static func ~= (lhs: Self, rhs: any Error) -> Bool { rhs as? Self == lhs }

  /// The kind of error, and its reason.
  public var description: String { "SwiftDataError.\(kind.rawValue)\(reason.map { ": \($0)" } ?? "")" }
}
