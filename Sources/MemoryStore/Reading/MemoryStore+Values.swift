import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension MemoryStore {
  package func values(for plan: AggregateQuery) throws -> ValueTable { try view().values(for: plan) }
}

extension StoreView {
  /// The results of an aggregate query, in its order.
  func values(for plan: AggregateQuery) throws(StoreError) -> ValueTable {
    var every = plan.rows
    (every.sort, every.limit, every.offset) = ([], 0, 0)
    try QueryCheck.check(plan)
    let subjects = try rows(for: every).map { StoredRow(row: $0, view: self) }
    do {
      return try plan.values(of: subjects)
    } catch {
      throw StoreError(.unsupported, "A fetch of values of \(every.layout.name) was refused: \(error)", cause: error)
    }
  }
}
