import Foundation
import StrataManagedModel
import StrataPredicates

/// Deletes rows directly in the stores, without creating objects.
///
/// ```swift
/// let old = NSFetchRequest<Quake>(entityName: "Quake")
/// let lastMonth = Date.now.addingTimeInterval(-30 * 86_400)
/// old.predicate = NSPredicate(format: "time < %@", lastMonth as NSDate)
/// let request = NSBatchDeleteRequest(fetchRequest: old)
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let ids = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(
///   fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [viewContext])
/// ```
///
/// The delete rules cascade and nullify are applied. The request fails for an entity with the deny rule, and if
/// cascades lead to one. Apple's framework supports this request only in SQLite stores. Here, in-memory stores support
/// it too.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchdeleterequest>
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let fetch: NSFetchRequest<any NSFetchRequestResult>
  /// The IDs that the request was created with.
  let objectIDs: [NSManagedObjectID]?

  /// The rows to delete. The request's order, limit and offset apply.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
    fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
  }

  /// The kind of result. Default: whether the request succeeded.
  public var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  /// The kind of request: a batch delete.
  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// Creates a request that deletes what a fetch request would fetch.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    self.fetch = fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
    objectIDs = nil
    super.init()
  }

  /// Creates a request that deletes what a fetch request of any result type would fetch. Without Objective-C, such a
  /// request cannot be cast to `NSFetchRequest<NSFetchRequestResult>`.
  public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
    self.init(fetchRequest: fetch.ofAnyResult)
  }

  private init(ids: [NSManagedObjectID]) {
    objectIDs = ids
    fetch = NSFetchRequest()
    fetch.entity = ids.first?.entity
    fetch.predicate = NSPredicate(format: "SELF IN %@", ids)
    super.init()
  }

  /// Creates a request that deletes objects of one entity, by ID.
  public convenience init(objectIDs objects: [NSManagedObjectID]) { self.init(ids: objects) }
}

/// The kind of result of a batch delete.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchdeleterequestresulttype>
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether the request succeeded: a `Bool`.
  case resultTypeStatusOnly = 0
  /// The IDs of the deleted rows, including those deleted by delete rules: `[NSManagedObjectID]`.
  case resultTypeObjectIDs = 1
  /// The number of deleted rows, including those deleted by delete rules: an `Int`.
  case resultTypeCount = 2
}

/// The result of a batch delete.
///
/// See <https://developer.apple.com/documentation/coredata/nsbatchdeleteresult>
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// The result: a `Bool`, `[NSManagedObjectID]` or `Int`, as the result type says.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ result: Any?, _ resultType: NSBatchDeleteRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
