import ManagedModel
import RowStore

extension MemoryStore {
  func view() throws -> StoreView { try whileOpen { StoreView($0.contents) } }

  package func rows(for plan: FetchPlan) throws -> RowList { RowList(try view().rows(for: plan)) }

  package func ids(for plan: FetchPlan) throws -> [RowID] { try view().rows(for: plan).map(\.id) }

  /// As many as `rows(for:)` answers: limit and offset count.
  package func count(for plan: FetchPlan) throws -> Int { try view().rows(for: plan).count }

  package func rows(with ids: [RowID]) throws -> RowList {
    let view = try view()
    return RowList(
      ids.compactMap { id in
        guard id.store == number, !id.isTemporary, model.layouts.indices.contains(id.entity - 1) else { return nil }
        return view.row(id, model.layout(number: id.entity)).flatMap { $0.id == id ? $0 : nil }
      })
  }

  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try whileOpen { $0.contents.links.members(of: LinkTable.Key(owner: owner, relationship: relationship)) }
  }

  package func related(to owners: [RowID], relationship: Int) throws -> [RowID: [RowID]] {
    let links = try whileOpen { $0.contents.links }
    let pairs = owners.map { ($0, links.members(of: LinkTable.Key(owner: $0, relationship: relationship))) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  package func history(after transaction: Int64, limit: Int) throws -> [HistoryTransaction] {
    try whileOpen { state in
      // Numbers count up from 1 without gaps, so a number tells its place.
      let later = state.history.dropFirst(Int(max(0, min(transaction, state.lastTransaction))))
      return Array(limit > 0 ? later.prefix(limit) : later)
    }
  }

  /// Apple's stores in memory have no generations either: contexts on them see every save.
  package func pinned() throws -> (any RowView)? { nil }

  package func newestTransaction() throws -> Int64 { try whileOpen { $0.lastTransaction } }
}
