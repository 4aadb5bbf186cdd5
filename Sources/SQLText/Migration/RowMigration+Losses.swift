import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSupport

extension RowMigration {
  /// Counts the values, links and objects for which the new model has no place, before the statements run: those of
  /// attributes, relationships and entities that it does not have. If the other end of a relationship stays, its links do.
  ///
  /// - Parameter count: counts rows with a statement.
  /// - Returns: a text for each of them: "'nickname' of 1204 'Person' objects".
  package func losses(counting count: (SQLStatement) throws -> Int64) throws -> [String] {
    let writer = SelectWriter(schema: source)
    func number(_ layout: EntityLayout, _ filter: PredicateNode? = nil) throws -> Int64 {
      try count(writer.count(FetchQuery(layout: layout, includesSubentities: false, filter: filter)))
    }
    var losses: [String] = []
    var seen: Set<Set<String>> = []
    for change in difference.entities {
      guard let name = change.source?.name, let layout = source.layouts.first(where: { $0.name == name }),
        !layout.isAbstract
      else { continue }
      guard change.destination != nil else {
        let objects = try number(layout)
        if objects > 0 { losses.append(counted(objects, "'\(name)' object")) }
        continue
      }
      let kept = change.origins
      for slot in layout.slots
      where !slot.isTransient && slot.attribute?.isDerived != true && !kept.contains(slot.name) {
        if keepsOtherEnd(of: slot.relationship) { continue }
        let objects = try number(layout, Self.comparisonWithNil(of: slot.name, .notEqual))
        if objects > 0 { losses.append("'\(slot.name)' of \(counted(objects, "'\(name)' object"))") }
      }
      for property in layout.toMany where !property.relationship.isTransient && !kept.contains(property.name) {
        // The slots of the other end have those links.
        if case .slot = property.inverse { continue }
        guard !keepsOtherEnd(of: property.relationship), let pairs = source.pairs(of: property.name, in: layout),
          seen.insert([pairs.table, pairs.own, pairs.other]).inserted
        else { continue }
        let links = try count(
          "SELECT count(*) FROM \(pairs.table) WHERE \(pairs.own) IS NOT NULL AND \(pairs.other) IS NOT NULL")
        if links > 0 { losses.append("'\(property.name)' of '\(name)' objects (\(counted(links, "link")))") }
      }
    }
    return losses
  }

  /// Whether the new model has the inverse of an old relationship, from which the links are read.
  private func keepsOtherEnd(of relationship: RelationshipLayout?) -> Bool {
    guard let inverse = relationship?.inverse else { return false }
    let declarer = source.model.layout(number: inverse.declarer)
    return difference.entities.contains { change in
      guard let layout = source.layouts.first(where: { $0.name == change.source?.name }) else { return false }
      return layout.isKind(of: declarer) && change.origins.contains(inverse.name)
    }
  }
}

extension ModelDifference.EntityChange {
  /// The names of the old properties whose values are kept; paths for elements of composite attributes.
  fileprivate var origins: Set<String> { Set(properties.flatMap { $0.origins(in: "") }) }
}

extension ModelDifference.PropertyChange {
  fileprivate func origins(in path: String) -> [String] {
    guard let source else { return [] }
    return elements.isEmpty ? [path + source.name] : elements.flatMap { $0.origins(in: path + source.name + ".") }
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
