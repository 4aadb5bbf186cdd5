import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

extension ServerBulkCommit {
  /// Writes pages as they come.
  func insert(_ insertion: BulkInsertion, startingWith first: BulkPage?) throws {
    guard store.schema.layouts.contains(where: { $0 === insertion.layout }) else {
      throw StoreError(
        .incompatibleModel,
        "The store '\(store.address)' cannot take a new \(insertion.layout.name): its configuration lacks the entity.")
    }
    let resolves = insertion.onConflict != .fail && !insertion.layout.constraints.isEmpty
    if resolves { try lock(insertion.layout) }
    var next = first
    while let page = next {
      try resolves ? resolve(page, of: insertion) : insert(page, of: insertion)
      next = try insertion.rows.next()
    }
  }

  private func insert(_ page: BulkPage, of insertion: BulkInsertion) throws {
    var batch = ChangeBatch()
    batch.inserted = (0..<page.page.count).map { Row(page: page.page, index: $0) }
    noteInsertions(try write(batch).inserted)
  }

  /// A page's row under a temporary ID of its own.
  private func newRow(_ page: RowPage, _ index: Int) -> Row {
    let row = Row(page: page, index: index).copy()
    row.page.setID(.temporary(entity: page.layout.number), row: row.index)
    return row
  }

  /// Inserts a page's rows, or updates the rows that have their unique values.
  private func resolve(_ page: BulkPage, of insertion: BulkInsertion) throws {
    let stored = try storedMatches(page.page)
    var resolver = BulkInsertionResolver(insertion)
    for index in 0..<page.page.count {
      try resolver.add(
        newRow(page.page, index), given: Array(page.given(index)), keys: uniqueKeys, storedRow: { stored[$0] })
    }
    let batch = resolver.batch
    let inserted = try write(batch).inserted
    // A row that this request inserted before still counts as inserted.
    for update in batch.updated where !insertedBefore.contains(update.row.id) { note(update) }
    noteInsertions(inserted)
    insertedBefore.formUnion(inserted)
  }

  private func uniqueKeys(of row: Row) -> [UniqueKey] {
    constraints(on: row.layout).compactMap { UniqueKey(constraint: $0.number, slots: $0.slots, of: row) }
  }

  private func storedMatches(_ page: RowPage) throws -> [UniqueKey: Row] {
    var found: [UniqueKey: Row] = [:]
    for (layout, names) in page.layout.constraints {
      guard let slot = names.first.flatMap({ page.layout.slot(named: $0) }) else { continue }
      let values = (0..<page.count).map { Row(page: page, index: $0).predicateValue(slot) }.filter { $0 != .null }
      guard !values.isEmpty else { continue }
      let filter = PredicateNode.comparison(
        ComparisonNode(.keyPath([page.layout.slots[slot].name]), .in, .value(.list(values))))
      for row in try reader.rows(for: FetchQuery(layout: layout, filter: filter)).rows {
        for key in uniqueKeys(of: row) { found[key] = row }
      }
    }
    return found
  }
}
