import StrataCPostgreSQL

/// An array with a value for each of many rows, in the server's binary format: one statement then writes them all.
///
/// It is memory of its own, which libpq is passed as it is, without another copy of all values.
package final class ServerColumn {
  package enum Kind: Sendable { case integers, reals, texts, bytes, uuids }

  package let kind: Kind
  package private(set) var count = 0
  private var hasNulls = false
  private var memory: UnsafeMutableRawPointer
  /// The bytes in use: a head, then each member after its length, which is -1 for NULL.
  private var used = ServerColumn.headSize
  private var capacity: Int

  /// Dimensions, whether there are NULLs, the type, the number of members, the first index.
  private static let headSize = 20

  package init(_ kind: Kind) {
    self.kind = kind
    capacity = 64
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// The size of the members in bytes.
  package var size: Int { used &- Self.headSize }

  @inline(__always)
  private func makeRoom(for bytes: Int) { if bytes > capacity &- used { grow(by: bytes) } }

  @inline(never)
  private func grow(by bytes: Int) {
    capacity = max(capacity * 2, used + bytes)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: used)
    memory.deallocate()
    memory = larger
  }

  @inline(__always)
  private func put(_ word: Int32) {
    memory.storeBytes(of: word.bigEndian, toByteOffset: used, as: Int32.self)
    used &+= 4
  }

  package func appendNull() {
    makeRoom(for: 4)
    put(-1)
    count &+= 1
    hasNulls = true
  }

  package func append(_ integer: Int64) {
    makeRoom(for: 12)
    put(8)
    memory.storeBytes(of: integer.bigEndian, toByteOffset: used, as: Int64.self)
    used &+= 8
    count &+= 1
  }

  /// A real number; NaN becomes NULL, as in SQLite.
  package func append(_ real: Double) { real.isNaN ? appendNull() : append(Int64(bitPattern: real.bitPattern)) }

  /// A text, data or UUID of less than 1 GB, which is the server's limit.
  package func append(_ value: UnsafeRawBufferPointer) {
    makeRoom(for: 4 &+ value.count)
    put(Int32(truncatingIfNeeded: value.count))
    if let start = value.baseAddress { (memory + used).copyMemory(from: start, byteCount: value.count) }
    used &+= value.count
    count &+= 1
  }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The whole array, valid while the column lives and nothing is appended. One without members has no dimensions.
  var array: UnsafeRawBufferPointer {
    let head: [Int32] = [
      count == 0 ? 0 : 1, hasNulls ? 1 : 0, Int32(bitPattern: memberType), Int32(truncatingIfNeeded: count), 1,
    ]
    for (index, word) in head.enumerated() {
      memory.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: Int32.self)
    }
    return UnsafeRawBufferPointer(start: memory, count: count == 0 ? 12 : used)
  }

  var type: Oid {
    switch kind {
    case .integers: ServerType.int8Array
    case .reals: ServerType.float8Array
    case .texts: ServerType.textArray
    case .bytes: ServerType.byteaArray
    case .uuids: ServerType.uuidArray
    }
  }

  private var memberType: Oid {
    switch kind {
    case .integers: ServerType.int8
    case .reals: ServerType.float8
    case .texts: ServerType.text
    case .bytes: ServerType.bytea
    case .uuids: ServerType.uuid
    }
  }
}
