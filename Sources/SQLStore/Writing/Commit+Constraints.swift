import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLiteEngine

/// Finds the rows that violate a constraint.
extension Commit {
  /// Notes each constraint that a row of the batch violates; rethrows any other failure. Another new or updated row of
  /// the batch does not count as stored.
  func noteConstraintConflict(_ failure: SQLiteFailure, row: Row, as id: RowID, expectedVersion: Int64) throws {
    guard failure.isUniqueness else { throw failure.storeError("write", path: store.path) }
    var found = false
    for (layout, names) in constraints(of: row.layout) {
      guard let other = try obstacle(to: row, as: id, of: layout, constraint: names) else { continue }
      found = true
      let stored = written.contains(other.id) ? nil : other
      constraintConflicts.append(
        RowConflict(id: row.id, expectedVersion: expectedVersion, stored: stored, constraint: names))
    }
    if !found, expectedVersion == 0, let stored = try store.rows(with: [id], connection).rows.first {
      // The batch recreates a deleted row, and another writer was faster.
      versionConflicts.append(RowConflict(id: row.id, expectedVersion: 0, stored: stored))
      return
    }
    // A unique index that the model does not know.
    if !found { throw failure.storeError("write", path: store.path) }
  }

  /// The constraints on rows of an entity, each with the entity that declares it.
  func constraints(of layout: EntityLayout) -> [(EntityLayout, [String])] {
    layout.lineage.flatMap { layout in layout.uniqueNames.map { (layout, $0) } }
  }

  /// The stored row that already has a row's values for a constraint.
  private func obstacle(to row: Row, as id: RowID, of layout: EntityLayout, constraint names: [String]) throws -> Row? {
    var conditions: [PredicateNode] = []
    for name in names {
      guard let slot = row.layout.slot(named: name), !row.page.isNil(row: row.index, slot: slot) else { return nil }
      let value: PredicateValue =
        row.layout.slots[slot].kind == .toOne
        ? .row(try permanent(row.page.reference(row: row.index, slot: slot)).bits) : row.predicateValue(slot)
      conditions.append(.comparison(ComparisonNode(.keyPath([name]), .equal, .value(value))))
    }
    let (statement, shape) = try store.selects.rows(FetchQuery(layout: layout, filter: .and(conditions)))
    let others = try store.rows(of: statement, shape, expected: 2, on: connection).rows
    return others.first { $0.id != id }
  }
}
