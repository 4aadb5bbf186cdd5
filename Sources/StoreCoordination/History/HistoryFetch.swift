import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A fetch of history, store by store.
struct HistoryFetch {
  private let request: NSPersistentHistoryChangeRequest
  private let stores: [NSPersistentStore]
  private let start: NSPersistentHistoryChangeRequest.Start
  private let subject: HistoryFilter.Subject

  init(
    _ request: NSPersistentHistoryChangeRequest, of stores: [NSPersistentStore],
    after start: NSPersistentHistoryChangeRequest.Start
  ) throws {
    self.request = request
    self.start = start
    // A transaction belongs to one store.
    if case .transaction(let transaction) = start {
      self.stores = stores.filter { $0.identifier == transaction.storeID }
      if self.stores.isEmpty { throw stores[0].expired(nil, because: "is a transaction of another store") }
    } else {
      self.stores = stores
    }
    subject = try request.fetchRequest.map(HistoryFilter.subject) ?? .transactions
  }

  func result() throws -> NSPersistentHistoryResult {
    let records = Self.merged(try stores.map(records))
    switch subject {
    case .transactions:
      let all = records.map(NSPersistentHistoryTransaction.init)
      return result(try request.fetchRequest?.arranged(all) ?? all)
    case .changes:
      let all = records.flatMap { record in
        record.transaction.changes.indices.map { NSPersistentHistoryChange(record, $0) }
      }
      return result(try request.fetchRequest?.arranged(all) ?? all)
    }
  }

  private func result(_ transactions: [NSPersistentHistoryTransaction]) -> NSPersistentHistoryResult {
    let result: Any =
      switch request.resultType {
      case .statusOnly: true
      case .count: transactions.count
      case .transactionsOnly, .transactionsAndChanges: transactions
      case .changesOnly: transactions.flatMap { $0.changes ?? [] }
      case .objectIDs: unique(transactions.flatMap { $0.changes ?? [] })
      }
    return NSPersistentHistoryResult(result, request.resultType)
  }

  private func result(_ changes: [NSPersistentHistoryChange]) -> NSPersistentHistoryResult {
    let result: Any =
      switch request.resultType {
      case .statusOnly: true
      case .count: changes.count
      case .changesOnly: changes
      case .objectIDs: unique(changes)
      case .transactionsOnly: transactions(of: changes, withChanges: false)
      case .transactionsAndChanges: transactions(of: changes, withChanges: true)
      }
    return NSPersistentHistoryResult(result, request.resultType)
  }

  private func unique(_ changes: [NSPersistentHistoryChange]) -> [NSManagedObjectID] {
    var known = Set<RowID>()
    return changes.filter { known.insert($0.change.id).inserted }.map(\.changedObjectID)
  }

  /// Transactions with only the wanted changes, ordered by the first of these.
  private func transactions(
    of changes: [NSPersistentHistoryChange], withChanges: Bool
  ) -> [NSPersistentHistoryTransaction] {
    var order: [ObjectIdentifier] = []
    var records: [ObjectIdentifier: (record: HistoryRecord, changes: [HistoryChange])] = [:]
    for change in changes {
      let key = ObjectIdentifier(change.record)
      if records[key] == nil { order.append(key) }
      records[key, default: (change.record, [])].changes.append(change.change)
    }
    return order.compactMap { records[$0] }.map { record, changes in
      var transaction = record.transaction
      transaction.changes = withChanges ? changes : []
      return NSPersistentHistoryTransaction(
        HistoryRecord(transaction, hasChanges: withChanges, of: record.store, record.model))
    }
  }

  // MARK: One store

  private func records(of store: NSPersistentStore) throws -> [HistoryRecord] {
    guard let coordinator = store.persistentStoreCoordinator else { return [] }
    let model = coordinator.managedObjectModel
    let filter = try HistoryFilter(request.fetchRequest, for: store)
    let position = try position(in: store)
    let query = self.query(after: position, filter: filter, of: store, model: model)
    let range = try storeErrors { try store.backEnd.history(query) }
    if let position { try store.check(position, in: range) }
    let hasChanges = query.changes != .none
    let records = range.transactions.map {
      HistoryRecord($0, hasChanges: hasChanges, of: store.storeIdentity, model)
    }
    guard let filter, filter.subject == .changes else { return records }
    return try records.compactMap { try $0.keeping(filter) }
  }

  /// Where to begin; nil to read everything there is.
  private func position(in store: NSPersistentStore) throws -> HistoryPosition? {
    switch start {
    case .everything, .date: return nil
    case .transaction(let transaction): return transaction.token.positions[store.identifier]
    case .token(let token):
      guard let position = token.positions[store.identifier] else {
        throw store.expired(token, because: "has no place in it")
      }
      return position
    }
  }

  private func query(
    after position: HistoryPosition?, filter: HistoryFilter?, of store: NSPersistentStore,
    model: NSManagedObjectModel
  ) -> HistoryQuery {
    var query = HistoryQuery(after: position?.number ?? 0)
    if case .date(let date) = start { query.later = date.timeIntervalSinceReferenceDate }
    if let filter {
      // A given place is looked up by its number, so it must stay.
      if position == nil { query.after = filter.bounds.after }
      query.upTo = filter.bounds.upTo
      let identity = store.storeIdentity
      if filter.subject == .transactions {
        query.filter = { transaction in
          let record = HistoryRecord(transaction, hasChanges: false, of: identity, model)
          return try filter.wants(NSPersistentHistoryTransaction(record))
        }
      }
    }
    query.changes = changes
    return query
  }

  private var changes: HistoryQuery.Changes {
    if subject == .changes { return .whole }
    return switch request.resultType {
    case .statusOnly, .count, .transactionsOnly: .none
    case .objectIDs: .ids
    case .changesOnly, .transactionsAndChanges: .whole
    }
  }

  /// Merges the histories of several stores: each keeps its own order, and they interleave by time.
  private static func merged(_ histories: [[HistoryRecord]]) -> [HistoryRecord] {
    if histories.count == 1 { return histories[0] }
    var rests = histories.map { $0[...] }
    var merged: [HistoryRecord] = []
    while true {
      let heads = rests.enumerated().compactMap { index, rest in rest.first.map { (index, $0.transaction.timestamp) } }
      guard let next = heads.min(by: { $0.1 < $1.1 }) else { return merged }
      merged.append(rests[next.0].removeFirst())
    }
  }
}

extension HistoryRecord {
  /// The transaction with only the changes that a filter wants; nil if it wants none.
  fileprivate func keeping(_ filter: HistoryFilter) throws -> HistoryRecord? {
    var kept = transaction
    kept.changes = try transaction.changes.indices.filter { try filter.wants(NSPersistentHistoryChange(self, $0)) }
      .map { transaction.changes[$0] }
    return kept.changes.isEmpty ? nil : HistoryRecord(kept, hasChanges: true, of: store, model)
  }
}
