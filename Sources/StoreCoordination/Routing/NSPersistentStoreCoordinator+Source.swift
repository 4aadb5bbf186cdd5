import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The coordinator as the source for its contexts: every question goes to the stores it concerns.
extension NSPersistentStoreCoordinator: ObjectSource {
  package var model: NSManagedObjectModel { managedObjectModel }

  package func store(number: Int) -> StoreIdentity? {
    state.withLock { $0.store(number: number)?.storeIdentity }
  }

  package func store(uuid: String) -> StoreIdentity? {
    state.withLock { $0.stores.first { $0.storeIdentity.uuid == uuid }?.storeIdentity }
  }

  package func follow() {
    let stores = state.withLock { state in
      state.isFollowing = true
      return state.stores
    }
    for store in stores { store.commitMonitor?.watch() }
  }

  package func attach(_ context: NSManagedObjectContext) { contextList.append(context) }

  // MARK: Reading

  package func rows(for query: FetchQuery) throws -> RowList {
    let stores = try stores(for: query)
    if stores.count == 1 { return try stores[0].backEnd.rows(for: query) }
    return try StoreUnion(stores: stores.map(\.backEnd), query: query).rows()
  }

  package func ids(for query: FetchQuery) throws -> [RowID] {
    let stores = try stores(for: query)
    if stores.count == 1 { return try stores[0].backEnd.ids(for: query) }
    return try StoreUnion(stores: stores.map(\.backEnd), query: query).rows().rows.map(\.id)
  }

  package func count(for query: FetchQuery) throws -> Int {
    let stores = try stores(for: query)
    if stores.count == 1 { return try stores[0].backEnd.count(for: query) }
    return try StoreUnion(stores: stores.map(\.backEnd), query: query).rows().count
  }

  package func values(for query: AggregateQuery) throws -> ValueTable {
    let stores = try stores(for: query.rows)
    if stores.count == 1 { return try stores[0].backEnd.values(for: query) }
    return try StoreUnion(stores: stores.map(\.backEnd), query: query.rows).values(query, from: self)
  }

  package func rows(with ids: [RowID]) throws -> RowList {
    let stores = persistentStores
    if stores.count == 1, ids.areAll(inStore: stores[0].storeIdentity.number) {
      return try stores[0].backEnd.rows(with: ids)
    }
    var rows: [Row] = []
    for (number, ids) in Dictionary(grouping: ids, by: \.store) {
      // A removed store's rows are gone.
      guard let store = stores.first(where: { $0.storeIdentity.number == number }) else { continue }
      // A list may be only part of its pages.
      rows += try store.backEnd.rows(with: ids).rows
    }
    return RowList(rows: rows)
  }

  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try owningStore(of: owner).backEnd.related(to: owner, relationship: relationship)
  }

  package func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    guard let first = owners.first else { return MemberLists() }
    if owners.areAll(inStore: first.store) {
      return try owningStore(of: first).backEnd.related(to: owners, relationship: relationship)
    }
    return try MemberLists(of: owners) { owners in
      try owningStore(of: owners[0]).backEnd.related(to: owners, relationship: relationship)
    }
  }

  // MARK: Writing

  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    var batch = ChangeBatch()
    for layout in entities {
      let page = RowPage(layout: layout, capacity: 1)
      batch.inserted.append(Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0)))
    }
    return try permanentIDs(for: batch)
  }

  package func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? {
    let routing = try SaveRouting(of: batch, among: persistentStores)
    var ids: [RowID] = Array(repeating: .none, count: batch.inserted.count)
    for (storeIndex, places) in Dictionary(grouping: batch.inserted.indices, by: { routing.storeIndexes[$0] }) {
      let rows = places.map { batch.inserted[$0] }
      guard let reserved = try routing.stores[storeIndex].backEnd.reserveIDs(for: rows) else { return nil }
      for (place, id) in zip(places, reserved) { ids[place] = id }
    }
    return ids
  }

  package func historyToken(of receipt: CommitReceipt) -> AnyObject? {
    let stores = persistentStores
    if let number = receipt.transaction, stores.count == 1 {
      return NSPersistentHistoryToken([stores[0].backEnd.identifier: HistoryPosition(number: number)])
    }
    guard !receipt.transactions.isEmpty else { return nil }
    var positions: [String: HistoryPosition] = [:]
    for store in stores {
      // A history request needs a position in every store, also in one that the save did not write.
      guard let number = receipt.transactions[store.storeIdentity.number] ?? store.commitMonitor?.newestDelivered else {
        continue
      }
      positions[store.backEnd.identifier] = HistoryPosition(number: number)
    }
    return positions.isEmpty ? nil : NSPersistentHistoryToken(positions)
  }

  // MARK: Which store

  func stores(of layout: EntityLayout) throws -> [NSPersistentStore] {
    let all = persistentStores
    // A single store is asked for any entity.
    if all.count == 1 { return all }
    guard !all.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a fetch operation.")
    }
    let holding = all.filter { holds($0, layout: layout) }
    guard !holding.isEmpty else {
      throw StoreError(.unsupported, "No store's configuration holds the entity '\(layout.name)'.")
    }
    return holding
  }

  /// The stores for a query: those that hold its entity, limited to the ones it names, if any.
  private func stores(for query: FetchQuery) throws -> [NSPersistentStore] {
    let holding = try stores(of: query.layout)
    guard let numbers = query.stores else { return holding }
    return holding.filter { numbers.contains($0.storeIdentity.number) }
  }

  func holds(_ store: NSPersistentStore, layout: EntityLayout, among count: Int? = nil) -> Bool {
    count ?? persistentStores.count == 1 || store.holds(layout)
  }

  func owningStore(of id: RowID) throws -> NSPersistentStore {
    guard let store = state.withLock({ $0.store(number: id.store) }) else {
      throw StoreError(.notOpen, "The store of the row is not in this coordinator any more.")
    }
    return store
  }
}
