import Foundation
import StrataManagedModel
import StrataPredicates

/// New values for many rows past all contexts: no objects are made, and no rules are asked. The rows' versions move on, so
/// that a context that has older rows conflicts when it saves them.
/// See https://developer.apple.com/documentation/coredata/nsbatchupdaterequest
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  let subject: RequestedEntity

  /// The name of the entity.
  public var entityName: String { subject.name }

  /// The entity. A request that was made with a name has none, which stops the program.
  public var entity: NSEntityDescription {
    guard let entity = subject.entity else {
      fatalError("The entity of this NSBatchUpdateRequest is known by its name alone: '\(entityName)'.")
    }
    return entity
  }

  /// Which rows are changed; nil is all of them.
  public var predicate: NSPredicate?

  /// Whether rows of sub-entities are changed too. Default: true.
  public var includesSubentities: Bool = true

  /// What the result is to say. Default: whether the request succeeded.
  public var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  /// The new values by the names or descriptions of attributes and to-one relationships. A value is a constant of the
  /// attribute's type, nil or `NSNull`; an object or its id, of a relationship; or an `NSExpression`, which is worked out
  /// from each row as it was.
  public var propertiesToUpdate: [AnyHashable: Any]?

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  /// A change of an entity's rows, which is looked up when the request is executed.
  public init(entityName: String) {
    subject = .named(entityName)
    super.init()
  }

  /// A change of an entity's rows.
  public init(entity: NSEntityDescription) {
    subject = .entity(entity)
    super.init()
  }
}

/// What the result of a batch update says.
/// See https://developer.apple.com/documentation/coredata/nsbatchupdaterequestresulttype
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case statusOnlyResultType = 0
  /// The ids of the changed rows.
  case updatedObjectIDsResultType = 1
  /// How many rows were changed.
  case updatedObjectsCountResultType = 2
}

/// What became of a batch update.
/// See https://developer.apple.com/documentation/coredata/nsbatchupdateresult
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A `Bool`, an array of `NSManagedObjectID` or an `Int`, as the type says.
  public let result: Any?
  /// What `result` is.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
