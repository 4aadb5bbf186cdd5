import Foundation
import StrataCoreDataErrors
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
  public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CocoaError.coreData(
        .unsupported, "A coordinator cannot execute a request with a context that belongs to another one.")
    }
    return try context.execute(request)
  }

  /// Has the stores that it concerns make a change, and tells who merges by itself.
  ///
  /// Apple's contexts hear of batch requests by nobody; one that merges by itself hears of those of other processes here
  /// and so of those of its own process too, of its own requests as well: it knows nothing of the rows before.
  /// - Throws: what the first store throws; the stores before it have made the change then.
  package func execute(_ change: BulkChange) throws -> BulkReceipt {
    var receipt = BulkReceipt()
    for (store, part) in try parts(of: change) { receipt.append(try store.execute(part, announcedBy: self)) }
    return receipt
  }

  /// The change for each store that it concerns.
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

  /// The ids to delete, where they are given or are a window over several stores; nil where each store can tell its own.
  private func chosenIDs(of deletion: BulkDeletion, _ stores: [NSPersistentStore]) throws -> [RowID]? {
    switch deletion.selection {
    case .ids(let ids): return ids
    case .plan(let plan):
      guard stores.count > 1, plan.limit > 0 || plan.offset > 0 else { return nil }
      return try StoreUnion(stores: stores.map(\.backEnd), plan: plan).rows().rows.map(\.id)
    }
  }

  private func unassignable(_ layout: EntityLayout) -> StoreError {
    StoreError(
      .unassignable,
      "A batch insert has no store: none that it may write to and that can be written holds '\(layout.name)'.")
  }

  /// Whether a context is to be told what changes.
  fileprivate var isHeard: Bool {
    state.withLock { $0.contexts.contains { $0.context?.automaticallyMergesChangesFromParent == true } }
  }
}

extension BulkChange {
  fileprivate func concerns(_ store: Int) -> Bool { stores?.contains(store) ?? true }
}

extension NSPersistentStore {
  fileprivate func execute(_ change: BulkChange, announcedBy coordinator: NSPersistentStoreCoordinator) throws
    -> BulkReceipt
  {
    var change = change
    change.wantsIDs = change.wantsIDs || coordinator.isHeard
    guard let follower else {
      let receipt = try commits.withLock { _ in
        let receipt = try backEnd.execute(change)
        coordinator.deliver(ObjectIDChanges(of: receipt), except: nil)
        return receipt
      }
      relayCommit()
      return receipt
    }
    let receipt = try backEnd.execute(change)
    if let number = receipt.transaction { follower.committed(number, ObjectIDChanges(of: receipt), origin: nil) }
    return receipt
  }
}

extension ObjectIDChanges {
  fileprivate init(of receipt: BulkReceipt) {
    self.init(inserted: receipt.inserted, updated: receipt.updated, deleted: receipt.deleted)
  }
}
