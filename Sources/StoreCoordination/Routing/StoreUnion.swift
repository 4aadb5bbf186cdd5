import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// A fetch over several stores: each store's rows, merged into one order, then cut to the window.
struct StoreUnion {
  let stores: [any RowView]
  let query: FetchQuery
  private let reversesTies: Bool

  init(stores: [any RowView], query: FetchQuery) {
    (self.stores, self.query, reversesTies) = (stores, query, query.reversesTies)
  }

  func rows() throws -> RowList {
    let wide = query.fromStart()
    for key in query.sort where key.keyPath.count > 1 {
      throw StoreError(
        .unsupported,
        "Rows of several stores cannot be sorted by '\(key.keyPath.joined(separator: "."))': sort by a property of the entity itself."
      )
    }
    let found = try stores.flatMap { try $0.rows(for: wide).rows }
    let sorted = query.sort.isEmpty ? found : found.sorted(by: isBefore)
    return RowList(rows: Array(query.window(of: sorted)))
  }

  /// The result of an aggregate query over the rows of all stores.
  /// - Parameter view: where destinations of their relationships are read.
  func values(_ values: AggregateQuery, from view: any RowView) throws -> ValueTable {
    var every = query
    (every.sort, every.limit, every.offset) = ([], 0, 0)
    let reader = RowReader(view)
    let rows = try StoreUnion(stores: stores, query: every).rows().rows.map { ViewedRow($0, reader) }
    do {
      let table = try values.values(of: rows)
      if let failure = reader.failure { throw failure }
      return table
    } catch let error as PredicateEvaluationError {
      throw StoreError(.unsupported, "A fetch of values of \(query.layout.name) was refused: \(error)", cause: error)
    }
  }

  private func isBefore(_ left: Row, _ right: Row) -> Bool {
    for key in query.sort {
      guard let name = key.keyPath.first, let slot = query.layout.slot(named: name) else { continue }
      switch key.order(left.predicateValue(slot), right.predicateValue(slot)) {
      case .orderedSame: continue
      case .orderedAscending: return true
      case .orderedDescending: return false
      }
    }
    // As each of the stores orders its rows, whatever their entities.
    guard left.id.key == right.id.key else { return left.id.comesBefore(right.id, reversed: reversesTies) }
    return reversesTies ? left.id.bits > right.id.bits : left.id.bits < right.id.bits
  }
}
