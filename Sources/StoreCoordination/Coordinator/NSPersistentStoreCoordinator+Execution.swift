import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension NSPersistentStoreRequest {
  /// The stores to ask; nil for all stores of the coordinator.
  public var affectedStores: [NSPersistentStore]? {
    get { chosenStores?.compactMap { $0.store as? NSPersistentStore } }
    set { chosenStores = newValue?.map(\.storeIdentity) }
  }
}

extension NSPersistentStoreCoordinator {
  /// Executes a request for a context, on that context's queue.
  /// - Returns: an `NSPersistentStoreResult`.
  /// - Throws: the errors of `NSManagedObjectContext.execute(_:)`.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CocoaError.coreData(
        .unsupported, "A coordinator cannot execute a request with a context that belongs to another one.")
    }
    return try context.execute(request)
  }

  /// Has the stores concerned make a change, and announces it to contexts that merge automatically.
  ///
  /// Apple's contexts are not notified of batch requests. Here, a context that merges automatically is notified of other processes'
  /// requests, so also of its own process's, and even of its own: it does not know the rows' previous state.
  /// - Throws: what the first failing store throws; the stores before it have made the change by then.
  package func execute(_ change: BulkChange) throws -> BulkReceipt {
    var receipt = BulkReceipt()
    for (store, part) in try parts(of: change) { receipt.append(try execute(part, in: store)) }
    return receipt
  }

  /// The part of a change for each store concerned.
  private func parts(of change: BulkChange) throws -> [(NSPersistentStore, BulkChange)] {
    let stores = try stores(of: change.layout).filter { change.concerns($0.storeIdentity.number) }
    switch change.work {
    case .insert:
      guard let home = stores.first(where: { !$0.isReadOnly }) else { throw unassignable(change.layout) }
      return [(home, change)]
    case .update: return stores.map { ($0, change) }
    case .delete(let deletion):
      guard let ids = try chosenIDs(of: deletion, stores) else { return stores.map { ($0, change) } }
      return stores.compactMap { store in
        let own = ids.filter { $0.store == store.storeIdentity.number }
        guard !own.isEmpty else { return nil }
        var part = change
        part.work = .delete(BulkDeletion(layout: deletion.layout, selection: .ids(own)))
        return (store, part)
      }
    }
  }

  /// The IDs to delete, if they are given or are a window over several stores; nil if each store can find its own.
  private func chosenIDs(of deletion: BulkDeletion, _ stores: [NSPersistentStore]) throws -> [RowID]? {
    switch deletion.selection {
    case .ids(let ids): return ids
    case .query(let query):
      guard stores.count > 1, query.limit > 0 || query.offset > 0 else { return nil }
      return try StoreUnion(stores: stores.map(\.backEnd), query: query).rows().rows.map(\.id)
    }
  }

  private func unassignable(_ layout: EntityLayout) -> StoreError {
    StoreError(
      .unassignable,
      "A batch insert has no store: none that it may write to and that can be written holds '\(layout.name)'.")
  }
}

extension BulkChange {
  fileprivate func concerns(_ store: Int) -> Bool { stores?.contains(store) ?? true }
}
