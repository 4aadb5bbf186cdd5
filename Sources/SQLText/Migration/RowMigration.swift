import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes the migration of the tables of rows from one model to another, in place. The statements depend only on the two
/// models and the names of tables, and belong in one transaction. Their placeholders are not numbered yet.
///
/// A table keeps its rows if ALTER TABLE can express the difference; otherwise they are copied into a new table. Keys
/// never change, so that references and history remain valid.
package struct RowMigration: Sendable {
  package let source: StoreSchema
  package let destination: StoreSchema
  package let difference: ModelDifference
  package let tables: [TableChange]
  package let joins: [JoinChange]

  /// - Parameters:
  ///   - source: the schema of the store.
  ///   - destination: the schema to migrate to.
  ///   - difference: the difference of their models. If it was made without checking rows, the migration ends with
  ///     `checkRows(counting:)`.
  ///   - mustCopy: whether the engine cannot alter an old table.
  package init(
    from source: StoreSchema, to destination: StoreSchema, _ difference: ModelDifference,
    mustCopy: (RootTable) -> Bool = { _ in false }
  ) {
    self.source = source
    self.destination = destination
    self.difference = difference
    let origins = MigrationOrigins(source: source, destination: destination, difference: difference)
    tables = TableChange.all(of: origins, mustCopy: mustCopy)
    joins = destination.joins.map { JoinChange(to: $0, origins) }
  }

  /// - Parameters:
  ///   - declarations: of all tables of the destination: those of entities in the order of `tables`, then those of
  ///     many-to-many relationships in the order of `joins`.
  ///   - dropsColumns: whether columns that are not needed any more are dropped.
  ///   - addColumn: adds a column, either with NULL in all rows or with their values.
  package func statements(
    declarations: [SQLStatement], dropsColumns: Bool,
    addColumn: (RootTable.Column, TableChange) -> (statements: [SQLStatement], isFilled: Bool) = Self.addEmptyColumn
  ) -> [SQLStatement] {
    let rows = zip(tables, declarations).flatMap { change, declaration -> [SQLStatement] in
      if change.isKept { return [] }
      return change.isInPlace
        ? change.alterations(destination, addColumn: addColumn) : [declaration] + change.copies(destination)
    }
    let pairs = zip(joins, declarations.dropFirst(tables.count)).flatMap { change, declaration in
      change.isKept ? [] : [declaration] + change.rows(location)
    }
    return setAside + rows + pairs + tables.flatMap { links(of: $0) } + dropOld
      + (dropsColumns ? tables.flatMap(\.dropColumns) : []) + dangling
  }

  /// Checks that no migrated row lacks a value that has become mandatory.
  /// - Parameter count: counts rows with a statement.
  /// - Throws: `CocoaError` 134190 for an attribute without a value in some rows.
  package func checkRows(counting count: (SQLStatement) throws -> Int64) throws {
    let writer = SelectWriter(schema: destination)
    for requirement in difference.requirements {
      guard let layout = destination.layouts.first(where: { $0.name == requirement.entity }),
        let property = requirement.property, !layout.isAbstract
      else { continue }
      var filter = Self.comparisonWithNil(of: property, .equal)
      if let composite = layout.composite(named: property.split(separator: ".").dropLast().joined(separator: ".")) {
        // An element is required only where the composite attribute has a value.
        let others = composite.slots.map { layout.slots[$0].name }.filter { $0 != property }
        filter = .and([filter, .or(others.map { Self.comparisonWithNil(of: $0, .notEqual) })])
      }
      let query = FetchQuery(layout: layout, includesSubentities: false, filter: filter)
      if try count(writer.count(query)) > 0 { throw requirement.error }
    }
  }

  /// Returns a comparison of a property with nil.
  static func comparisonWithNil(of property: String, _ comparison: ComparisonNode.Operator) -> PredicateNode {
    .comparison(ComparisonNode(.keyPath(property.split(separator: ".").map(String.init)), comparison, .value(.null)))
  }

  /// Adds a column with NULL in all rows.
  package static func addEmptyColumn(
    _ column: RootTable.Column, of change: TableChange
  ) -> (statements: [SQLStatement], isFilled: Bool) {
    (["ALTER TABLE \(change.table.name) ADD COLUMN \(column.name) \(column.type)"], false)
  }

  /// The name of an old table until its rows are copied.
  static func oldName(_ name: String, in dialect: some SQLDialect) -> String { dialect.name("OLD_\(name.unquoted)") }

  func oldName(_ name: String) -> String { Self.oldName(name, in: destination.dialect) }

  private var setAside: [SQLStatement] {
    (oldTables + oldJoins).map { "ALTER TABLE \($0) RENAME TO \(oldName($0))" }
  }

  private var dropOld: [SQLStatement] {
    (oldTables + oldJoins).map { "DROP TABLE \(oldName($0))" }
  }

  /// The tables of entities that are replaced.
  package var oldTables: [String] {
    let stay = Set(tables.compactMap { $0.isInPlace ? $0.origin?.name : nil })
    return source.tables.map(\.name).filter { !stay.contains($0) }
  }

  /// The new tables that replace old ones.
  package var successors: [(old: String, new: String)] {
    tables.compactMap { change in change.isInPlace ? nil : change.origin.map { ($0.name, change.table.name) } }
      + joins.compactMap { change in change.isKept ? nil : change.origin.map { ($0, change.join.name) } }
  }

  package var oldJoins: [String] {
    let stay = Set(joins.filter(\.isKept).map(\.join.name))
    return source.joins.map(\.name).filter { !stay.contains($0) }
  }
}
