import StrataCSQLite
import StrataRowStore
import StrataSQLText

extension Statement {
  /// Runs a bound statement whose columns are Z_PK and Z_ENT to its end, and resets it. nil if a row is of an entity that the
  /// schema lacks.
  /// - Parameters:
  ///   - store: the store's number, for the ids.
  ///   - entity: the number in the model of all rows' entity, if they are of one: then Z_PK is the only column.
  ///   - isGathered: whether the statement hands the columns to `SQLDialect.gathering`.
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

  /// A number in a column, read as in RowFetcher: without asking the column for type and value.
  package func number(_ column: Int32) -> Int64 { sqlite3_value_int64(sqlite3_column_value(handle, column)) }

  /// Binds keys to the parameters from the first on, and NULL to those that are left.
  package func bind(keys: ArraySlice<Int64>, width: Int) throws {
    for (index, key) in keys.enumerated() { bind(key, at: index + 1) }
    for index in keys.count..<width { try bind(.null, at: index + 1) }
  }
}

/// The number in the model of the entity that a row has in the file: rows mostly follow others of their entity.
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
