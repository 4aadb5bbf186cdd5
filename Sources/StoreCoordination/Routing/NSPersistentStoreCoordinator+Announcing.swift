import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// Writing to one store, and announcing the commit afterwards.
extension NSPersistentStoreCoordinator {
  /// Commits a batch, with the metadata that the program has set, and announces it: first in this process, which can see
  /// the commit, then to the others.
  func write(_ batch: ChangeBatch, to store: NSPersistentStore) throws -> CommitReceipt {
    let changes = { (receipt: CommitReceipt) in
      ObjectIDChanges(
        inserted: receipt.inserted, updated: batch.updated.map(\.row.id), deleted: batch.deleted.map(\.id),
        derivationInputs: batch.derivationInputs)
    }
    return try announcing(changes, of: store, except: batch.origin) {
      try store.withNewMetadata { metadata in
        try metadata.map { try store.backEnd.commit(batch, setting: $0) } ?? store.backEnd.commit(batch)
      }
    }
  }

  /// Makes a bulk change in one store and announces it, even to the context that asked: it does not know the rows' previous
  /// state.
  func execute(_ change: BulkChange, in store: NSPersistentStore) throws -> BulkReceipt {
    var change = change
    change.wantsIDs = change.wantsIDs || isHeard
    let changes = { (receipt: BulkReceipt) in
      ObjectIDChanges(inserted: receipt.inserted, updated: receipt.updated, deleted: receipt.deleted)
    }
    return try announcing(changes, of: store, except: nil) { try store.backEnd.execute(change) }
  }

  private func announcing<Receipt: StoreReceipt>(
    _ changes: (Receipt) -> ObjectIDChanges, of store: NSPersistentStore, except origin: ObjectIdentifier?,
    commit: () throws -> Receipt
  ) throws -> Receipt {
    guard let commitMonitor = store.commitMonitor else {
      // A snapshot that a waiting thread keeps would prevent the store from emptying its log.
      ReadBurst.current?.release()
      // The order of commits cannot be read later, so commits are announced in the order in which they are made.
      let (receipt, contexts) = try store.commits.withLock {
        let receipt = try commit()
        return (receipt, deliver(changes(receipt), except: origin))
      }
      withExtendedLifetime(contexts) {}
      store.relayCommit()
      return receipt
    }
    let receipt = try commit()
    if let number = receipt.transaction {
      commitMonitor.committed(number, changing: changes(receipt), origin: origin)
    } else {
      _ = deliver(changes(receipt), except: origin)
    }
    return receipt
  }

  /// Delivers changes to every context that asked for them; each merges them on its own queue.
  /// - Parameter changes: evaluated only if a context asked.
  /// - Returns: the contexts. A caller that holds a lock keeps them until it has released the lock, which their
  ///   deinitializers may take.
  func deliver(
    _ changes: @autoclosure () -> ObjectIDChanges, except origin: ObjectIdentifier?
  ) -> [NSManagedObjectContext] {
    let contexts = contextList.merging(except: origin)
    guard !contexts.isEmpty else { return [] }
    let changes = changes()
    guard !changes.isEmpty else { return contexts }
    for context in contexts { context.enqueueMerge(changes) }
    return contexts
  }

  /// Has every automatically merging context reread all of its objects: what changed is unknown.
  /// - Returns: the contexts, for the same reason as `deliver`.
  func deliverUnknown() -> [NSManagedObjectContext] {
    let contexts = contextList.merging(except: nil)
    for context in contexts { context.enqueueUnknownChanges() }
    return contexts
  }

  private var isHeard: Bool { contextList.hasMergingContext }
}

/// A store's receipt for a change.
private protocol StoreReceipt: Sendable {
  /// The transaction's number in the history; nil without history, or if nothing changed.
  var transaction: Int64? { get }
}

extension CommitReceipt: StoreReceipt {}
extension BulkReceipt: StoreReceipt {}
