import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSupport

extension RowMigration {
  /// Counts the values and objects for which the new model has no place, before the statements run: those of attributes,
  /// to-one relationships and entities that it does not have.
  ///
  /// - Parameter count: counts rows with a statement.
  /// - Returns: a text for each of them: "'nickname' of 1204 'Person' objects".
  package func losses(counting count: (SQLStatement) throws -> Int64) throws -> [String] {
    let writer = SelectWriter(schema: source)
    func number(_ layout: EntityLayout, _ filter: PredicateNode? = nil) throws -> Int64 {
      try count(writer.count(FetchQuery(layout: layout, includesSubentities: false, filter: filter)))
    }
    var losses: [String] = []
    for change in difference.entities {
      guard let name = change.source?.name, let layout = source.layouts.first(where: { $0.name == name }),
        !layout.isAbstract
      else { continue }
      guard change.destination != nil else {
        let objects = try number(layout)
        if objects > 0 { losses.append("\(objects) '\(name)' objects") }
        continue
      }
      let kept = Set(change.properties.compactMap { $0.source?.name })
      for slot in layout.slots
      where !slot.isTransient && slot.attribute?.isDerived != true && !kept.contains(slot.ownerName) {
        let objects = try number(layout, Self.comparisonWithNil(of: slot.name, .notEqual))
        if objects > 0 { losses.append("'\(slot.name)' of \(objects) '\(name)' objects") }
      }
    }
    return losses
  }
}

extension MigrationCheck {
  /// Warns of values that a migration has dropped: a property that was renamed in place looks like one that was removed.
  package func warn(of losses: [String]) {
    guard !losses.isEmpty else { return }
    Diagnostics.warn(
      "the migration of '\(store)' dropped what the new model does not have: \(losses.joined(separator: ", ")). If an "
        + "attribute, a relationship or an entity has a new name, its renaming identifier must be the former one: restore "
        + "the store from a backup, set it, and migrate again.")
  }
}
