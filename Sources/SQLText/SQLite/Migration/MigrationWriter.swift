import Foundation
import StrataManagedModel
import StrataRowStore

/// Writes the migration of a file from one model to another, in place. The statements depend only on the two models and
/// the names in the file, and belong in one transaction.
package struct MigrationWriter: Sendable {
  /// A row of sqlite_master.
  package struct Declaration: Hashable, Sendable {
    package var type: String
    package var name: String
    package var table: String
    package var text: String

    package init(type: String, name: String, table: String, text: String) {
      self.type = type
      self.name = name
      self.table = table
      self.text = text
    }

    /// Whether another program made the trigger or index, judged by the prefixes that Apple's framework and this one
    /// use.
    package var isForeign: Bool {
      switch type {
      case "trigger": !["Z_DA_", "Z_RT_"].contains { name.hasPrefix($0) }
      case "index": !name.hasPrefix("Z") && !name.hasPrefix("A")
      default: false
      }
    }

    /// Statements that can be prepared only if everything that a trigger refers to exists; they change nothing.
    /// - Parameter columns: those of the trigger's table.
    package func probes(_ columns: [String]) -> [String] {
      guard type == "trigger" else { return [] }
      let changes = columns.map { "\"\($0)\" = \"\($0)\"" }.joined(separator: ", ")
      return [
        "EXPLAIN INSERT INTO \"\(table)\" DEFAULT VALUES", "EXPLAIN DELETE FROM \"\(table)\"",
        "EXPLAIN UPDATE \"\(table)\" SET \(changes)",
      ]
    }

    /// All declarations except SQLite's internal ones, in the order of the initializer's arguments.
    package static let read =
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
  }

  let declarations: [Declaration]
  package let rows: RowMigration

  var source: StoreSchema { rows.source }
  var destination: StoreSchema { rows.destination }
  var difference: ModelDifference { rows.difference }

  /// - Parameters:
  ///   - source: the schema of the file.
  ///   - destination: the schema to migrate to.
  ///   - difference: see `RowMigration`.
  ///   - declarations: all of the file's.
  package init(
    from source: StoreSchema, to destination: StoreSchema, _ difference: ModelDifference, declarations: [Declaration]
  ) {
    self.declarations = declarations
    rows = RowMigration(from: source, to: destination, difference) { old in
      // ALTER TABLE cannot drop a column with a constraint, which older stores declare within the table.
      declarations.contains { $0.type == "table" && $0.name == old.name && $0.text.contains(" UNIQUE") }
    }
  }

  /// Declarations of other programs, to be restored last.
  package var foreign: [Declaration] { declarations.filter(\.isForeign) }

  /// The whole migration except for the metadata and the copy of the model.
  /// - Parameter deferring: whether `DeferredTasks` are left for later.
  package func statements(deferring: Bool = false) throws -> [SQLStatement] {
    let writer = SchemaWriter(schema: destination)
    let wanted = try writer.indexes()
    let derivations = try derivations()
    let indexes = makeIndexes(wanted).filter { !deferring || DeferredTasks.isNeeded($0) }
    return dropDeclarations(but: wanted) + rows.statements(declarations: writer.tables, dropsColumns: !deferring)
      + bookkeeping + history + indexes + spatial + derivations + Self.markChange
  }

  /// Changes the schema's version, by which other processes notice the migration.
  private static let markChange: [SQLStatement] = [
    "CREATE TABLE Z_MIGRATION (Z_PK INTEGER PRIMARY KEY)", "DROP TABLE Z_MIGRATION",
  ]
}
