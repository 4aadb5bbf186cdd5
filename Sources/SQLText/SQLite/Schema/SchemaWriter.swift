import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes the declarations of a store in Apple's layout, to the letter.
package struct SchemaWriter: Sendable {
  let schema: StoreSchema
  var dialect: SQLiteDialect { .sqlite }

  package init(schema: StoreSchema) { self.schema = schema }

  /// A new, empty store without its metadata.
  /// - Parameter history: whether the store keeps a history.
  /// - Throws: `.unsupported` for an index whose predicate SQL cannot say, and for a derived attribute that triggers
  ///   cannot compute.
  package func create(history: Bool) throws -> [SQLStatement] {
    try tables + indexes() + spatialIndexes() + derivations() + bookkeeping + (history ? self.history : [])
  }

  /// The tables of the history.
  package var history: [SQLStatement] {
    HistoryWriter.create(tombstones: HistoryWriter.tombstones(of: schema))
  }

  /// The tables of entities and of many-to-many relationships.
  package var tables: [SQLStatement] {
    schema.tables.map { table in
      let columns = table.columns.map { ", \($0.name) \($0.type)" }.joined()
      return "CREATE TABLE \(table.name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )"
    }
      + schema.joins.map { join in
        let orders = join.orders.map { "\($0) INTEGER, " }.joined()
        return """
          CREATE TABLE \(join.name) ( \(join.own) INTEGER, \(join.other) INTEGER, \(orders)\
          PRIMARY KEY (\(join.own), \(join.other)) )
          """
      }
  }

  /// The tables that describe the store, and a row of Z_PRIMARYKEY for each entity.
  package var bookkeeping: [SQLStatement] {
    [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
      + schema.layouts.map { layout in
        let parent = layout.parent.map { schema.storedNumber(of: $0.number) }
        return Self.primaryKey(schema.storedNumber(of: layout.number), name: layout.name, parent: parent ?? 0)
      }
  }

  static func primaryKey(_ number: Int, name: String, parent: Int) -> SQLStatement {
    """
    INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(bind: .integer(Int64(number))), \
    \(bind: .text(name)), \(bind: .integer(Int64(parent))), 0)
    """
  }
}

/// Derived attributes: triggers compute them, whichever process writes the rows.
///
/// The triggers of counts are those of Apple's stores to the letter; the others follow their pattern.
extension SchemaWriter {
  /// The triggers of all derived attributes.
  /// - Throws: `.unsupported` for an attribute that triggers cannot compute.
  package func derivations() throws -> [SQLStatement] {
    try schema.derivedColumns().flatMap { DerivationTriggers(of: $0, in: schema).statements }
  }
}
