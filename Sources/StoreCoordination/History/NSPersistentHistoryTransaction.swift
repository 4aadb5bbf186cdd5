import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A save or a batch request, as the history of its store remembers it.
///
/// Any thread may use it. See https://developer.apple.com/documentation/coredata/nspersistenthistorytransaction
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  let record: HistoryRecord

  init(_ record: HistoryRecord) { self.record = record }

  /// Grows with every commit of the store.
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

  /// When it was saved, by the clock of the process that did. The order of transactions is that of their numbers.
  public var timestamp: Date { Date(timeIntervalSinceReferenceDate: record.transaction.timestamp) }

  /// The place in the history after this transaction.
  public var token: NSPersistentHistoryToken {
    NSPersistentHistoryToken([
      storeID: NSPersistentHistoryToken.Place(number: transactionNumber, time: record.transaction.timestamp)
    ])
  }

  /// What was changed, in the order in which it was written; nil if the request asked for transactions alone.
  public var changes: [NSPersistentHistoryChange]? {
    guard record.hasChanges else { return nil }
    return record.transaction.changes.indices.map { NSPersistentHistoryChange(record, $0) }
  }

  /// The ids of what was changed as `NSManagedObjectContextDidSaveObjectIDs` has them, for
  /// `NSManagedObjectContext.mergeChanges(fromContextDidSave:)`, and its `userInfo` for
  /// `mergeChanges(fromRemoteContextSave:into:)`.
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

  /// The entity of transactions, for requests.
  public class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

  /// The entity of transactions; nil as long as the context has no store with a history.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    context.hasHistory ? entityDescription : nil
  }

  /// A new request for transactions, for `NSPersistentHistoryChangeRequest.fetchRequest`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryModel.request(transaction: true) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return transactionNumber == other.transactionNumber && storeID == other.storeID
  }

  open override var hash: Int { transactionNumber.hashValue }

  open override var description: String {
    let changes = record.hasChanges ? "\(record.transaction.changes.count) changes" : "changes not read"
    return "<NSPersistentHistoryTransaction \(transactionNumber) of \(storeID): \(timestamp), author "
      + "\(author ?? "none"), context \(contextName ?? "without name"), \(bundleID) \(processID), \(changes)>"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A transaction that was read, and what is needed to speak of it: shared by the public objects, which are made when
/// they are asked for.
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
    NSManagedObjectID(rowID: change.id, entity: model.layout(number: change.id.entity).entity, store: store)
  }
}
