import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The part of a batch that goes to one store, and where its rows stand in the whole.
struct StorePart {
  var store: NSPersistentStore
  var batch: ChangeBatch
  var inserted: [Int] = []
  var updated: [Int] = []
}

/// Which store each new row of a batch goes to.
///
/// A row that was assigned to a store goes there. Others go to the first store that can be written, whose configuration
/// holds the entity, and that the rows it is related to are in or can go to as well: a relationship never leads from
/// one store to another.
struct SaveRouting {
  let stores: [NSPersistentStore]
  /// For each new row the place of its store in `stores`.
  private(set) var homes: [Int]

  /// - Throws: `.unassignable` where no store can take a row and those that it is related to, `.external` where related
  ///   rows are in several stores.
  init(of batch: ChangeBatch, among stores: [NSPersistentStore]) throws {
    self.stores = stores
    homes = Array(repeating: 0, count: batch.inserted.count)
    guard !batch.inserted.isEmpty else { return }
    guard !stores.isEmpty else {
      throw StoreError(
        .unassignable, "Can't resolve how to assign objects to stores; Coordinator does not have any stores",
        rows: batch.inserted.map { $0.id })
    }
    if stores.count == 1 { try Self.check(batch, goesTo: stores[0]) } else { try route(batch) }
  }

  /// The usual case, without a look at relationships.
  static func check(_ batch: ChangeBatch, goesTo store: NSPersistentStore) throws {
    var last: EntityLayout?
    for row in batch.inserted where row.layout !== last {
      guard !store.isReadOnly, store.holds(row.layout) else { throw unassignable([row], among: [store]) }
      last = row.layout
    }
  }

  private mutating func route(_ batch: ChangeBatch) throws {
    var related = RelatedRows(of: batch)
    for places in related.groups() {
      let rows = places.rows.map { batch.inserted[$0] }
      let fixed = places.stores.union(
        rows.compactMap { batch.assigned[$0.id] ?? ($0.id.store > 0 ? $0.id.store : nil) })
      guard fixed.count <= 1 else {
        throw StoreError(
          .external, "A new \(rows[0].layout.name) is related to objects of several stores.", rows: rows.map { $0.id })
      }
      let home = stores.firstIndex { store in
        !store.isReadOnly && (fixed.first ?? store.storeIdentity.number) == store.storeIdentity.number
          && rows.allSatisfy { store.holds($0.layout) }
      }
      guard let home else {
        let isAssigned = rows.contains { batch.assigned[$0.id] != nil }
        let canGoAlone = rows.allSatisfy { row in stores.contains { !$0.isReadOnly && $0.holds(row.layout) } }
        guard !fixed.isEmpty, !isAssigned, canGoAlone else {
          throw Self.unassignable(rows, among: stores)
        }
        throw StoreError(
          .external, "A new \(rows[0].layout.name) is related to an object of a store that cannot take it.",
          rows: rows.map { $0.id })
      }
      for place in places.rows { homes[place] = home }
    }
  }

  private static func unassignable(_ rows: [Row], among stores: [NSPersistentStore]) -> StoreError {
    let holding = stores.filter { store in rows.allSatisfy { store.holds($0.layout) } }
    if let store = holding.first, holding.allSatisfy(\.isReadOnly) { return store.readOnlyError }
    return StoreError(
      .unassignable,
      "Can't resolve how to assign objects to stores: no store that can be written holds the entity "
        + "'\(Set(rows.map { $0.layout.name }).sorted().joined(separator: "', '"))' and what is related to it.",
      rows: rows.map { $0.id })
  }
}

extension NSPersistentStoreCoordinator {
  /// The store of a coordinator that has one: all of a batch goes there.
  func onlyStore(for batch: ChangeBatch) throws -> NSPersistentStore? {
    let stores = persistentStores
    guard stores.count == 1, !stores[0].isReadOnly else { return nil }
    try SaveRouting.check(batch, goesTo: stores[0])
    return stores[0]
  }

  /// Cuts a batch by stores: new rows go where they fit, all others to the store they are in.
  func split(_ batch: ChangeBatch) throws -> [StorePart] {
    let stores = persistentStores
    guard !stores.isEmpty || !batch.inserted.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation.")
    }
    let routing = try SaveRouting(of: batch, among: stores)
    var parts = StoreParts(of: batch, among: stores)
    for (place, row) in batch.inserted.enumerated() {
      try parts.add(row, place, to: routing.stores[routing.homes[place]])
    }
    for (place, update) in batch.updated.enumerated() { try parts.add(update, place) }
    for deletion in batch.deleted { try parts.change(deletion.id) { $0.deleted.append(deletion) } }
    for check in batch.checked { try parts.change(check.id) { $0.checked.append(check) } }
    for link in batch.links { try parts.add(link) }
    return parts.parts.filter { !$0.batch.isEmpty || !$0.batch.checked.isEmpty }
  }
}

extension NSPersistentStore {
  /// Commits, and tells everybody: first those who can see the commit in this process, then the other processes.
  func commit(_ batch: ChangeBatch, announcedBy coordinator: NSPersistentStoreCoordinator) throws -> CommitReceipt {
    guard let follower else {
      // Nobody reads the order of the commits anywhere: they are told in the order in which they are made.
      let receipt = try commits.withLock { _ in
        let receipt = try commit(batch)
        coordinator.deliver(batch.changes(receipt), except: batch.origin)
        return receipt
      }
      relayCommit()
      return receipt
    }
    let receipt = try commit(batch)
    if let number = receipt.transaction {
      follower.committed(number, batch.changes(receipt), origin: batch.origin)
    } else {
      coordinator.deliver(batch.changes(receipt), except: batch.origin)
    }
    return receipt
  }

  private func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    try withNewMetadata { metadata in
      if let metadata { try backEnd.commit(batch, setting: metadata) } else { try backEnd.commit(batch) }
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Hands changes to every context that asked for them; each merges them on its own queue.
  /// - Parameter changes: made only if a context asked for them.
  func deliver(_ changes: @autoclosure () -> ObjectIDChanges, except origin: ObjectIdentifier?) {
    let contexts = state.withLock { $0.contexts.compactMap(\.mergingContext) }
    guard contexts.contains(where: { ObjectIdentifier($0) != origin }) else { return }
    let changes = changes()
    guard !changes.isEmpty else { return }
    for context in contexts where ObjectIdentifier(context) != origin { context.enqueueMerge(changes) }
  }

  /// Has every context that merges by itself read all of its objects anew: what was changed is not known.
  func deliverUnknown() {
    let contexts = state.withLock { $0.contexts.compactMap(\.mergingContext) }
    for context in contexts { context.enqueueUnknownChanges() }
  }
}

extension ChangeBatch {
  /// What its commit changed.
  fileprivate func changes(_ receipt: CommitReceipt) -> ObjectIDChanges {
    ObjectIDChanges(inserted: receipt.inserted, updated: updated.map(\.row.id), deleted: deleted.map(\.id))
  }
}
