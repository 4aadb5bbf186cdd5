import Foundation
import StrataObjectGraph

/// Reads or deletes the history of stores.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(
///   after: lastToken)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// let transactions = result?.result as? [NSPersistentHistoryTransaction]
/// for transaction in transactions ?? [] {
///   print(transaction.author ?? "unknown", transaction.changes?.count ?? 0)
///   lastToken = transaction.token
/// }
/// ```
///
/// Stores without a history are skipped. If none has one, the request fails with code 134091. If transactions after the
/// token were purged, or the token is of another store, it fails with code 134301: fetch the objects again, and
/// continue from `currentPersistentHistoryToken(fromStores:)`.
///
/// See <doc:HistoryAndOtherProcesses> and
/// <https://developer.apple.com/documentation/coredata/nspersistenthistorychangerequest>
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The transactions that the request concerns.
  enum Work {
    case fetch(Start)
    case delete(Start)
  }

  /// Where in the history.
  enum Start {
    /// All of it.
    case everything
    case token(NSPersistentHistoryToken)
    case date(Date)
    case transaction(NSPersistentHistoryTransaction)
  }

  var work = Work.fetch(.everything)

  /// The kind of result. Default: transactions with their changes; for a deletion, whether it succeeded.
  public var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

  /// The transactions or changes to fetch: a request for the entity of either, with predicate, order, offset and limit.
  /// Nil for all.
  ///
  /// With the entity of changes, transactions contain only the changes that match. A predicate can use `author`,
  /// `bundleID`, `contextName`, `processID`, `storeID`, `timestamp`, `token` and `transactionNumber` of a transaction,
  /// and `changeID`, `changedEntity`, `changedObjectID`, `changeType`, `tombstone`, `updatedProperties` and
  /// `transaction` of a change. Tokens can be compared by order.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// The token that the request was created with, or that of its transaction.
  public var token: NSPersistentHistoryToken? {
    switch work {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    case .fetch(.transaction(let transaction)), .delete(.transaction(let transaction)): transaction.token
    default: nil
    }
  }

  /// Creates a request for the complete history.
  public required override init() { super.init() }

  private class func make(_ work: Work, resultType: NSPersistentHistoryResultType) -> Self {
    let request = Self()
    request.work = work
    request.resultType = resultType
    return request
  }

  private class func fetch(_ start: Start?) -> Self {
    make(.fetch(start ?? .everything), resultType: .transactionsAndChanges)
  }

  /// Returns a request for transactions later than a date, by the clocks of their writers.
  open class func fetchHistory(after date: Date) -> Self { fetch(.date(date)) }

  /// Returns a request for transactions after a token; nil for all.
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { fetch(token.map(Start.token)) }

  /// Returns a request for transactions after a transaction, in its store; nil for all.
  open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    fetch(transaction.map(Start.transaction))
  }

  /// Returns a request for the transactions or changes that a fetch request selects.
  open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
    let request = fetch(nil)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Returns a request for the transactions or changes that a fetch request of any result type selects.
  public class func fetchHistory<ResultType>(withFetch fetchRequest: NSFetchRequest<ResultType>) -> Self {
    fetchHistory(withFetch: fetchRequest.ofAnyResult)
  }

  /// Returns a request that deletes transactions before a date.
  ///
  /// Transactions are deleted from the oldest up to the first that is kept. What a running process has yet to read is
  /// kept, so less may be deleted than requested.
  ///
  /// ```swift
  /// let week = Date.now.addingTimeInterval(-7 * 86_400)
  /// let request = NSPersistentHistoryChangeRequest.deleteHistory(before: week)
  /// try context.execute(request)  // The objects stay.
  /// ```
  open class func deleteHistory(before date: Date) -> Self { make(.delete(.date(date)), resultType: .statusOnly) }

  /// Returns a request that deletes the transactions before that of a token, which is kept; nil deletes nothing.
  ///
  /// See `deleteHistory(before:)` with a date.
  open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    make(.delete(token.map(Start.token) ?? .everything), resultType: .statusOnly)
  }

  /// Returns a request that deletes the transactions before a transaction, in its store; nil deletes nothing.
  ///
  /// See `deleteHistory(before:)` with a date.
  open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.delete(transaction.map(Start.transaction) ?? .everything), resultType: .statusOnly)
  }
}

/// The kind of result of a history request.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistenthistoryresulttype>
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether the request succeeded: a `Bool`.
  case statusOnly = 0
  /// The IDs of the changed objects, without duplicates: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// The number of transactions, or of changes if the request fetches changes: an `Int`. For a deletion, the number of
  /// deleted transactions.
  case count = 2
  /// The transactions without their changes: `[NSPersistentHistoryTransaction]`.
  case transactionsOnly = 3
  /// The changes: `[NSPersistentHistoryChange]`.
  case changesOnly = 4
  /// The transactions with their changes: `[NSPersistentHistoryTransaction]`.
  case transactionsAndChanges = 5
}

/// The result of a history request.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistenthistoryresult>
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result, as the result type says. Transactions and changes are in the order of their commits.
  public let result: Any?
  /// The kind of `result`. For a deletion, `statusOnly` or `count`.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
