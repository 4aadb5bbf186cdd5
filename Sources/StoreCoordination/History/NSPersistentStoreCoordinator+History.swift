import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStoreCoordinator {
  /// Executes a history request.
  /// - Throws: code 134091 for any other kind of request or if no store has a history, 134301 for a position that the
  ///   history does not reach back to, and file system errors.
  package func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    guard let request = request as? NSPersistentHistoryChangeRequest else {
      throw CocoaError.coreData(.unsupported, "No store can execute a request of the kind \(type(of: request)).")
    }
    let stores = try historyStores(of: request)
    switch request.work {
    case .fetch(let start): return try HistoryFetch(request, of: stores, after: start).result()
    case .delete(let start):
      let count = try stores.reduce(0) { try $0 + $1.deleteHistory(before: start) }
      return request.resultType == .count
        ? NSPersistentHistoryResult(count, .count) : NSPersistentHistoryResult(true, .statusOnly)
    }
  }

  /// The stores a request concerns that have a history.
  private func historyStores(of request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentStore] {
    let asked = persistentStores.filter { request.storeNumbers?.contains($0.storeIdentity.number) ?? true }
    let stores = asked.filter { $0.commitMonitor != nil }
    guard !stores.isEmpty else {
      let names = asked.map { $0.url?.shown ?? $0.type }.joined(separator: "', '")
      throw CocoaError.coreData(
        .unsupported,
        "The stores of this request ('\(names)') do not keep a history. A SQLite store keeps one if it is opened with "
          + "NSPersistentHistoryTrackingKey; a store in memory never does.")
    }
    return stores
  }
}

extension NSPersistentStore {
  /// Purges what comes before a position and every living process has read. Returns the number of transactions.
  fileprivate func deleteHistory(before start: NSPersistentHistoryChangeRequest.Start) throws -> Int {
    guard let store = backEnd.historyKeeping else { return 0 }
    return try storeErrors(saving: true) {
      let wanted: Int64? =
        switch start {
        case .everything: nil
        case .token(let token): token.positions[identifier]?.number
        case .transaction(let transaction):
          transaction.storeID == identifier ? transaction.transactionNumber : nil
        case .date(let date): try store.firstTransaction(since: date.timeIntervalSinceReferenceDate)
        }
      guard let wanted else { return 0 }
      CommitMonitor.catchUp(withStore: store.identifier)
      return try store.purgeHistory(before: wanted, keepingInactive: false)
    }
  }
}

extension NSPersistentStore {
  /// - Throws: code 134301 if the store's history does not continue from a position.
  func check(_ position: HistoryPosition, in range: HistoryRange) throws {
    let token = NSPersistentHistoryToken([identifier: position])
    if position.number > range.newest {
      throw expired(
        token, because: "is ahead of it: the newest transaction is \(range.newest), so the store was put back")
    }
    if position.number.addingCapped(1) < range.oldest {
      throw expired(
        token, because: "is older than what is left of it: the transactions before \(range.oldest) were purged")
    }
    if let time = position.time, let start = range.start, time != start {
      throw expired(token, because: "is of a transaction that was replaced by another, so the store was put back")
    }
  }

  func expired(_ token: NSPersistentHistoryToken?, because reason: String) -> CocoaError {
    CocoaError.coreData(
      .expiredToken,
      "The history of the store '\(url?.shown ?? identifier ?? "")' cannot be read from the place that was asked for, "
        + "which \(reason).",
      userInfo: [
        NSLocalizedRecoverySuggestionErrorKey:
          "Read the objects again (refreshAllObjects(), and fetch again), and continue from "
          + "currentPersistentHistoryToken(fromStores:), taken before that.",
        NSAffectedStoresErrorKey: [self],
      ])
  }
}
