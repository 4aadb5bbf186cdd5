import Foundation
import StrataManagedModel

/// Inserts rows directly into the stores, without creating objects.
///
/// ```swift
/// var places = ["Tonga", "Chile", "Japan"].makeIterator()
/// let request = NSBatchInsertRequest(entityName: "Quake") {
///   (row: NSMutableDictionary) in
///   guard let place = places.next() else { return true }
///   row["place"] = place
///   return false
/// }
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// print(result?.result as? Int ?? 0)
/// ```
///
/// The rows come from dictionaries, from a handler that fills a dictionary for each row, or from a handler that fills
/// an object. A handler returns true when there are no more rows. That last call inserts nothing. Attributes that are
/// not set have the model's defaults. Relationships cannot be set. Only types and uniqueness constraints are checked.
///
/// If a row has the unique values of a stored row, the context's merge policy decides. With
/// `mergeByPropertyObjectTrump`, the stored row takes the given values and keeps all others. With `overwrite`, it takes
/// the defaults for the others too. With `mergeByPropertyStoreTrump` and `rollback` it stays as it is. With `error`,
/// the request fails with code 133021. (Apple's WWDC 2019 shows the first behavior without a policy; WWDC 2020 asks for
/// one.) An object's values count as given where they differ from the model's defaults.
///
/// A handler runs while the store is being written, so it must not save to the same store. `awakeFromInsert()` is not
/// called.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchinsertrequest>
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  let subject: RequestedEntity

  /// The name of the entity.
  public var entityName: String { subject.name }

  /// The entity; nil if the request was created with a name.
  public var entity: NSEntityDescription? { subject.entity }

  /// The rows, as values by attribute name.
  public var objectsToInsert: [[String: Any]]?

  /// Fills the dictionary with the values of the next row, or returns true.
  public var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Sets the attributes of the object for the next row, or returns true. The same object, in no context, is passed for
  /// all rows.
  public var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// The kind of result. Default: whether the request succeeded.
  public var resultType: NSBatchInsertRequestResultType = .statusOnly

  /// The kind of request: a batch insert.
  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  init(_ subject: RequestedEntity) {
    self.subject = subject
    super.init()
  }

  /// Creates a request without an entity, which cannot be executed.
  @available(*, deprecated, message: "Use init(entityName:objects:) or another one that names the entity.")
  public override convenience init() { self.init(.none) }

  /// Creates a request that inserts rows from dictionaries.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(.named(entityName))
    objectsToInsert = dictionaries
  }

  /// Creates a request that inserts rows from dictionaries.
  public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(.entity(entity))
    objectsToInsert = dictionaries
  }

  /// Creates a request that inserts rows from a dictionary that is filled for each of them.
  public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    self.init(.named(entityName))
    dictionaryHandler = handler
  }

  /// Creates a request that inserts rows from a dictionary that is filled for each of them.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.entity(entity))
    dictionaryHandler = handler
  }

  /// Creates a request that inserts rows from an object that is filled for each of them.
  public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    self.init(.named(entityName))
    managedObjectHandler = handler
  }

  /// Creates a request that inserts rows from an object that is filled for each of them.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.entity(entity))
    managedObjectHandler = handler
  }
}

/// The kind of result of a batch insert.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchinsertrequestresulttype>
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether the request succeeded: a `Bool`.
  case statusOnly = 0
  /// The IDs of the inserted and updated rows: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// The number of inserted and updated rows: an `Int`.
  case count = 2
}

/// The result of a batch insert.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchinsertresult>
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// The result: a `Bool`, `[NSManagedObjectID]` or `Int`, as the result type says.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSBatchInsertRequestResultType

  init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
