import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension StoreView {
  /// The rows that a query selects, in its order.
  func rows(for plan: FetchQuery) throws(StoreError) -> [Row] {
    try QueryCheck.check(plan)
    // Unsorted rows come in key order, so the search can stop at the end of the requested window.
    let needed = plan.sort.isEmpty && plan.limit > 0 ? plan.fromStart().limit : .max
    let found = try matches(for: plan, atMost: needed)
    return Array(plan.window(of: try sorted(found, by: plan)))
  }

  private func matches(for plan: FetchQuery, atMost needed: Int) throws(StoreError) -> [Row] {
    let family = Set(plan.includesSubentities ? plan.layout.familyNumbers : [plan.layout.number])
    var found: [Row] = []
    for row in contents.table(of: plan.layout).rows where family.contains(row.id.entity) {
      guard try plan.filter.map({ filter throws(StoreError) in try holds(filter, for: row, in: plan) }) ?? true else {
        continue
      }
      found.append(row)
      if found.count == needed { break }
    }
    return found
  }

  private func holds(_ filter: PredicateNode, for row: Row, in plan: FetchQuery) throws(StoreError) -> Bool {
    do {
      return try filter.evaluate(on: StoredRow(row: row, view: self))
    } catch {
      throw StoreError(.unsupported, "A fetch of \(plan.layout.name) was refused: \(error)", cause: error)
    }
  }
}

/// Sorting.
extension StoreView {
  private func sorted(_ rows: [Row], by plan: FetchQuery) throws(StoreError) -> [Row] {
    guard !plan.sort.isEmpty else { return rows }
    let check = QueryCheck(layout: plan.layout)
    var paths: [[Int]] = []
    for key in plan.sort { paths.append(try check.sortSlots(key)) }
    let keys = rows.map { row in paths.map { value(of: row, at: $0) } }
    return plan.order(of: keys).map { rows[$0] }
  }

  private func value(of row: Row, at path: [Int]) -> PredicateValue {
    var row = row
    for slot in path.dropLast() {
      let id = row.page.reference(row: row.index, slot: slot)
      guard let layout = row.layout.slots[slot].relationship?.destinationEntity?.layout,
        let next = self.row(id, of: layout)
      else { return .null }
      row = next
    }
    return path.last.map { row.predicateValue($0) } ?? .null
  }
}

extension RowList {
  /// Rows of any pages, in the given order.
  init(_ rows: [Row]) {
    self.init()
    var pageIndexes: [ObjectIdentifier: UInt64] = [:]
    var order: [UInt64] = []
    order.reserveCapacity(rows.count)
    for row in rows {
      let page = pageIndexes[ObjectIdentifier(row.page)] ?? UInt64(pages.count)
      if page == UInt64(pages.count) {
        pageIndexes[ObjectIdentifier(row.page)] = page
        pages.append(row.page)
      }
      order.append(page << 32 | UInt64(row.index))
    }
    self.order = order
  }
}
