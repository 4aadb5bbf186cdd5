import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension StoreView {
  /// The rows that a query selects, in its order.
  func rows(for query: FetchQuery) throws(StoreError) -> [Row] {
    try QueryCheck.check(query)
    // Unsorted rows come in key order, so the search can stop at the end of the requested window.
    let needed = query.sort.isEmpty && query.limit > 0 ? query.fromStart().limit : .max
    let found = try matches(for: query, atMost: needed)
    return Array(query.window(of: try sorted(found, by: query)))
  }

  private func matches(for query: FetchQuery, atMost needed: Int) throws(StoreError) -> [Row] {
    let family = Set(query.includesSubentities ? query.layout.subtreeNumbers : [query.layout.number])
    var found: [Row] = []
    for row in contents.table(of: query.layout).rows where family.contains(row.id.entity) {
      guard try query.filter.map({ filter throws(StoreError) in try holds(filter, for: row, in: query) }) ?? true else {
        continue
      }
      found.append(row)
      if found.count == needed { break }
    }
    return found
  }

  private func holds(_ filter: PredicateNode, for row: Row, in query: FetchQuery) throws(StoreError) -> Bool {
    do {
      return try filter.evaluate(on: StoredRow(row: row, view: self))
    } catch {
      throw StoreError(.unsupported, "A fetch of \(query.layout.name) was refused: \(error)", cause: error)
    }
  }
}

/// Sorting.
extension StoreView {
  private func sorted(_ rows: [Row], by query: FetchQuery) throws(StoreError) -> [Row] {
    guard !query.sort.isEmpty else { return rows }
    let check = QueryCheck(layout: query.layout)
    var paths: [[Int]] = []
    for key in query.sort { paths.append(try check.sortSlots(key)) }
    let keys = rows.map { row in paths.map { value(of: row, at: $0) } }
    return query.order(of: keys).map { rows[$0] }
  }

  private func value(of row: Row, at path: [Int]) -> PredicateValue {
    var row = row
    for slot in path.dropLast() {
      let id = row.page.reference(row: row.index, slot: slot)
      guard let layout = row.layout.slots[slot].relationship?.destination,
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
