import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLiteEngine

/// Which row is in the way of another.
extension Commit {
  /// Notes each constraint that a row of the batch breaks; throws what was no broken constraint. Another new row of the
  /// batch is no stored row.
  func noteConstraint(_ failure: SQLiteFailure, _ row: Row, as id: RowID, expectedVersion: Int64) throws {
    guard failure.isUniqueness else { throw failure.storeError("write", path: store.path) }
    var found = false
    for (layout, names) in constraints(of: row.layout) {
      guard let other = try obstacle(to: row, as: id, layout, names) else { continue }
      found = true
      let stored = inserted.contains(other.id) ? nil : other
      constraintConflicts.append(
        RowConflict(id: row.id, expectedVersion: expectedVersion, stored: stored, constraint: names))
    }
    if !found, expectedVersion == 0, let stored = try store.rows(with: [id], connection).rows.first {
      // A row that had gone was to be written again, and somebody else was quicker.
      versionConflicts.append(RowConflict(id: row.id, expectedVersion: 0, stored: stored))
      return
    }
    // A unique index that the model does not know of.
    if !found { throw failure.storeError("write", path: store.path) }
  }

  /// The constraints that rows of an entity must keep, with the entity that declares them.
  private func constraints(of layout: EntityLayout) -> [(EntityLayout, [String])] {
    var constraints: [(EntityLayout, [String])] = []
    var next: NSEntityDescription? = layout.entity
    while let entity = next {
      constraints += entity.uniqueNames.map { (entity.layout, $0) }
      next = entity.superentity
    }
    return constraints
  }

  /// The row that already has a row's values of a constraint.
  private func obstacle(to row: Row, as id: RowID, _ layout: EntityLayout, _ names: [String]) throws -> Row? {
    var conditions: [PredicateNode] = []
    for name in names {
      guard let slot = row.layout.slot(named: name), !row.page.isNil(row.index, slot) else { return nil }
      let value: PredicateValue =
        row.layout.slots[slot].kind == .toOne
        ? .row(try permanent(row.page.reference(row.index, slot)).bits) : row.predicateValue(slot)
      conditions.append(.comparison(ComparisonNode(.keyPath([name]), .equal, .value(value))))
    }
    let (statement, shape) = try store.selects.rows(FetchQuery(layout: layout, filter: .and(conditions)))
    let others = try store.rows(of: statement, shape, expected: 2, on: connection).rows
    return others.first { $0.id != id }
  }
}
