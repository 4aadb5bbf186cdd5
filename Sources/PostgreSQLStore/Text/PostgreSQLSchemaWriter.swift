import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Writes the declarations of a store: one schema with a table for each hierarchy of entities and each many-to-many
/// relationship, and the store's own tables.
///
/// | table | what |
/// |---|---|
/// | `zquake` | rows: `z_pk`, `z_ent`, `z_opt`, and a column for each property |
/// | `z_primarykey` | the number of each entity, and the last key given to its hierarchy |
/// | `z_metadata`, `z_modelcache` | as in an SQLite store |
/// | `strata_counter` | one row: the number of the last transaction, and how often the store was migrated |
/// | `atransaction`, `achange` | the history |
/// | `strata_reader` | how far each reader of the history has come |
package struct PostgreSQLSchemaWriter: Sendable {
  package let schema: StoreSchema

  package init(schema: StoreSchema) { self.schema = schema }

  /// A new, empty store without its metadata.
  /// - Throws: `.unsupported` for an index whose predicate SQL cannot say, and for a derived attribute that the server
  ///   cannot compute.
  package func create() throws -> [SQLStatement] {
    try tables + indexes() + derivations() + bookkeeping + entities
  }

  /// The tables of entities and of many-to-many relationships.
  package var tables: [SQLStatement] {
    let names = schema.rowColumns
    return schema.tables.map { table in
      let columns = table.columns.map { ", \($0.name) \($0.type)" }.joined()
      return SQLStatement(
        "CREATE TABLE \(table.name) (\(names.key) bigint PRIMARY KEY, \(names.entity) integer NOT NULL, "
          + "\(names.version) bigint NOT NULL\(columns))")
    }
      + schema.joins.map { join in
        let orders = join.orders.map { "\($0) integer, " }.joined()
        return SQLStatement(
          "CREATE TABLE \(join.name) (\(join.own) bigint, \(join.other) bigint, \(orders)"
            + "PRIMARY KEY (\(join.own), \(join.other)))")
      }
  }

  /// The number of batch numbers that a store reserves in one step.
  package static let batchBlockSize = 64

  /// The store's own tables. The counter is updated by every commit: the free space lets it stay on one page.
  package var bookkeeping: [SQLStatement] {
    [
      """
      CREATE TABLE z_primarykey (z_ent integer PRIMARY KEY, z_name text, z_super integer, z_max bigint)
      """,
      "CREATE TABLE z_metadata (z_version integer PRIMARY KEY, z_uuid text, z_plist bytea)",
      "CREATE TABLE z_modelcache (z_content bytea)",
      "CREATE TABLE strata_counter (last bigint NOT NULL, migrations integer NOT NULL) WITH (fillfactor = 10)",
      "INSERT INTO strata_counter VALUES (0, 0)",
      "CREATE SEQUENCE strata_batch INCREMENT BY \(Self.batchBlockSize)",
      """
      CREATE TABLE atransaction (z_pk bigint PRIMARY KEY, zbatch bigint NOT NULL, zauthor text, zbundleid text, \
      zcontextname text, zprocessid text, ztimestamp double precision NOT NULL, zorigin uuid NOT NULL)
      """,
      "CREATE INDEX z_atransaction_ztimestamp_index ON atransaction (ztimestamp)",
      """
      CREATE TABLE achange (zbatch bigint, zplace integer, zchangetype smallint NOT NULL, zentity integer NOT NULL, \
      zentitypk bigint NOT NULL, zproperties text, ztombstone bytea, PRIMARY KEY (zbatch, zplace))
      """,
      """
      CREATE TABLE strata_reader (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, \
      place bigint NOT NULL, ztimestamp double precision, moved double precision NOT NULL)
      """,
    ]
  }

  private var entities: [SQLStatement] {
    schema.layouts.map { layout in
      let parent = layout.parent.map { schema.storedNumber(of: $0.number) }
      return Self.primaryKey(schema.storedNumber(of: layout.number), name: layout.name, parent: parent ?? 0)
    }
  }

  package static func primaryKey(_ number: Int, name: String, parent: Int) -> SQLStatement {
    SQLStatement(
      "INSERT INTO z_primarykey (z_ent, z_name, z_super, z_max) VALUES ($1, $2, $3, 0)",
      [.integer(Int64(number)), .text(name), .integer(Int64(parent))])
  }
}

