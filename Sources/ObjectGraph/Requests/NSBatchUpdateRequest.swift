import Foundation
import StrataManagedModel
import StrataPredicates

/// Updates rows directly in the stores, without creating objects.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Quake")
/// request.predicate = NSPredicate(format: "depth < 0")
/// request.propertiesToUpdate = ["depth": 0]
/// request.resultType = .updatedObjectsCountResultType
/// let result = try context.execute(request) as? NSBatchUpdateResult
/// print(result?.result as? Int ?? 0)
/// ```
///
/// Nothing is validated. The version of each row is incremented, so a context with older rows has a conflict when it
/// saves them.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchupdaterequest>
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  let subject: RequestedEntity

  /// The name of the entity.
  public var entityName: String { subject.name }

  /// The entity. Reading it from a request that was created with a name stops the program.
  public var entity: NSEntityDescription {
    guard let entity = subject.entity else {
      fatalError("The entity of this NSBatchUpdateRequest is known by its name alone: '\(entityName)'.")
    }
    return entity
  }

  /// The rows to update; nil for all rows.
  public var predicate: NSPredicate?

  /// Whether rows of subentities are updated too. Default: true.
  public var includesSubentities: Bool = true

  /// The kind of result. Default: whether the request succeeded.
  public var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  /// The new values, by name or description of an attribute or to-one relationship.
  ///
  /// A value is a constant of the attribute's type, nil or `NSNull`; for a relationship an object or its ID; or an
  /// `NSExpression`, which is evaluated with the old values of each row.
  public var propertiesToUpdate: [AnyHashable: Any]?

  /// The kind of request: a batch update.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// Creates a request for an entity, which is looked up when the request is executed.
  public init(entityName: String) {
    subject = .named(entityName)
    super.init()
  }

  /// Creates a request for an entity.
  public init(entity: NSEntityDescription) {
    subject = .entity(entity)
    super.init()
  }
}

/// The kind of result of a batch update.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchupdaterequestresulttype>
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether the request succeeded: a `Bool`.
  case statusOnlyResultType = 0
  /// The IDs of the updated rows: `[NSManagedObjectID]`.
  case updatedObjectIDsResultType = 1
  /// The number of updated rows: an `Int`.
  case updatedObjectsCountResultType = 2
}

/// The result of a batch update.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchupdateresult>
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// The result: a `Bool`, `[NSManagedObjectID]` or `Int`, as the result type says.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
