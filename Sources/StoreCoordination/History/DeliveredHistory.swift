import StrataObjectGraph
import StrataRowStore

/// The part of a store's history that a coordinator's contexts have received: each transaction once, in commit order (invariant 3).
struct DeliveredHistory {
  /// One of this process's own transactions.
  private enum Own {
    /// COMMIT has not returned, but others may see the transaction by now.
    case pending
    case committed(ObjectIDChanges, origin: ObjectIdentifier?)
  }

  /// The newest delivered transaction.
  private(set) var newest: Int64 = 0
  /// False while the history could not be read yet, so that the position to continue from is unknown.
  private(set) var hasStarted = false
  /// Own transactions that are not delivered yet.
  private var own: [Int64: Own] = [:]
  /// Tells others how far this process has come; nil while it does not listen, or if the registry cannot be written.
  var reader: (any HistoryReader)?

  mutating func start(at number: Int64) { (newest, hasStarted) = (number, true) }

  /// Continues from a transaction, before which any object may have changed.
  mutating func skip(to number: Int64, _ delivery: inout HistoryDelivery) {
    hasStarted = true
    advance(to: number)
    own = own.filter { $0.key > number }
    delivery.deliverUnknown()
  }

  mutating func noteOwn(_ number: Int64) { own[number] = .pending }

  mutating func forgetOwn(_ number: Int64) { own.removeValue(forKey: number) }

  /// Notes that COMMIT of an own transaction has returned, and delivers the own transactions that come next, without reading
  /// them.
  /// - Returns: the number of the last one, nil if none comes next; and whether transactions of others precede the new one.
  mutating func didCommit(
    _ number: Int64, changing changes: ObjectIDChanges, origin: ObjectIdentifier?, _ delivery: inout HistoryDelivery
  ) -> (last: Int64?, isMissingOthers: Bool) {
    // After a gap in the history, everything is reread already.
    own[number] = newest < number ? .committed(changes, origin: origin) : nil
    var last: Int64?
    while case .committed(let changes, let origin)? = own[newest + 1] {
      newest += 1
      own.removeValue(forKey: newest)
      delivery.deliver(changes, except: origin)
      last = newest
    }
    if let last { advance(to: last) }
    return (last, !ownsAll(upTo: number))
  }

  /// Delivers transactions in order, stopping at an own one whose COMMIT has not returned: `didCommit` will deliver that one.
  /// - Parameter start: the newest delivered transaction when the batch was requested.
  /// - Returns: the number of the last delivered transaction, if any; and whether all of the batch are delivered.
  mutating func deliver(
    _ batch: HistoryBatch, after start: Int64, _ delivery: inout HistoryDelivery
  ) -> (last: Int64?, isWhole: Bool) {
    var last: Int64?
    if let end = batch.gapEnd, newest == start {
      skip(to: end, &delivery)
      last = end
    }
    reading: for transaction in batch.transactions where transaction.number > newest {
      switch own[transaction.number] {
      case .pending: break reading
      case .committed(let changes, let origin): delivery.deliver(changes, except: origin)
      case nil where transaction.isOwn: break reading
      case nil: delivery.deliver(ObjectIDChanges(of: transaction), except: nil)
      }
      own.removeValue(forKey: transaction.number)
      newest = transaction.number
      last = newest
    }
    if let last { advance(to: last) }
    return (last, batch.transactions.last.map { $0.number <= newest } ?? true)
  }

  /// Whether all transactions up to a number that are not delivered yet are own ones.
  private func ownsAll(upTo number: Int64) -> Bool {
    var next = newest + 1
    while next <= number, own[next] != nil { next += 1 }
    return next > number
  }

  /// Advances to a delivered transaction.
  private mutating func advance(to number: Int64) {
    newest = number
    // An outdated position only delays other processes' purges.
    try? reader?.move(to: HistoryPosition(number: number))
  }
}

/// The coordinator of a delivery, and the contexts that it delivered to.
struct HistoryDelivery {
  let coordinator: NSPersistentStoreCoordinator?
  private var contexts: [[NSManagedObjectContext]] = []

  init(by coordinator: NSPersistentStoreCoordinator?) { self.coordinator = coordinator }

  mutating func deliver(_ changes: @autoclosure () -> ObjectIDChanges, except origin: ObjectIdentifier?) {
    if let coordinator { contexts.append(coordinator.deliver(changes(), except: origin)) }
  }

  /// Has the contexts compare what they have with the store.
  mutating func deliverUnknown() {
    if let coordinator { contexts.append(coordinator.deliverUnknown()) }
  }
}

extension ObjectIDChanges {
  init(of transaction: HistoryTransaction) {
    self.init()
    for change in transaction.changes {
      switch change.kind {
      case .insert: inserted.append(change.id)
      case .update: updated.append(change.id)
      case .delete: deleted.append(change.id)
      }
    }
  }
}
