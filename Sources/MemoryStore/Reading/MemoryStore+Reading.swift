import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension MemoryStore {
  func view() throws -> StoreView { try whileOpen { StoreView($0.contents) } }

  package func rows(for query: FetchQuery) throws -> RowList { RowList(try view().rows(for: query)) }

  package func ids(for query: FetchQuery) throws -> [RowID] { try view().rows(for: query).map(\.id) }

  /// The number of rows that `rows(for:)` returns: limit and offset apply.
  package func count(for query: FetchQuery) throws -> Int { try view().rows(for: query).count }

  package func rows(with ids: [RowID]) throws -> RowList {
    let view = try view()
    return RowList(
      ids.compactMap { id in
        guard id.store == number, !id.isTemporary, model.layouts.indices.contains(id.entity - 1) else { return nil }
        return view.row(id, of: model.layout(number: id.entity)).flatMap { $0.id == id ? $0 : nil }
      })
  }

  package func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try whileOpen { $0.contents.links.members(of: ToManyTable.Key(owner: owner, relationship: relationship)) }
  }

  package func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    let links = try whileOpen { $0.contents.links }
    let lists = MemberLists(of: owners)
    for owner in lists.owners {
      lists.append(links.members(of: ToManyTable.Key(owner: owner, relationship: relationship)))
    }
    return lists
  }

  package func history(_ query: HistoryQuery) throws -> HistoryRange {
    try whileOpen { state in
      var range = HistoryRange()
      range.newest = state.lastTransaction
      range.oldest = state.history.first?.number ?? state.lastTransaction + 1
      range.start = state.history.first { $0.number == query.after }?.timestamp
      let wanted = try state.history.filter { transaction in
        try transaction.number > query.after && transaction.number <= query.upTo ?? .max
          && transaction.timestamp > query.later ?? -.infinity && query.filter?(transaction) ?? true
      }
      range.transactions = Array(wanted.prefix(query.limit > 0 ? query.limit : .max))
      if query.changes == .none {
        for index in range.transactions.indices { range.transactions[index].changes = [] }
      }
      return range
    }
  }

  package func purgeHistory(before transaction: Int64) throws -> Int {
    try whileOpen { state in
      let kept = state.history.drop { $0.number < transaction }
      defer { state.history = Array(kept) }
      return state.history.count - kept.count
    }
  }

  /// Apple's in-memory stores have no generations either: contexts on them see every save.
  package func pinned() throws -> (any RowView)? { nil }

  package func newestTransaction() throws -> Int64 { try whileOpen { $0.lastTransaction } }
}

extension MemoryStore {
  package func values(for query: AggregateQuery) throws -> ValueTable { try view().values(for: query) }
}

extension StoreView {
  /// The results of an aggregate query, in its order.
  func values(for query: AggregateQuery) throws(StoreError) -> ValueTable {
    var every = query.rows
    (every.sort, every.limit, every.offset) = ([], 0, 0)
    try QueryCheck.check(query)
    let subjects = try rows(for: every).map { StoredRow(row: $0, view: self) }
    do {
      return try query.values(of: subjects)
    } catch {
      throw StoreError(.unsupported, "A fetch of values of \(every.layout.name) was refused: \(error)", cause: error)
    }
  }
}
