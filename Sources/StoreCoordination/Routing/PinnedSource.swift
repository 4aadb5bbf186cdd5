import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A snapshot of a coordinator's stores: reads see it, saves go to the current rows.
///
/// Stores that cannot keep a snapshot are read as they are. A store added later has no rows here.
final class PinnedSource: ObjectSource {
  private let coordinator: NSPersistentStoreCoordinator
  private let views: [(store: NSPersistentStore, view: any RowView)]

  /// - Throws: `.notOpen` without stores.
  /// - Returns: nil if no store can keep a snapshot.
  init?(of coordinator: NSPersistentStoreCoordinator) throws {
    let stores = coordinator.persistentStores
    guard !stores.isEmpty else {
      throw StoreError(
        .notOpen, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a fetch operation.")
    }
    var isPinned = false
    views = try stores.map { store in
      guard let view = try store.backEnd.pinned() else { return (store, store.backEnd) }
      isPinned = true
      return (store, view)
    }
    self.coordinator = coordinator
    if !isPinned { return nil }
  }

  // MARK: Of then

  func rows(for query: FetchQuery) throws -> RowList {
    let views = try views(for: query)
    return try views.count == 1 ? views[0].rows(for: query) : StoreUnion(stores: views, query: query).rows()
  }

  func ids(for query: FetchQuery) throws -> [RowID] {
    let views = try views(for: query)
    return try views.count == 1
      ? views[0].ids(for: query) : StoreUnion(stores: views, query: query).rows().rows.map(\.id)
  }

  func count(for query: FetchQuery) throws -> Int {
    let views = try views(for: query)
    return try views.count == 1 ? views[0].count(for: query) : StoreUnion(stores: views, query: query).rows().count
  }

  func values(for query: AggregateQuery) throws -> ValueTable {
    let views = try views(for: query.rows)
    if views.count == 1 { return try views[0].values(for: query) }
    return try StoreUnion(stores: views, query: query.rows).values(query, from: self)
  }

  func rows(with ids: [RowID]) throws -> RowList {
    if views.count == 1 { return try views[0].view.rows(with: ids) }
    var rows: [Row] = []
    for (number, ids) in Dictionary(grouping: ids, by: \.store) {
      // A store added later has no rows in the snapshot.
      guard let view = view(number: number) else { continue }
      rows += try view.rows(with: ids).rows
    }
    return RowList(rows: rows)
  }

  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try view(number: owner.store)?.related(to: owner, relationship: relationship) ?? []
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try MemberLists(of: owners) { owners in
      try view(number: owners[0].store)?.related(to: owners, relationship: relationship) ?? MemberLists()
    }
  }

  private func view(number: Int) -> (any RowView)? {
    views.first { $0.store.storeIdentity.number == number }?.view
  }

  /// The views for a query. A removed store is closed, so its view throws.
  private func views(for query: FetchQuery) throws -> [any RowView] {
    let asked = views.filter { store, _ in
      coordinator.holds(store, layout: query.layout, among: views.count)
        && query.stores?.contains(store.storeIdentity.number) ?? true
    }
    return asked.map(\.view)
  }

  // MARK: Of now

  var model: NSManagedObjectModel { coordinator.model }
  func store(number: Int) -> StoreIdentity? { coordinator.store(number: number) }
  func store(uuid: String) -> StoreIdentity? { coordinator.store(uuid: uuid) }
  func attach(_ context: NSManagedObjectContext) { coordinator.attach(context) }
  func pinned() throws -> (any ObjectSource)? { self }
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? { try coordinator.reserveIDs(for: entities) }
  func permanentIDs(for batch: ChangeBatch) throws -> [RowID]? { try coordinator.permanentIDs(for: batch) }
  func commit(_ batch: ChangeBatch) throws -> CommitReceipt { try coordinator.commit(batch) }
  func historyToken(of receipt: CommitReceipt) -> AnyObject? { coordinator.historyToken(of: receipt) }
  func execute(_ change: BulkChange) throws -> BulkReceipt { try coordinator.execute(change) }
  func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    try coordinator.execute(request, for: context)
  }
}

extension NSPersistentStoreCoordinator {
  package func pinned() throws -> (any ObjectSource)? { try PinnedSource(of: self) }
}
