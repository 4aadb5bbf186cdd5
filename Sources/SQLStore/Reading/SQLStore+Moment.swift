import StrataManagedModel
import StrataRowStore

/// A store as it was at one moment.
final class StoreMoment: RowView {
  let store: SQLStore
  let reader: PinnedReader

  init(of store: SQLStore, _ reader: PinnedReader) {
    self.store = store
    self.reader = reader
  }

  func rows(for plan: FetchQuery) throws -> RowList { try store.rows(for: plan, reader) }
  func ids(for plan: FetchQuery) throws -> [RowID] { try store.ids(for: plan, reader) }
  func count(for plan: FetchQuery) throws -> Int { try store.count(for: plan, reader) }
  func values(for plan: AggregateQuery) throws -> ValueTable { try store.values(for: plan, reader) }
  func rows(with ids: [RowID]) throws -> RowList { try store.rows(with: ids, by: reader) }
  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try store.related(to: owner, toMany: relationship, readers: reader)
  }
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try store.related(to: owners, toMany: relationship, readers: reader)
  }
}

struct WeakMoment: Sendable { weak var moment: StoreMoment? }

extension SQLStore {
  package func pinned() throws -> (any RowView)? {
    guard let reader = try PinnedReader(of: readers, path: path) else { return nil }
    let moment = StoreMoment(of: self, reader)
    moments.withLock { known in
      known.removeAll { $0.moment == nil }
      known.append(WeakMoment(moment: moment))
    }
    return moment
  }

  /// The last connection to close checkpoints the WAL, so it must be the writer's.
  func endMoments() {
    for moment in moments.withLock({ $0.compactMap(\.moment) }) { moment.reader.end() }
  }
}
