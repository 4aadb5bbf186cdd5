import Foundation
import StrataManagedModel
import StrataPredicates

/// Removes rows past all contexts: no objects are made, and no rules are asked but the delete rules cascade and nullify.
/// An entity with the rule deny, or one that cascades lead to, cannot be deleted so.
///
/// Apple's framework does this in SQLite stores alone; here stores in memory do it too.
/// See https://developer.apple.com/documentation/coredata/nsbatchdeleterequest
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let fetch: NSFetchRequest<any NSFetchRequestResult>
  /// The ids that the request was made with.
  let objectIDs: [NSManagedObjectID]?

  /// Which rows are removed: its order, limit and offset count too.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
    fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
  }

  /// What the result is to say. Default: whether the request succeeded.
  public var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// Removes what a request would fetch from the stores.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    self.fetch = fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
    objectIDs = nil
    super.init()
  }

  /// Removes what a request of any type of result would fetch from the stores: without Objective-C it cannot be cast to
  /// `NSFetchRequest<NSFetchRequestResult>`.
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

  /// Removes objects of one entity, by their ids.
  public convenience init(objectIDs objects: [NSManagedObjectID]) { self.init(ids: objects) }
}

/// What the result of a batch delete says.
/// See https://developer.apple.com/documentation/coredata/nsbatchdeleterequestresulttype
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case resultTypeStatusOnly = 0
  /// The ids of the rows that were removed, by delete rules too.
  case resultTypeObjectIDs = 1
  /// How many rows were removed, by delete rules too.
  case resultTypeCount = 2
}

/// What became of a batch delete.
/// See https://developer.apple.com/documentation/coredata/nsbatchdeleteresult
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// A `Bool`, an array of `NSManagedObjectID` or an `Int`, as the type says.
  public let result: Any?
  /// What `result` is.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ result: Any?, _ resultType: NSBatchDeleteRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
