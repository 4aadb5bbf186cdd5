import StrataManagedModel
import StrataRowStore

/// The tasks that a deferred migration leaves for later: dropping unused columns and creating indexes that are not
/// unique. They are not recorded, but derived from the difference between the file and a new store of the model.
package struct DeferredTasks: Sendable {
  let schema: StoreSchema

  package init(schema: StoreSchema) { self.schema = schema }

  /// The tables whose columns `statements` needs.
  package var tables: [String] { schema.tables.map(\.name) }

  /// - Parameters:
  ///   - columns: the columns of each table.
  ///   - indexes: the names of all indexes.
  /// - Throws: `.unsupported` for an index whose predicate SQL cannot say.
  package func statements(_ columns: [String: [String]], indexes: Set<String>) throws -> [SQLStatement] {
    let drops = schema.tables.flatMap { table in
      let known = Set(["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name))
      return (columns[table.name] ?? []).filter { !known.contains($0) }.map {
        "ALTER TABLE \(table.name) DROP COLUMN \($0)" as SQLStatement
      }
    }
    let missing = try SchemaWriter(schema: schema).indexes().filter { statement in
      !indexes.contains { statement.text.contains(" INDEX \($0) ON ") }
    }
    return drops + missing
  }

  /// Whether an index cannot be deferred.
  static func isNeeded(_ index: SQLStatement) -> Bool { index.text.hasPrefix("CREATE UNIQUE") }
}