/// Indexes on references and Z_ENT, fetch indexes, and unique indexes.
extension PostgreSQLSchemaWriter {
  private var dialect: PostgreSQLDialect { PostgreSQLDialect() }

  /// All indexes, grouped by table.
  /// - Throws: `.unsupported` for a fetch index whose predicate SQL cannot say.
  package func indexes() throws -> [SQLStatement] {
    var names: Set<String> = []
    return try schema.tables.flatMap { try indexes(of: $0, &names) } + schema.joins.map { index(of: $0, &names) }
  }

  private func indexes(of table: RootTable, _ names: inout Set<String>) throws -> [SQLStatement] {
    var indexes: [SQLStatement] = []
    for column in table.references + (table.family.count > 1 ? [schema.rowColumns.entity] : []) {
      let name = name(joining: [table.name, column, "index"], &names)
      indexes.append("CREATE INDEX \(name) ON \(table.name) (\(column))")
    }
    for layout in table.family {
      for index in layout.indexes {
        guard let columns = columns(of: index, in: layout) else { continue }
        let name = name(joining: ["z", layout.name, index.name], &names)
        let condition = try partialCondition(of: index, in: layout)
        indexes.append("CREATE INDEX \(name) ON \(table.name) (\(columns))\(condition)")
      }
    }
    return indexes + uniqueIndexes(of: table, &names).map { SQLStatement($0.declaration) }
  }

  private func name(joining parts: [String], _ names: inout Set<String>) -> String {
    dialect.uniqueName(parts.map(\.unquoted).joined(separator: "_"), among: &names)
  }

  private func index(of join: JoinTable, _ names: inout Set<String>) -> SQLStatement {
    "CREATE INDEX \(name(joining: [join.name, join.other, "index"], &names)) ON \(join.name) (\(join.other), \(join.own))"
  }

  private func uniqueIndexes(
    of table: RootTable, _ names: inout Set<String>
  ) -> [(name: String, declaration: String)] {
    table.family.flatMap { layout in
      layout.uniqueNames.compactMap { constraint in
        let columns = constraint.compactMap { column($0, of: layout)?.name }
        guard columns.count == constraint.count, !columns.isEmpty else { return nil }
        let name = name(joining: ["z", layout.name, "unique"] + constraint, &names)
        return (name, "CREATE UNIQUE INDEX \(name) ON \(table.name) (\(columns.joined(separator: ", ")))")
      }
    }
  }

  /// The columns of a fetch index; nil if it has no columns, is an R-tree, or only has a to-one relationship, which has
  /// an index anyway.
  private func columns(of index: IndexLayout, in layout: EntityLayout) -> String? {
    var columns: [String] = []
    var isToOne = false
    for element in index.elements where element.collationType == .binary {
      guard let column = self.column(element.path, of: layout) else { continue }
      columns.append("\(column.name) \(element.isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")")
      isToOne = column.kind == .toOne
    }
    return columns.isEmpty || (columns.count == 1 && isToOne) ? nil : columns.joined(separator: ", ")
  }

  private func column(_ name: String, of layout: EntityLayout) -> SlotColumn? {
    layout.slot(named: name).flatMap { schema.table(of: layout).columns[$0] }
  }

  private func partialCondition(of index: IndexLayout, in layout: EntityLayout) throws -> String {
    guard let predicate = index.predicate else { return "" }
    let scope = QueryScope(of: layout, in: schema, isNamed: false)
    let compiler = PredicateCompiler(schema: schema, dialect: dialect, store: 0)
    do {
      let condition = try compiler.condition(layout.flattened(try predicate.get()), in: scope)
      guard !scope.isJoined else { throw compiler.unsupported("it depends on other objects.") }
      return " WHERE \(dialect.inlined(condition))"
    } catch {
      throw StoreError(
        .unsupported,
        "The index '\(layout.name).\(index.name)' has a predicate that cannot be expressed in SQL: \(error)",
        cause: error)
    }
  }
}
