import Foundation
import StrataObjectGraph

/// Reads the history of stores, or forgets a part of it.
///
/// Stores that have no history are passed over; if none has one, the request fails with code 134091. A token, or a
/// transaction, after which transactions are gone, or that is of another store, fails with code 134301: read the objects
/// anew then, and go on from `currentPersistentHistoryToken(fromStores:)`.
/// See https://developer.apple.com/documentation/coredata/nspersistenthistorychangerequest
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// What the request is about.
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

  /// What the result is to say. Default: transactions and changes; of a deletion, whether it succeeded.
  public var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

  /// Which transactions or changes are wanted: a request with the entity of either, whose predicate, order, offset and
  /// limit count. With the entity of changes, transactions come with the changes alone that fit. nil is all.
  ///
  /// A predicate may name `author`, `bundleID`, `contextName`, `processID`, `storeID`, `timestamp`, `token` and
  /// `transactionNumber` of a transaction (tokens have an order there), and `changeID`, `changedEntity`,
  /// `changedObjectID`, `changeType`, `tombstone`, `updatedProperties` and `transaction` of a change.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// The token that the request was made with, or that of its transaction.
  public var token: NSPersistentHistoryToken? {
    switch work {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    case .fetch(.transaction(let transaction)), .delete(.transaction(let transaction)): transaction.token
    default: nil
    }
  }

  /// A request for all of the history.
  public required override init() { super.init() }

  private class func make(_ work: Work, _ resultType: NSPersistentHistoryResultType) -> Self {
    let request = Self()
    request.work = work
    request.resultType = resultType
    return request
  }

  private class func fetch(_ start: Start?) -> Self { make(.fetch(start ?? .everything), .transactionsAndChanges) }

  /// Reads the transactions that were made later than a date, by the clocks of their writers.
  open class func fetchHistory(after date: Date) -> Self { fetch(.date(date)) }

  /// Reads the transactions after a token; nil is all of them.
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { fetch(token.map(Start.token)) }

  /// Reads the transactions of a transaction's store that came after it; nil is all of them.
  open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    fetch(transaction.map(Start.transaction))
  }

  /// Reads the transactions or changes that a request with their entity asks for.
  open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
    let request = fetch(nil)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Reads what a request of any type of result with their entity asks for.
  public class func fetchHistory<ResultType>(withFetch fetchRequest: NSFetchRequest<ResultType>) -> Self {
    fetchHistory(withFetch: fetchRequest.ofAnyResult)
  }

  /// Forgets the transactions that were made before a date.
  ///
  /// Nothing is forgotten that a living process has yet to read: a part of what is asked for can stay therefore. From the
  /// oldest transaction on, up to the first that is to stay.
  open class func deleteHistory(before date: Date) -> Self { make(.delete(.date(date)), .statusOnly) }

  /// Forgets the transactions before that of a token, which stays; nil forgets nothing.
  /// See `deleteHistory(before:)` with a date.
  open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    make(.delete(token.map(Start.token) ?? .everything), .statusOnly)
  }

  /// Forgets the transactions of a transaction's store that came before it; nil forgets nothing.
  /// See `deleteHistory(before:)` with a date.
  open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.delete(transaction.map(Start.transaction) ?? .everything), .statusOnly)
  }
}

/// What the result of a history request says.
/// See https://developer.apple.com/documentation/coredata/nspersistenthistoryresulttype
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it succeeded: a `Bool`.
  case statusOnly = 0
  /// The ids of the objects that were changed, each once: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// How many transactions there are, or changes if the request fetches changes: an `Int`. Of a deletion, how many
  /// transactions were forgotten.
  case count = 2
  /// `[NSPersistentHistoryTransaction]` without their changes.
  case transactionsOnly = 3
  /// `[NSPersistentHistoryChange]`.
  case changesOnly = 4
  /// `[NSPersistentHistoryTransaction]` with their changes.
  case transactionsAndChanges = 5
}

/// What became of a history request.
/// See https://developer.apple.com/documentation/coredata/nspersistenthistoryresult
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// As the type says; transactions and changes in the order of the commits.
  public let result: Any?
  /// What `result` is. A deletion knows `statusOnly` and `count` alone.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
