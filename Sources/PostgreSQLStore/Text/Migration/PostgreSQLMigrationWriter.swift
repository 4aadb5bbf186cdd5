import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Writes the migration of a store from one model to another, in place. The statements depend only on the two models and
/// on which indexes there are, and belong in one transaction.
///
/// Entities keep their numbers and rows their keys, so that the history remains valid.
package struct PostgreSQLMigrationWriter: Sendable {
  package let rows: RowMigration
  /// The names of the indexes that are there.
  let indexes: Set<String>

  var source: StoreSchema { rows.source }
  var destination: StoreSchema { rows.destination }

  /// - Parameters:
  ///   - source: the schema of the store.
  ///   - destination: the schema to migrate to, with the numbers of `numbers(of:_:_:)`.
  ///   - difference: see `RowMigration`.
  ///   - indexes: the names of the indexes that are there, as spelled in the catalog.
  package init(
    from source: StoreSchema, to destination: StoreSchema, _ difference: ModelDifference, indexes: Set<String>
  ) {
    rows = RowMigration(from: source, to: destination, difference)
    self.indexes = indexes
  }

  /// Z_ENT by name of the entities of the new model: an entity keeps the number it had, and others follow.
  /// - Parameters:
  ///   - schema: the schema to migrate to, with whatever numbers.
  ///   - difference: see `RowMigration`.
  ///   - stored: all numbers in the store.
  package static func numbers(
    of schema: StoreSchema, _ difference: ModelDifference, _ stored: [String: Int]
  ) -> [String: Int] {
    var numbers: [String: Int] = [:]
    var last = stored.values.max() ?? 0
    for layout in schema.layouts {
      numbers[layout.name] = difference.change(to: layout)?.before.flatMap { stored[$0.name] }
    }
    for layout in schema.model.layouts where numbers[layout.name] == nil {
      last += 1
      numbers[layout.name] = last
    }
    return numbers
  }

  /// All tables that the migration reads or changes, for the lock that keeps others out.
  package var tables: [String] {
    source.tables.map(\.name) + source.joins.map(\.name)
      + ["z_primarykey", "achange", "atransaction", "strata_counter"]
  }

  /// The new tables that replace old ones and should get their privileges.
  package var successors: [(old: String, new: String)] { rows.successors }

  /// The whole migration except for the metadata and the copy of the model.
  /// - Throws: `.unsupported` for an index whose predicate SQL cannot say, and for a derived attribute that the server
  ///   cannot compute.
  package func statements() throws -> [SQLStatement] {
    let (old, writer) = (PostgreSQLSchemaWriter(schema: source), PostgreSQLSchemaWriter(schema: destination))
    let (before, wanted) = (try old.indexes(), try writer.indexes())
    let kept = kept(of: before, wanted)
    let statements =
      try old.dropDerivations() + drops(of: before, but: kept)
      + rows.statements(declarations: writer.tables, dropsColumns: true, addColumn: addColumn)
      + bookkeeping + history + wanted.filter { !kept.contains($0.text) }
      + writer.derivedValues(where: isNewlyDerived) + writer.derivations() + [Self.markChange]
    return statements.map(destination.dialect.finished)
  }

  /// Whether a derived attribute is new, or has a new derivation.
  private func isNewlyDerived(_ entity: String, _ name: String) -> Bool {
    rows.difference.newDerivations.contains { $0 == (entity, name) }
  }

  /// Refuses the commits of those who have the store open with the older model.
  private static let markChange: SQLStatement = "UPDATE strata_counter SET migrations = migrations + 1"

  /// A column whose value is the same in all rows is added with that value, which takes no time, however many there are.
  private func addColumn(
    _ column: RootTable.Column, to change: TableChange
  ) -> (statements: [SQLStatement], isFilled: Bool) {
    let table = change.table.name
    let values = Set(change.rows.map { $0.values[column.name] })
    guard values.count == 1, case .constant(let value, let kind)?? = values.first else {
      return RowMigration.addEmptyColumn(column, of: change)
    }
    let literal = destination.dialect.inlined(SQLStatement(destination.dialect.placeholder(of: kind), [value]))
    return (
      [
        "ALTER TABLE \(table) ADD COLUMN \(column.name) \(column.type) DEFAULT \(literal)",
        "ALTER TABLE \(table) ALTER COLUMN \(column.name) DROP DEFAULT",
      ], true
    )
  }
}

/// Indexes.
extension PostgreSQLMigrationWriter {
  /// The texts of indexes that stay: those of tables that keep their rows follow their columns.
  private func kept(of before: [SQLStatement], _ wanted: [SQLStatement]) -> Set<String> {
    let gone = Set(rows.oldTables + rows.oldJoins)
    let texts = Set(wanted.map(\.text))
    return Set(
      before.map(\.text).filter { text in
        texts.contains(text) && indexes.contains(Self.name(of: text).unquoted)
          && !gone.contains { text.contains(" ON \($0) (") }
      })
  }

  private func drops(of before: [SQLStatement], but kept: Set<String>) -> [SQLStatement] {
    before.filter { !kept.contains($0.text) }.map { "DROP INDEX IF EXISTS \(Self.name(of: $0.text))" }
  }

  /// The name in `CREATE INDEX name ON …`.
  private static func name(of index: String) -> String {
    guard let start = index.firstRange(of: "INDEX "), let end = index.firstRange(of: " ON ") else { return "" }
    return String(index[start.upperBound..<end.lowerBound])
  }
}
