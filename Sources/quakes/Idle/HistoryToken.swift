import CoreData
import StrataQuakes

/// A position in the Catalog's history, as text from which a later call continues.
struct HistoryToken: Equatable, Sendable {
  /// 0 before the first transaction.
  var transaction: Int64
  /// The beginning of the store's UUID, which distinguishes it from other stores.
  var store: String

  init(transaction: Int64, of store: NSPersistentStore) {
    self.transaction = transaction
    self.store = Self.name(of: store)
  }

  /// - Returns: nil for an invalid token.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[0]), number >= 0, !parts[1].isEmpty else { return nil }
    (transaction, store) = (number, String(parts[1]))
  }

  /// Such as `4711.3F2A9C01`.
  var text: String { "\(transaction).\(store)" }

  private static func name(of store: NSPersistentStore) -> String { String((store.identifier ?? "").prefix(8)) }

  /// The position of the newest transaction.
  ///
  /// - Throws: what the history throws.
  static func newest(of store: NSPersistentStore, in context: NSManagedObjectContext) throws -> HistoryToken {
    let newest = try transactions(in: context) { request in
      request.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
      request.fetchLimit = 1
    }
    return HistoryToken(transaction: newest.first?.transactionNumber ?? 0, of: store)
  }

  /// A follower of everything after this position.
  ///
  /// - Throws: `Failure` with status 3 if a part of that is gone.
  func follower(of store: NSPersistentStore, in context: NSManagedObjectContext) throws -> HistoryFollower {
    guard self.store == Self.name(of: store) else { throw gone("the token belongs to another store") }
    let near = try Self.transactions(in: context) { [transaction] request in
      request.predicate = NSPredicate(
        format: "transactionNumber IN %@", argumentArray: [[transaction, transaction.addingReportingOverflow(1).0]])
    }
    if let found = near.first(where: { $0.transactionNumber == transaction }) {
      return try HistoryFollower(of: store, after: found.token)
    }
    // The history is purged from its beginning on, so what follows a purged transaction is all that there is.
    let isNew = try transaction == 0 && Self.newest(of: store, in: context) == self
    guard isNew || !near.isEmpty else { throw gone("the history since then was deleted") }
    return try HistoryFollower(of: store)
  }

  private func gone(_ reason: String) -> Failure {
    Failure(
      .notFound,
      "cannot continue after \(text): \(reason); read the list again, and run \"quakes idle --token --timeout 0\"")
  }

  private static func transactions(
    in context: NSManagedObjectContext, _ choose: (NSFetchRequest<any NSFetchRequestResult>) -> Void
  ) throws -> [NSPersistentHistoryTransaction] {
    guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
    choose(fetch)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = .transactionsOnly
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }
}
