import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText

/// Writes the migration of a file's tables from one model to another, in place. The statements depend only on the two
/// models and the names in the file, and belong in one transaction.
///
/// A table keeps its rows if ALTER TABLE can express the difference; otherwise they are copied into a new table. Keys
/// never change, so that references and history remain valid.
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

    /// All declarations except SQLite's internal ones, in the order of the initialiser's arguments.
    package static let read =
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
  }

  let source: StoreSchema
  let destination: StoreSchema
  let difference: ModelDifference
  let declarations: [Declaration]
  let tables: [TableChange]
  let joins: [JoinChange]

  /// - Parameters:
  ///   - source: the schema of the file.
  ///   - destination: the schema to migrate to.
  ///   - declarations: all of the file's.
  /// - Throws: `CocoaError` 134190 for a difference that cannot be inferred.
  package init(from source: StoreSchema, to destination: StoreSchema, declarations: [Declaration]) throws {
    self.source = source
    self.destination = destination
    self.declarations = declarations
    difference = try ModelDifference(
      from: source.layouts.map(\.entity), to: destination.layouts.map(\.entity))
    let origins = MigrationOrigins(source: source, destination: destination, difference: difference)
    tables = TableChange.all(of: origins, declarations)
    joins = destination.joins.map { JoinChange(to: $0, origins) }
  }

  /// Declarations of other programs, to be restored last.
  package var foreign: [Declaration] { declarations.filter(\.isForeign) }

  /// The whole migration except for the metadata and the copy of the model.
  /// - Parameter deferring: whether `DeferredTasks` are left for later.
  package func statements(deferring: Bool = false) throws -> [SQLStatement] {
    let wanted = try SchemaWriter(schema: destination).indexes()
    let derivations = try derivations()
    let dropColumns = deferring ? [] : tables.flatMap(\.dropColumns)
    let indexes = makeIndexes(wanted).filter { !deferring || DeferredTasks.isNeeded($0) }
    return dropDeclarations(but: wanted) + setAside + tables.flatMap { $0.rows(destination) } + makeJoins
      + tables.flatMap { links(of: $0) } + dropOld + dropColumns + dangling + bookkeeping + history + indexes + spatial
      + derivations + Self.markChange
  }

  /// Changes the schema's version, by which other processes notice the migration.
  private static let markChange: [SQLStatement] = [
    "CREATE TABLE Z_MIGRATION (Z_PK INTEGER PRIMARY KEY)", "DROP TABLE Z_MIGRATION",
  ]

  /// The name of an old table until its rows are copied.
  static func oldName(_ name: String) -> String { "OLD_\(name)" }

  private var setAside: [SQLStatement] {
    (oldTables + oldJoins).map { "ALTER TABLE \($0) RENAME TO \(Self.oldName($0))" }
  }

  private var dropOld: [SQLStatement] {
    (oldTables + oldJoins).map { "DROP TABLE \(Self.oldName($0))" }
  }

  /// The tables of entities that are replaced.
  var oldTables: [String] {
    let stay = Set(tables.compactMap { $0.isInPlace ? $0.origin?.name : nil })
    return source.tables.map(\.name).filter { !stay.contains($0) }
  }

  var oldJoins: [String] {
    let stay = Set(joins.filter(\.isKept).map(\.join.name))
    return source.joins.map(\.name).filter { !stay.contains($0) }
  }
}
