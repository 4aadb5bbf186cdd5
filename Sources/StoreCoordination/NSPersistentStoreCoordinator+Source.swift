import Foundation
import ManagedModel
import ObjectGraph
import RowStore

/// The coordinator as the source of its contexts: every question goes to the stores that it concerns.
extension NSPersistentStoreCoordinator: ObjectSource {
  package var model: NSManagedObjectModel { managedObjectModel }

  package func store(number: Int) -> StoreIdentity? {
    state.withLock { $0.stores.first { $0.storeIdentity.number == number }?.storeIdentity }
  }

  package func store(uuid: String) -> StoreIdentity? {
    state.withLock { $0.stores.first { $0.storeIdentity.uuid == uuid }?.storeIdentity }
  }

  package func attach(_ context: NSManagedObjectContext) {
    state.withLock { state in
      state.contexts.removeAll { $0.context == nil }
      state.contexts.append(ContextReference(context))
    }
  }

  // MARK: Reading

  package func rows(for plan: FetchPlan) throws -> RowList {
    let stores = try stores(of: plan.layout)
    if stores.count == 1 { return try stores[0].backEnd.rows(for: plan) }
    return try StoreUnion(stores: stores.map(\.backEnd), plan: plan).rows()
  }

  package func ids(for plan: FetchPlan) throws -> [RowID] {
    let stores = try stores(of: plan.layout)
    if stores.count == 1 { return try stores[0].backEnd.ids(for: plan) }
    return try StoreUnion(stores: stores.map(\.backEnd), plan: plan).rows().rows.map(\.id)
  }

  package func count(for plan: FetchPlan) throws -> Int {
    let stores = try stores(of: plan.layout)
    if stores.count == 1 { return try stores[0].backEnd.count(for: plan) }
    return try StoreUnion(stores: stores.map(\.backEnd), plan: plan).rows().count
  }

  package func rows(with ids: [RowID]) throws -> RowList {
    let stores = persistentStores
    if stores.count == 1 { return try stores[0].backEnd.rows(with: ids) }
    var rows: [Row] = []
    for (number, ids) in Dictionary(grouping: ids, by: \.store) {
      // A store that was removed has no rows: they are gone.
      guard let store = stores.first(where: { $0.storeIdentity.number == number }) else { continue }
      // A list need not be all of its pages.
      rows += try store.backEnd.rows(with: ids).rows
    }
    return RowList(rows: rows)
  }

  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try owningStore(of: owner).backEnd.related(to: owner, relationship: relationship)
  }

  package func related(to owners: [RowID], relationship: Int) throws -> [RowID: [RowID]] {
    var members: [RowID: [RowID]] = [:]
    for (_, owners) in Dictionary(grouping: owners, by: \.store) {
      let found = try owningStore(of: owners[0]).backEnd.related(to: owners, relationship: relationship)
      members.merge(found) { first, _ in first }
    }
    return members
  }

  // MARK: Writing

  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    var ids: [RowID?] = Array(repeating: nil, count: entities.count)
    let groups = try Dictionary(grouping: entities.indices) {
      try writableStore(for: entities[$0]).storeIdentity.number
    }
    for (number, places) in groups {
      guard let store = persistentStores.first(where: { $0.storeIdentity.number == number }),
        let reserved = try store.backEnd.reserveIDs(for: places.map { entities[$0] })
      else { return nil }
      for (place, id) in zip(places, reserved) { ids[place] = id }
    }
    return ids.compactMap { $0 }
  }

  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    let parts = try split(batch)
    var receipt = CommitReceipt(
      inserted: batch.inserted.map(\.id), updatedVersions: batch.updated.map(\.row.version), transaction: nil)
    for part in parts {
      let partial = try part.store.commit(part.batch, announcedBy: self)
      for (place, id) in zip(part.inserted, partial.inserted) { receipt.inserted[place] = id }
      for (place, version) in zip(part.updated, partial.updatedVersions) { receipt.updatedVersions[place] = version }
      receipt.transaction = partial.transaction
    }
    return receipt
  }

  // MARK: Which store

  func stores(of layout: EntityLayout) throws -> [NSPersistentStore] {
    let all = persistentStores
    guard !all.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a fetch operation.")
    }
    let holding = all.filter { holds($0, layout) }
    guard !holding.isEmpty else {
      throw StoreError(.unsupported, "No store's configuration holds the entity '\(layout.name)'.")
    }
    return holding
  }

  func holds(_ store: NSPersistentStore, _ layout: EntityLayout, among count: Int? = nil) -> Bool {
    guard count ?? persistentStores.count > 1 else { return true }
    let entities = managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []
    return entities.contains { $0 === layout.entity }
  }

  func owningStore(of id: RowID) throws -> NSPersistentStore {
    guard let store = persistentStores.first(where: { $0.storeIdentity.number == id.store }) else {
      throw StoreError(.notOpen, "The store of the row is not in this coordinator any more.")
    }
    return store
  }

  /// The first store that can be written and whose configuration holds the entity.
  func writableStore(for layout: EntityLayout) throws -> NSPersistentStore {
    let stores = persistentStores
    guard !stores.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation.")
    }
    guard let store = stores.first(where: { !$0.isReadOnly && holds($0, layout) }) else {
      throw StoreError(.readOnly, "No store that can be written holds the entity '\(layout.name)'.")
    }
    return store
  }
}
