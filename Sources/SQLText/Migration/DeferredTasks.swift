import StrataManagedModel
import StrataRowStore

/// What a deferred migration leaves for later: columns that nothing reads any more, and indexes that refuse no row.
/// Nobody notes them: they are the difference between the file and what a new store of the model would be. Pure.
package struct DeferredTasks: Sendable {
  let schema: StoreSchema

  /// - Parameter schema: how the rows lie in the file.
  package init(schema: StoreSchema) { self.schema = schema }

  /// The tables of the objects, whose columns are to be asked for.
  package var tables: [String] { schema.tables.map(\.name) }

  /// What is left to do.
  /// - Parameters:
  ///   - columns: what each table has.
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

  /// Whether a migration cannot do without an index.
  static func isNeeded(_ index: SQLStatement) -> Bool { index.text.hasPrefix("CREATE UNIQUE") }
}
