import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

extension PostgreSQLStore {
  /// Whether new rows of an entity can be copied to its table: COPY does not convert values, so every column must have
  /// the type that the store gave it, which other SQL may have changed; and COPY does not support row-level security.
  func canCopy(_ layout: EntityLayout, on connection: ServerConnection) throws -> Bool {
    guard copiesRows.load(ordering: .relaxed) else { return false }
    return try copyable.value(layout.number) {
      let columns = try connection.run(
        SQLStatement(
          """
          SELECT attname::text, atttypid::bigint, relrowsecurity FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid \
          WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
          """, [.text(schema.table(of: layout).name)]))
      var types: [String: Int64] = [:]
      for row in 0..<columns.rowCount {
        if columns.integer(row, 2) != 0 { return false }
        types[columns.text(row, 0)] = columns.integer(row, 1)
      }
      let (names, parameters) = arrays.insertion(of: layout)
      let encoder = RowEncoder(parameters, of: layout, in: schema)
      return zip(names, encoder.types).allSatisfy { types[$0.unquoted] == Int64($1.rawValue) }
    }
  }
}
