import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A save or a batch request in the history of a store.
///
/// Any thread may use it. See <https://developer.apple.com/documentation/coredata/nspersistenthistorytransaction>
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  let record: HistoryRecord

  init(_ record: HistoryRecord) { self.record = record }

  /// The number of the transaction, which increases with every commit to the store.
  public var transactionNumber: Int64 { record.transaction.number }

  /// The UUID of the store.
  public var storeID: String { record.store.uuid }

  /// The bundle identifier of the program that saved, or its name.
  public var bundleID: String { record.transaction.bundleID ?? "" }

  /// The process that saved.
  public var processID: String { record.transaction.processID ?? "" }

  /// The name of the context that saved.
  public var contextName: String? { record.transaction.contextName }

  /// The `transactionAuthor` of the context that saved.
  public var author: String? { record.transaction.author }

  /// The time of the save, by the clock of its process. Transactions are ordered by number, not by time.
  public var timestamp: Date { Date(timeIntervalSinceReferenceDate: record.transaction.timestamp) }

  /// The position in the history after this transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([
      storeID: HistoryPosition(number: transactionNumber, time: record.transaction.timestamp)
    ])
  }

  /// The changes, in the order in which they were written; nil if the request only fetched transactions.
  public var changes: [NSPersistentHistoryChange]? {
    guard record.hasChanges else { return nil }
    return record.transaction.changes.indices.map { NSPersistentHistoryChange(record, $0) }
  }

  /// Returns a notification with the IDs of the changed objects, for
  /// `NSManagedObjectContext.mergeChanges(fromContextDidSave:)`. Its `userInfo` is for
  /// `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// ```swift
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(
  ///   after: lastToken)
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// let transactions = result?.result as? [NSPersistentHistoryTransaction]
  /// for transaction in transactions ?? [] {  // In order, each once.
  ///   let notification = transaction.objectIDNotification()
  ///   context.mergeChanges(fromContextDidSave: notification)
  ///   lastToken = transaction.token
  /// }
  /// ```
  open func objectIDNotification() -> Notification {
    var ids: [String: Set<NSManagedObjectID>] = [:]
    for change in record.transaction.changes {
      let key =
        switch change.kind {
        case .insert: NSInsertedObjectIDsKey
        case .update: NSUpdatedObjectIDsKey
        case .delete: NSDeletedObjectIDsKey
        }
      ids[key, default: []].insert(record.objectID(of: change))
    }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: ids)
  }

  /// The entity of transactions, for fetch requests.
  public class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

  /// Returns the entity of transactions; nil while the context has no store with a history.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    context.hasHistory ? entityDescription : nil
  }

  /// A new fetch request for transactions, for `NSPersistentHistoryChangeRequest.fetchRequest`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryModel.request(transaction: true) }

  /// Returns whether another transaction is the same transaction of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return transactionNumber == other.transactionNumber && storeID == other.storeID
  }

  /// A hash of the transaction's number.
  open override var hash: Int { transactionNumber.hashValue }

  /// A description of the transaction.
  open override var description: String {
    let changes = record.hasChanges ? "\(record.transaction.changes.count) changes" : "changes not read"
    return "<NSPersistentHistoryTransaction \(transactionNumber) of \(storeID): \(timestamp), author "
      + "\(author ?? "none"), context \(contextName ?? "without name"), \(bundleID) \(processID), \(changes)>"
  }

  /// Returns the transaction itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A transaction as read, with its context: shared by the public objects, which are made on demand.
final class HistoryRecord: @unchecked Sendable {
  // Sendable: nothing changes after it was made; the model is frozen.

  let transaction: HistoryTransaction
  let hasChanges: Bool
  let store: StoreIdentity
  let model: NSManagedObjectModel

  init(_ transaction: HistoryTransaction, hasChanges: Bool, of store: StoreIdentity, _ model: NSManagedObjectModel) {
    self.transaction = transaction
    self.hasChanges = hasChanges
    self.store = store
    self.model = model
  }

  func objectID(of change: HistoryChange) -> NSManagedObjectID {
    NSManagedObjectID(rowID: change.id, entity: model.entity(number: change.id.entity), store: store)
  }
}

// A request for the history may name what it finds: `NSFetchRequest<NSPersistentHistoryTransaction>(entityName: "Transaction")`.
extension NSPersistentHistoryTransaction: NSFetchRequestResult {}
extension NSPersistentHistoryChange: NSFetchRequestResult {}
