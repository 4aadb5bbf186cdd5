import Foundation
import StrataManagedModel

/// New rows past all contexts: no objects are made, and no rules but types and unique values are asked.
///
/// The rows come from dictionaries, from a handler that fills one dictionary again and again, or from one that fills an
/// object; a handler returns true when there are no more rows, and what it filled in then is not inserted. Attributes that
/// are not set have the model's defaults; relationships cannot be set.
///
/// What becomes of a row whose unique values a stored row has, is for the merge policy of the context: with
/// `mergeByPropertyObjectTrump` the stored row takes the values that were given and keeps all others, with `overwrite` it
/// takes the defaults of the others too, with `mergeByPropertyStoreTrump` and `rollback` it stays as it is, and with
/// `error` the request fails with 133021. (Apple's WWDC 2019 shows the first without a policy, WWDC 2020 asks for it.)
/// An object's values count as given where they differ from the model's defaults.
///
/// A handler runs while the store is written: it must not save to the same store. The object that it fills gets no
/// `awakeFromInsert()`, and neither do the dictionaries' rows.
/// See https://developer.apple.com/documentation/coredata/nsbatchinsertrequest
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  let subject: RequestedEntity

  /// The name of the entity.
  public var entityName: String { subject.name }

  /// The entity; nil if the request was made with a name.
  public var entity: NSEntityDescription? { subject.entity }

  /// The rows, as values by the names of attributes.
  public var objectsToInsert: [[String: Any]]?

  /// Fills the dictionary with the values of the next row, or returns true.
  public var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Sets the attributes of the object for the next row, or returns true. It is one object for all rows, in no context,
  /// and is not to be kept.
  public var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// What the result is to say. Default: whether the request succeeded.
  public var resultType: NSBatchInsertRequestResultType = .statusOnly

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  init(_ subject: RequestedEntity) {
    self.subject = subject
    super.init()
  }

  /// A request without an entity, which cannot be executed.
  @available(*, deprecated, message: "Use init(entityName:objects:) or another one that names the entity.")
  public override convenience init() { self.init(.none) }

  /// New rows from dictionaries.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(.named(entityName))
    objectsToInsert = dictionaries
  }

  /// New rows from dictionaries.
  public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(.entity(entity))
    objectsToInsert = dictionaries
  }

  /// New rows from a dictionary that is filled for each of them.
  public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    self.init(.named(entityName))
    dictionaryHandler = handler
  }

  /// New rows from a dictionary that is filled for each of them.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.entity(entity))
    dictionaryHandler = handler
  }

  /// New rows from an object that is filled for each of them.
  public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    self.init(.named(entityName))
    managedObjectHandler = handler
  }

  /// New rows from an object that is filled for each of them.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.entity(entity))
    managedObjectHandler = handler
  }
}

/// What the result of a batch insert says.
/// See https://developer.apple.com/documentation/coredata/nsbatchinsertrequestresulttype
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case statusOnly = 0
  /// The ids of the new and the updated rows.
  case objectIDs = 1
  /// How many rows are new or updated.
  case count = 2
}

/// What became of a batch insert.
/// See https://developer.apple.com/documentation/coredata/nsbatchinsertresult
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// A `Bool`, an array of `NSManagedObjectID` or an `Int`, as the type says.
  public let result: Any?
  /// What `result` is.
  public let resultType: NSBatchInsertRequestResultType

  init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
