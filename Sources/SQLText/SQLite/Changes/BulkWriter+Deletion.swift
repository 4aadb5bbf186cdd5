import StrataManagedModel
import StrataRowStore

/// Set-based deletion. The rows to delete are gathered in a temporary table, level by level as cascades reach them.
extension BulkWriter {
  /// The rows to delete: Z_ENT of the root, key, Z_ENT, and the number of cascades that led to them.
  package static let createGone = """
    CREATE TEMP TABLE IF NOT EXISTS STRATA_GONE (ROOT INTEGER, KEY INTEGER, ENT INTEGER, LEVEL INTEGER, \
    PRIMARY KEY (ROOT, KEY)) WITHOUT ROWID
    """
  package static let clearGone = "DELETE FROM temp.STRATA_GONE"
  /// The entities of the rows at level `?1`.
  package static let goneEntities = "SELECT DISTINCT ENT FROM temp.STRATA_GONE WHERE LEVEL = ?1 ORDER BY ENT"
  package static let allGoneEntities = "SELECT DISTINCT ENT FROM temp.STRATA_GONE ORDER BY ENT"
  package static let goneRows = "SELECT KEY, ENT FROM temp.STRATA_GONE ORDER BY LEVEL, ROOT, KEY"

  /// Gathers the rows of a query.
  package func gather(_ query: FetchQuery) throws -> SQLStatement {
    let table = schema.table(of: query.layout)
    let rows = try rows(of: query)
    return "\(into) SELECT \(table.rootNumber), Z_PK, Z_ENT, 0 FROM \(table.name)\(rows)"
  }

  /// Gathers the rows of one entity whose keys are in the list `?1`.
  package func gatherKeys(of layout: EntityLayout) -> String {
    let table = schema.table(of: layout)
    return "\(into) SELECT \(table.rootNumber), Z_PK, Z_ENT, 0 FROM \(table.name)"
      + " WHERE Z_PK IN (\(SQLiteDialect.members)) AND Z_ENT = \(table.number)"
  }

  private var into: String { "INSERT OR IGNORE INTO temp.STRATA_GONE" }

  /// Gathers, at level `?2`, what cascades reach from the rows of an entity at level `?1`.
  package func cascades(of layout: EntityLayout) -> [String] {
    let own = schema.table(of: layout)
    let gone = "g.ROOT = \(own.rootNumber) AND g.ENT = \(own.number) AND g.LEVEL = ?1"
    func gather(_ destination: EntityLayout, by join: String) -> String {
      "\(into) SELECT \(schema.table(of: destination).rootNumber), d.Z_PK, d.Z_ENT, ?2 FROM temp.STRATA_GONE g \(join)"
        + " WHERE \(gone)"
    }
    var statements: [String] = []
    for (slot, property) in layout.slots.enumerated() {
      guard let relationship = property.relationship, relationship.deleteRule == .cascadeDeleteRule,
        let column = own.columns[slot]
      else { continue }
      let destination = relationship.destination
      let there = schema.table(of: destination).name
      statements.append(
        gather(
          destination, by: "JOIN \(own.name) o ON o.Z_PK = g.KEY JOIN \(there) d ON d.Z_PK = o.\(column.name)"))
    }
    for (number, property) in layout.toMany.enumerated() {
      guard property.relationship.deleteRule == .cascadeDeleteRule, let storage = own.toMany[number] else { continue }
      let destination = property.relationship.destination
      statements.append(gather(destination, by: members(storage, of: destination)))
    }
    return statements
  }

  private func members(_ storage: ToManyStorage, of destination: EntityLayout) -> String {
    switch storage {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _):
      "JOIN \(table) d ON d.\(column) = g.KEY"
    case .join(let table, let own, let other, _, _):
      "JOIN \(table) j ON j.\(own) = g.KEY JOIN \(schema.table(of: destination).name) d ON d.Z_PK = j.\(other)"
    }
  }

  /// The to-one relationships of remaining rows that lead to gathered rows of an entity, to be set to nil.
  package func nullifications(of layout: EntityLayout) -> [Nullification] {
    let properties =
      layout.slots.compactMap { slot in slot.relationship.map { ($0, slot.inverse) } }
      + layout.toMany.map { ($0.relationship, $0.inverse) }
    return properties.compactMap { relationship, inverse in
      guard relationship.deleteRule == .nullifyDeleteRule, case .slot(let slot) = inverse,
        let column = schema.table(of: relationship.destination).columns[slot]
      else { return nil }
      return nullification(of: column, slot: slot, in: relationship.destination, to: layout)
    }
  }

  private func nullification(
    of column: SlotColumn, slot: Int, in destination: EntityLayout, to layout: EntityLayout
  ) -> Nullification {
    let table = schema.table(of: destination)
    let condition =
      "\(column.name) IN (\(goneKeys(of: layout)))"
      + " AND Z_PK NOT IN (SELECT KEY FROM temp.STRATA_GONE WHERE ROOT = \(table.rootNumber))"
    let columns = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
    let assignments = columns.map { ", \($0) = NULL" }.joined()
    var slots = [UInt64](repeating: 0, count: destination.nullWords)
    slots[slot >> 6] |= 1 << UInt64(slot & 63)
    return Nullification(
      rows: "\(table.name) WHERE \(condition)",
      update: "UPDATE \(table.name) SET Z_OPT = Z_OPT + 1\(assignments) WHERE \(condition)", slots: slots,
      family: destination.subtreeNumbers)
  }

  /// Removes gathered rows of an entity from tables of pairs and from relationships without an inverse.
  package func unlinking(_ layout: EntityLayout) -> [String] {
    let keys = goneKeys(of: layout)
    return ChangeWriter(schema: schema).unlink(layout) { "\($0) IN (\(keys))" }
  }

  /// The keys of gathered rows of an entity.
  private func goneKeys(of layout: EntityLayout) -> String {
    let table = schema.table(of: layout)
    return "SELECT KEY FROM temp.STRATA_GONE WHERE ROOT = \(table.rootNumber) AND ENT = \(table.number)"
  }

  /// The gathered rows of an entity, as table and WHERE clause.
  package func goneRows(of layout: EntityLayout) -> SQLStatement {
    SQLStatement("\(schema.table(of: layout).name) WHERE Z_PK IN (\(goneKeys(of: layout)))")
  }

  /// Removes the gathered rows of an entity.
  package func removeGone(_ layout: EntityLayout) -> String { "DELETE FROM \(goneRows(of: layout).text)" }

  /// Whether deleting rows of an entity affects no other rows.
  package func isAlone(_ layout: EntityLayout) -> Bool {
    cascades(of: layout).isEmpty && nullifications(of: layout).isEmpty && unlinking(layout).isEmpty
  }
}

/// A to-one relationship to be set to nil in remaining rows.
package struct Nullification: Sendable {
  /// The rows, as table and WHERE clause.
  package let rows: String
  /// Sets the relationship to nil.
  package let update: String
  /// The slot of the relationship, as a bit.
  package let slots: [UInt64]
  /// The numbers of the rows' entities.
  package let family: [Int]
}
