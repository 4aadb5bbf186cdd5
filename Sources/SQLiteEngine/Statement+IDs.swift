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
}
