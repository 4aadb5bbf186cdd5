import CSQLite
import Glibc
import RowStore
import SQLText

/// Who packs the rows of the statement that runs, or gathers their ids.
final class Packing {
  @exclusivity(unchecked) var packer: Unmanaged<RowPacker>?
  @exclusivity(unchecked) var ids: Unmanaged<IDList>?

  private static func refuse(_ context: OpaquePointer?) {
    sqlite3_result_error(context, "The function is for the framework's own statements.", -1)
  }

  /// Packs the arguments of a function and answers where; nil where nobody packs, and of a row that could not be packed.
  @inline(__always)
  static func pack(_ values: UnsafeMutablePointer<OpaquePointer?>?, for context: OpaquePointer?) -> UInt64? {
    Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))._withUnsafeGuaranteedRef { packing in
      guard let packer = packing.packer, let values else {
        refuse(context)
        return nil
      }
      return packer._withUnsafeGuaranteedRef { $0.packNext(values, for: context) }
    }
  }
}

/// The ids of rows, as they come.
final class IDList {
  private let store: Int
  private let schema: StoreSchema
  /// In memory of its own until all are there: an array asks at each id whether somebody else has it. From `malloc`, which
  /// makes a large list larger where it is.
  @exclusivity(unchecked) private var memory: UnsafeMutablePointer<RowID>
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0
  /// The Z_ENT of the last row, and the bits that its entity's ids have in common.
  @exclusivity(unchecked) private var stored: Int64 = -1
  @exclusivity(unchecked) private var common: UInt64 = 0
  /// Whether all rows were of entities that the schema has.
  @exclusivity(unchecked) private(set) var isComplete = true

  /// - Parameter entity: the number in the model of all rows' entity, if they are of one.
  init(schema: StoreSchema, store: Int, entity: Int?) {
    self.store = store
    self.schema = schema
    if let entity { common = RowID(store: store, entity: entity, key: 0).bits }
    memory = Self.memory(nil, capacity)
  }

  deinit { free(memory) }

  var ids: [RowID] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  /// As in `RowPacker`: the values are read without asking the column for each of their parts.
  @inline(__always)
  func append(_ key: OpaquePointer?, _ number: OpaquePointer?) {
    let number = sqlite3_value_int64(number)
    if number != stored, !turn(to: number) { return }
    append(key)
  }

  /// The id of a row of the entity of the last one.
  @inline(__always)
  func append(_ key: OpaquePointer?) {
    if count == capacity { grow() }
    memory[count] = RowID(bits: common | RowID(store: 0, entity: 0, key: sqlite3_value_int64(key)).bits)
    count &+= 1
  }

  private func turn(to number: Int64) -> Bool {
    guard let entity = schema.number(ofStored: Int(number)) else {
      isComplete = false
      return false
    }
    (stored, common) = (number, RowID(store: store, entity: entity, key: 0).bits)
    return true
  }

  private func grow() {
    capacity *= 2
    memory = Self.memory(memory, capacity)
  }

  private static func memory(_ old: UnsafeMutablePointer<RowID>?, _ capacity: Int) -> UnsafeMutablePointer<RowID> {
    guard let memory = realloc(old, capacity * MemoryLayout<RowID>.stride) else {
      fatalError("There is no memory for \(capacity) ids.")
    }
    return memory.assumingMemoryBound(to: RowID.self)
  }
}

extension Connection {
  /// Lends SQL the functions that pack rows, `SQLDialect.packing` and `.packingAll`, and the one that gathers ids,
  /// `SQLDialect.gathering`. They work in the framework's own statements alone.
  package func definePacking() {
    sqlite3_create_function_v2(
      handle, SQLDialect.packingAll, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil, { context, _, values in _ = Packing.pack(values, for: context) }, { sqlite3_result_null($0) },
      { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLDialect.gathering, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil,
      { context, count, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        guard let values else { return }
        packing._withUnsafeGuaranteedRef {
          $0.ids?._withUnsafeGuaranteedRef { count == 1 ? $0.append(values[0]) : $0.append(values[0], values[1]) }
        }
      }, { sqlite3_result_null($0) }, { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLDialect.packing, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        guard let place = Packing.pack(values, for: context) else { return }
        sqlite3_result_int64(context, Int64(bitPattern: place))
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
