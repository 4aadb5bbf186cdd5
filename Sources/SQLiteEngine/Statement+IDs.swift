import CSQLite
import RowStore
import SQLText

extension Statement {
  /// Runs a bound statement whose columns are Z_PK and Z_ENT to its end, and resets it. nil if a row is of an entity
  /// that the schema lacks.
  /// - Parameter store: the store's number, for the ids.
  package func ids(schema: StoreSchema, store: Int) throws -> [RowID]? {
    var ids: [RowID] = []
    var stored = -1
    var entity = 0
    defer { reset() }
    while try step() {
      // As in RowPump: the values are read without asking the column twice.
      let number = Int(sqlite3_value_int64(sqlite3_column_value(handle, 1)))
      if number != stored {
        guard let known = schema.number(ofStored: number) else { return nil }
        (stored, entity) = (number, known)
      }
      ids.append(RowID(store: store, entity: entity, key: sqlite3_value_int64(sqlite3_column_value(handle, 0))))
    }
    return ids
  }

  /// Runs a bound statement whose columns are a key, Z_PK and Z_ENT to its end, and resets it. Rows of entities that
  /// the schema lacks are left out.
  package func eachPair(schema: StoreSchema, store: Int, _ body: (Int64, RowID) -> Void) throws {
    defer { reset() }
    while try step() {
      guard let entity = schema.number(ofStored: Int(integer(2))) else { continue }
      body(integer(0), RowID(store: store, entity: entity, key: integer(1)))
    }
  }

  /// Binds keys to the parameters from the first on, and NULL to those that are left.
  package func bind(keys: ArraySlice<Int64>, width: Int) throws {
    for (index, key) in keys.enumerated() { bind(key, at: index + 1) }
    for index in keys.count..<width { try bind(.null, at: index + 1) }
  }
}
