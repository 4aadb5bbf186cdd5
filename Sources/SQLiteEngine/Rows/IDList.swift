import Glibc
import StrataCSQLite
import StrataRowStore
import StrataSQLText

/// Collects the IDs of rows in arrival order.
final class IDList {
  private let store: Int
  private let schema: StoreSchema
  @exclusivity(unchecked) private var found = IDMemory()
  /// The last row's Z_ENT, and the bits common to all IDs of its entity. Optional, because a damaged row may have any
  /// number.
  @exclusivity(unchecked) private var stored: Int64?
  @exclusivity(unchecked) private var common: UInt64 = 0
  /// Whether the schema knows the entities of all rows.
  @exclusivity(unchecked) private(set) var isComplete = true

  /// - Parameter entity: the entity's number in the model, if all rows are of one.
  init(schema: StoreSchema, store: Int, entity: Int?) {
    self.store = store
    self.schema = schema
    if let entity { common = RowID(store: store, entity: entity, key: 0).bits }
  }

  var ids: [RowID] { found.ids }

  /// As in `RowPageBuilder`, reads values without asking the column for type and value.
  @inline(__always)
  func append(_ key: OpaquePointer?, _ number: OpaquePointer?) {
    let number = sqlite3_value_int64(number)
    if number != stored, !switchEntity(to: number) { return }
    append(key)
  }

  /// Appends the ID of a row of the same entity as the last.
  @inline(__always)
  func append(_ key: OpaquePointer?) {
    found.append(RowID(bits: common | RowID(store: 0, entity: 0, key: sqlite3_value_int64(key)).bits))
  }

  private func switchEntity(to number: Int64) -> Bool {
    guard let entity = schema.number(ofStored: Int(number)) else {
      isComplete = false
      return false
    }
    (stored, common) = (number, RowID(store: store, entity: entity, key: 0).bits)
    return true
  }
}

/// Growing storage for IDs. An array would check for unique ownership at each append; `malloc`ed memory does not, and a
/// large block grows in place.
struct IDMemory: ~Copyable {
  private var memory: UnsafeMutablePointer<RowID>
  private var capacity = 64
  private(set) var count = 0

  init() { memory = Self.memory(nil, capacity: capacity) }

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
    memory = Self.memory(memory, capacity: capacity)
  }

  private static func memory(_ old: UnsafeMutablePointer<RowID>?, capacity: Int) -> UnsafeMutablePointer<RowID> {
    guard let memory = realloc(old, capacity * MemoryLayout<RowID>.stride) else {
      fatalError("Cannot allocate memory for \(capacity) IDs.")
    }
    return memory.assumingMemoryBound(to: RowID.self)
  }
}
