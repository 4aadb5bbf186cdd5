import StrataManagedModel
import StrataRowStore

/// A snapshot of a store.
final class StoreSnapshot: RowView {
  let store: SQLStore
  let reader: PinnedReader

  init(of store: SQLStore, _ reader: PinnedReader) {
    self.store = store
    self.reader = reader
  }

  func rows(for query: FetchQuery) throws -> RowList { try store.rows(for: query, reader) }
  func ids(for query: FetchQuery) throws -> [RowID] { try store.ids(for: query, reader) }
  func count(for query: FetchQuery) throws -> Int { try store.count(for: query, reader) }
  func values(for query: AggregateQuery) throws -> ValueTable { try store.values(for: query, reader) }
  func rows(with ids: [RowID]) throws -> RowList { try store.rows(with: ids, by: reader) }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try store.related(to: owner, toMany: relationship, readers: reader)
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try store.related(to: owners, toMany: relationship, readers: reader)
  }
}

extension SQLStore {
  package func pinned() throws -> (any RowView)? {
    guard let reader = try PinnedReader(of: readers, path: path) else { return nil }
    let snapshot = StoreSnapshot(of: self, reader)
    snapshots.insert(snapshot)
    return snapshot
  }

  /// The last connection to close checkpoints the WAL, so it must be the writer's.
  func endSnapshots() {
    for snapshot in snapshots.objects { snapshot.reader.end() }
  }
}
