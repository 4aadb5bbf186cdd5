import StrataCSQLite
import StrataRowStore
import StrataSQLText

extension Statement {
  /// Runs a bound statement whose columns are Z_PK and Z_ENT to completion, and resets it.
  /// - Parameters:
  ///   - store: the store's number, for the IDs.
  ///   - entity: the entity's number in the model if all rows are of one; then Z_PK is the only column.
  ///   - isGathered: whether the statement passes its columns to `SQLiteDialect.gathering`.
  /// - Returns: nil if a row is of an entity that the schema does not know.
  package func ids(
    schema: StoreSchema, store: Int, entity: Int? = nil, isGathered: Bool = false
  ) throws -> [RowID]? {
    defer { reset() }
    let list = IDList(schema: schema, store: store, entity: entity)
    if isGathered {
      connection.packing.ids = Unmanaged.passUnretained(list)
      defer { connection.packing.ids = nil }
      while try step() {}
    } else if entity != nil {
      while try step() { list.append(sqlite3_column_value(handle, 0)) }
    } else {
      while try step() { list.append(sqlite3_column_value(handle, 0), sqlite3_column_value(handle, 1)) }
    }
    return list.isComplete ? list.ids : nil
  }

  /// An integer column's value, read as in `RowFetcher`, without asking the column for type and value.
  package func number(_ column: Int32) -> Int64 { sqlite3_value_int64(sqlite3_column_value(handle, column)) }

  /// Binds keys to the parameters from the first, and NULL to the remaining ones.
  package func bind(keys: ArraySlice<Int64>, width: Int) throws {
    for (index, key) in keys.enumerated() { bind(key, at: index + 1) }
    for index in keys.count..<width { try bind(.null, at: index + 1) }
  }
}

/// Maps Z_ENT to the entity's number in the model, and caches the last result: consecutive rows are mostly of one
/// entity.
package struct StoredEntity {
  private let schema: StoreSchema
  private var stored: Int64 = -1
  private var number: Int?

  package init(_ schema: StoreSchema) { self.schema = schema }

  package mutating func number(ofStored stored: Int64) -> Int? {
    if stored != self.stored { (self.stored, number) = (stored, schema.number(ofStored: Int(stored))) }
    return number
  }
}
