import StrataManagedModel
import StrataRowStore

/// References between rows that are stored differently than before.
extension RowMigration {
  private var key: String { destination.rowColumns.key }

  /// The location of an old table and column once the new tables exist.
  func location(_ table: String, _ column: String) -> (table: String, column: String) {
    guard let change = tables.first(where: { $0.isInPlace && $0.origin?.name == table }) else {
      return (oldTables.contains(table) || oldJoins.contains(table) ? oldName(table) : table, column)
    }
    return (change.table.name, change.moves?.first { $0.value == column }?.key ?? column)
  }

  /// Fills columns of keys that have no old column of the same property.
  func links(of change: TableChange) -> [SQLStatement] {
    guard change.origin != nil else { return [] }
    var statements: [SQLStatement] = []
    var done: Set<String> = []
    for layout in change.table.family {
      for (slot, column) in destination.table(of: layout).columns.enumerated() {
        guard let column, column.kind == .toOne, let relationship = layout.slots[slot].relationship,
          done.insert(column.name).inserted
        else { continue }
        statements += references(column, of: relationship, in: change)
      }
    }
    return statements + ownerless(in: change)
  }

  private func references(
    _ column: SlotColumn, of relationship: RelationshipLayout, in change: TableChange
  ) -> [SQLStatement] {
    var statements: [SQLStatement] = []
    let isCarried = change.rows.contains { $0.values[column.name]?.columnName != nil }
    if !isCarried { statements += fill(column.name, of: change.table.name, from: pairs(relationship)) }
    if let order = column.orderColumn {
      let isOrdered = change.rows.contains { $0.values[order]?.columnName != nil }
      if !isOrdered { statements.append(number(order, by: column.name, of: change.table.name)) }
    }
    return statements
  }

  private func pairs(_ relationship: RelationshipLayout) -> [LinkPairs] {
    MigrationOrigins(source: source, destination: destination, difference: difference).pairs(of: relationship)
  }

  /// A row takes the first of several candidates.
  private func fill(_ column: String, of table: String, from pairs: [LinkPairs]) -> [SQLStatement] {
    pairs.map { pairs in
      let (old, own) = location(pairs.table, pairs.own)
      let other = location(pairs.table, pairs.other).column
      return """
        UPDATE \(table) SET \(column) = p.other FROM (SELECT \(own) AS own, min(\(other)) AS other FROM \(old) \
        WHERE \(own) IS NOT NULL AND \(other) IS NOT NULL GROUP BY \(own)) AS p WHERE p.own = \(table).\(key)
        """
    }
  }

  private func number(_ order: String, by column: String, of table: String) -> SQLStatement {
    """
    UPDATE \(table) SET \(order) = p.place FROM (SELECT \(key) AS k, 1024 + 1024 * row_number() OVER \
    (PARTITION BY \(column) ORDER BY \(key)) AS place FROM \(table) WHERE \(column) IS NOT NULL) AS p \
    WHERE p.k = \(table).\(key)
    """
  }

  private func ownerless(in change: TableChange) -> [SQLStatement] {
    var statements: [SQLStatement] = []
    for layout in destination.layouts {
      for (number, property) in layout.toMany.enumerated() where layout.declares(property.relationship) {
        guard case .ownerless(change.table.name, let column, let order)? = destination.table(of: layout).toMany[number]
        else { continue }
        if change.moves?[column] == nil {
          statements += fill(column, of: change.table.name, from: pairs(property.relationship).map(\.turned))
        }
        if let order, change.moves?[order] == nil {
          statements.append(self.number(order, by: column, of: change.table.name))
        }
      }
    }
    return statements
  }

  /// Removes references to missing rows, and updates the entity numbers next to references.
  var dangling: [SQLStatement] {
    tables.flatMap { change in change.origin == nil ? [] : references(in: change) } + danglingPairs
  }

  private func references(in change: TableChange) -> [SQLStatement] {
    var done: Set<String> = []
    var statements: [SQLStatement] = []
    for layout in change.table.family {
      for column in destination.table(of: layout).columns {
        guard let column, column.kind == .toOne, done.insert(column.name).inserted else { continue }
        let target = destination.table(of: destination.model.layout(number: column.destination)).name
        if isThinned(target) {
          statements.append(
            """
            UPDATE \(change.table.name) SET \(column.name) = NULL WHERE \(column.name) IS NOT NULL AND \
            \(column.name) NOT IN (SELECT \(key) FROM \(target))
            """)
        }
        guard let entity = column.entityColumn, !isNumbered(entity, in: change, for: target) else { continue }
        statements.append(
          """
          UPDATE \(change.table.name) SET \(entity) = (SELECT d.\(destination.rowColumns.entity) FROM \(target) AS d \
          WHERE d.\(key) = \(change.table.name).\(column.name))
          """)
      }
    }
    return statements
  }

  /// Whether a table has lost rows that references may lead to.
  private func isThinned(_ table: String) -> Bool {
    tables.contains { $0.table.name == table && ($0.origin == nil || !$0.gone.isEmpty) }
  }

  private func isNumbered(_ column: String, in change: TableChange, for target: String) -> Bool {
    let isCarried = change.rows.allSatisfy { $0.values[column]?.plainColumn != nil || $0.values[column] == nil }
    let hasPast = change.rows.contains { $0.values[column]?.plainColumn != nil }
    let stays = tables.contains {
      $0.table.name == target && $0.gone.isEmpty && $0.rows.allSatisfy { $0.before == $0.after }
    }
    return isCarried && hasPast && stays
  }

  private var danglingPairs: [SQLStatement] {
    destination.joins.flatMap { join in
      [(join.own, join.owner), (join.other, join.destination)].compactMap { column, number in
        let target = destination.table(of: destination.model.layout(number: number)).name
        guard isThinned(target) else { return nil }
        return "DELETE FROM \(join.name) WHERE \(column) NOT IN (SELECT \(key) FROM \(target))"
      }
    }
  }
}
