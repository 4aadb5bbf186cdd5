import CSQLite
import RowStore
import SQLText

/// Who packs the rows of the statement that runs, or gathers their ids.
final class Packing {
  @exclusivity(unchecked) var packer: Unmanaged<RowPacker>?
  @exclusivity(unchecked) var ids: IDList?
}

/// The ids of rows, as they come.
final class IDList {
  private let store: Int
  @exclusivity(unchecked) private(set) var ids: [RowID] = []
  @exclusivity(unchecked) private var entities: StoredEntity
  /// Whether all rows were of entities that the schema has.
  @exclusivity(unchecked) private(set) var isComplete = true

  init(schema: StoreSchema, store: Int) {
    self.store = store
    entities = StoredEntity(schema)
  }

  /// As in `RowPacker`: the values are read without asking the column for each of their parts.
  @inline(__always)
  func append(_ key: OpaquePointer?, _ number: OpaquePointer?) {
    guard let entity = entities.number(ofStored: sqlite3_value_int64(number)) else { return isComplete = false }
    ids.append(RowID(store: store, entity: entity, key: sqlite3_value_int64(key)))
  }
}

extension Connection {
  /// Lends SQL the function that packs a row, `SQLDialect.packing`, and the one that gathers ids, `SQLDialect.gathering`.
  /// They work in the framework's own statements alone.
  package func definePacking() {
    sqlite3_create_function_v2(
      handle, SQLDialect.gathering, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(), nil,
      { context, _, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        guard let values else { return }
        packing._withUnsafeGuaranteedRef { $0.ids?.append(values[0], values[1]) }
      }, { sqlite3_result_null($0) }, { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLDialect.packing, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        packing._withUnsafeGuaranteedRef { packing in
          guard let packer = packing.packer, let values else {
            return sqlite3_result_error(context, "\(SQLDialect.packing) is for the framework's own statements.", -1)
          }
          packer._withUnsafeGuaranteedRef { $0.packNext(values, for: context) }
        }
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
