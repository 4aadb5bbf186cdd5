import ManagedModel
import ObjectGraph
import RowStore

/// The part of a batch that goes to one store, and where its rows stand in the whole.
struct StorePart {
  var store: NSPersistentStore
  var batch: ChangeBatch
  var inserted: [Int] = []
  var updated: [Int] = []
}

extension NSPersistentStoreCoordinator {
  /// Cuts a batch by stores: new rows go to the first store that can take them, all others to the store they are in.
  func split(_ batch: ChangeBatch) throws -> [StorePart] {
    let stores = persistentStores
    if stores.count == 1, !stores[0].isReadOnly {
      return [
        StorePart(
          store: stores[0], batch: batch, inserted: Array(batch.inserted.indices), updated: Array(batch.updated.indices)
        )
      ]
    }
    var parts: [StorePart] = []
    var homes: [RowID: Int] = [:]
    func part(of store: NSPersistentStore) throws -> Int {
      guard !store.isReadOnly else {
        throw StoreError(
          .readOnly, "The store at '\(store.url?.path ?? "memory")' is read-only and cannot be saved to.")
      }
      if let known = parts.firstIndex(where: { $0.store === store }) { return known }
      var empty = ChangeBatch()
      (empty.author, empty.contextName, empty.origin) = (batch.author, batch.contextName, batch.origin)
      parts.append(StorePart(store: store, batch: empty))
      return parts.count - 1
    }
    for (place, row) in batch.inserted.enumerated() {
      let store = row.id.store == 0 ? try writableStore(for: row.layout) : try owningStore(of: row.id)
      let index = try part(of: store)
      homes[row.id] = index
      parts[index].batch.inserted.append(row)
      parts[index].inserted.append(place)
    }
    for (place, update) in batch.updated.enumerated() {
      let index = try part(of: owningStore(of: update.row.id))
      parts[index].batch.updated.append(update)
      parts[index].updated.append(place)
    }
    for deletion in batch.deleted {
      let index = try part(of: owningStore(of: deletion.id))
      parts[index].batch.deleted.append(deletion)
    }
    for link in batch.links {
      let index = try homes[link.owner] ?? part(of: owningStore(of: link.owner))
      parts[index].batch.links.append(link)
    }
    return parts
  }
}

extension NSPersistentStore {
  /// Commits, and tells everybody: first those who can see the commit in this process, then the other processes.
  func commit(_ batch: ChangeBatch, announcedBy coordinator: NSPersistentStoreCoordinator) throws -> CommitReceipt {
    let receipt = try backEnd.commit(batch)
    let changes = SavedChanges(
      inserted: receipt.inserted, updated: batch.updated.map(\.row.id), deleted: batch.deleted.map(\.id))
    if let follower, let number = receipt.transaction {
      follower.committed(number, changes, origin: batch.origin)
    } else {
      coordinator.deliver(changes, except: batch.origin)
    }
    return receipt
  }
}

extension NSPersistentStoreCoordinator {
  /// Hands changes to every context that asked for them; each merges them on its own queue.
  func deliver(_ changes: SavedChanges, except origin: ObjectIdentifier?) {
    guard !changes.isEmpty else { return }
    let contexts = state.withLock { $0.contexts.compactMap(\.context) }
    for context in contexts where ObjectIdentifier(context) != origin && context.automaticallyMergesChangesFromParent {
      context.enqueueMerge(changes)
    }
  }
}
