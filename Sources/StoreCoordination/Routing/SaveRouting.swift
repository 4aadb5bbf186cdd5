import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The part of a batch for one store, and the positions of its rows in the whole.
struct StorePart {
  var store: NSPersistentStore
  var batch: ChangeBatch
  var inserted: [Int] = []
  var updated: [Int] = []
}

/// Decides which store each new row of a batch goes to.
///
/// A row assigned to a store goes there. Others go to the first writable store whose configuration holds the entity and
/// that the related rows are in or can go to: a relationship never crosses stores.
struct SaveRouting {
  let stores: [NSPersistentStore]
  /// For each new row, the index of its store in `stores`.
  private(set) var storeIndexes: [Int]

  /// - Throws: `.unassignable` if no store can take a row and its related rows, or if related rows are in several stores.
  init(of batch: ChangeBatch, among stores: [NSPersistentStore]) throws {
    self.stores = stores
    storeIndexes = Array(repeating: 0, count: batch.inserted.count)
    guard !batch.inserted.isEmpty else { return }
    guard !stores.isEmpty else {
      throw StoreError(
        .noStores, "Can't resolve how to assign objects to stores; Coordinator does not have any stores",
        rows: batch.inserted.map { $0.id })
    }
    if stores.count == 1 { try Self.check(batch, goesTo: stores[0]) } else { try route(batch) }
  }

  /// The usual case: no need to look at relationships.
  static func check(_ batch: ChangeBatch, goesTo store: NSPersistentStore) throws {
    var last: EntityLayout?
    for row in batch.inserted where row.layout !== last {
      guard !store.isReadOnly, store.holds(row.layout) else { throw unassignable([row], among: [store]) }
      last = row.layout
    }
  }

  private mutating func route(_ batch: ChangeBatch) throws {
    var related = RelatedRows(of: batch)
    for indexes in related.groups() {
      let rows = indexes.rows.map { batch.inserted[$0] }
      let fixed = indexes.stores.union(
        rows.compactMap { batch.assigned[$0.id] ?? ($0.id.store > 0 ? $0.id.store : nil) })
      guard fixed.count <= 1 else {
        throw StoreError(
          crossing: "a new \(rows[0].layout.name) is related to objects of several stores.", rows: rows.map { $0.id })
      }
      let storeIndex = stores.firstIndex { store in
        !store.isReadOnly && (fixed.first ?? store.storeIdentity.number) == store.storeIdentity.number
          && rows.allSatisfy { store.holds($0.layout) }
      }
      guard let storeIndex else {
        let isAssigned = rows.contains { batch.assigned[$0.id] != nil }
        let canGoAlone = rows.allSatisfy { row in stores.contains { !$0.isReadOnly && $0.holds(row.layout) } }
        guard !fixed.isEmpty, !isAssigned, canGoAlone else {
          throw Self.unassignable(rows, among: stores)
        }
        throw StoreError(
          crossing: "a new \(rows[0].layout.name) is related to an object of a store that cannot take it.",
          rows: rows.map { $0.id })
      }
      for index in indexes.rows { storeIndexes[index] = storeIndex }
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
  /// A coordinator's only store, which takes the whole batch; nil if there is nothing to write.
  func onlyStore(for batch: ChangeBatch) throws -> NSPersistentStore? {
    let stores = persistentStores
    guard stores.count == 1, !stores[0].isReadOnly, !batch.isEmpty else { return nil }
    try SaveRouting.check(batch, goesTo: stores[0])
    return stores[0]
  }

  /// Splits a batch by store: new rows go where they fit, all others to the store they are in. Only stores with something
  /// to write get a part.
  func split(_ batch: ChangeBatch) throws -> [StorePart] {
    if batch.isEmpty { return [] }
    let stores = persistentStores
    guard !stores.isEmpty || !batch.inserted.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation.")
    }
    let routing = try SaveRouting(of: batch, among: stores)
    var parts = StoreParts(of: batch, among: stores)
    for (index, row) in batch.inserted.enumerated() {
      try parts.add(row, at: index, to: routing.stores[routing.storeIndexes[index]])
    }
    for (index, update) in batch.updated.enumerated() { try parts.add(update, at: index) }
    for deletion in batch.deleted { try parts.change(deletion.id) { $0.deleted.append(deletion) } }
    for link in batch.links { try parts.add(link) }
    for check in batch.checked { parts.add(check) }
    return parts.parts
  }
}
