import StrataCSQLite
import Glibc
import StrataRowStore
import StrataSQLText

/// The ids of rows, as they come.
final class IDList {
  private let store: Int
  private let schema: StoreSchema
  @exclusivity(unchecked) private var found = IDMemory()
  /// The Z_ENT of the last row, and the bits that its entity's ids have in common. No number stands for "no row yet": a
  /// damaged row may hold any.
  @exclusivity(unchecked) private var stored: Int64?
  @exclusivity(unchecked) private var common: UInt64 = 0
  /// Whether all rows were of entities that the schema has.
  @exclusivity(unchecked) private(set) var isComplete = true

  /// - Parameter entity: the number in the model of all rows' entity, if they are of one.
  init(schema: StoreSchema, store: Int, entity: Int?) {
    self.store = store
    self.schema = schema
    if let entity { common = RowID(store: store, entity: entity, key: 0).bits }
  }

  var ids: [RowID] { found.ids }

  /// As in `RowPageBuilder`: the values are read without asking the column for each of their parts.
  @inline(__always)
  func append(_ key: OpaquePointer?, _ number: OpaquePointer?) {
    let number = sqlite3_value_int64(number)
    if number != stored, !turn(to: number) { return }
    append(key)
  }

  /// The id of a row of the entity of the last one.
  @inline(__always)
  func append(_ key: OpaquePointer?) {
    found.append(RowID(bits: common | RowID(store: 0, entity: 0, key: sqlite3_value_int64(key)).bits))
  }

  private func turn(to number: Int64) -> Bool {
    guard let entity = schema.number(ofStored: Int(number)) else {
      isComplete = false
      return false
    }
    (stored, common) = (number, RowID(store: store, entity: entity, key: 0).bits)
    return true
  }
}

/// Ids in memory of their own until all are there: an array asks at each id whether somebody else has it. From `malloc`,
/// which makes a large list larger where it is.
struct IDMemory: ~Copyable {
  private var memory: UnsafeMutablePointer<RowID>
  private var capacity = 64
  private(set) var count = 0

  init() { memory = Self.memory(nil, capacity) }

  deinit { free(memory) }

  var ids: [RowID] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  @inline(__always)
  mutating func append(_ id: RowID) {
    if count == capacity { grow() }
    memory[count] = id
    count &+= 1
  }

  private mutating func grow() {
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
