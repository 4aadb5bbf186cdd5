import StrataCPostgreSQL
import StrataSQLText

/// The parameters of a statement in the server's binary format.
struct Parameters {
  private(set) var types: [Oid] = []
  /// Values that are not columns, one after the other.
  private var bytes: [UInt8] = []
  private var slots: [Slot] = []
  private var lengths: [Int32] = []

  /// The location of a value.
  private enum Slot {
    case null
    /// From here on in `bytes`.
    case bytes(Int)
    /// The column keeps the memory.
    case column(ServerColumn, UnsafePointer<CChar>?)
  }

  /// The most bytes of a value: https://www.postgresql.org/docs/current/limits.html
  private static let maximumBytes = 0x3FFF_FFFF

  /// - Throws: `ServerFailure` for a value that is too large.
  init(_ statement: ServerStatement) throws {
    let count = statement.parameters.count
    types.reserveCapacity(count)
    slots.reserveCapacity(count)
    lengths.reserveCapacity(count)
    for parameter in statement.parameters {
      switch parameter {
      case .value(let value): append(value)
      case .column(let column):
        let array = column.array
        types.append(column.type)
        slots.append(.column(column, array.bindMemory(to: CChar.self).baseAddress))
        lengths.append(Int32(clamping: array.count))
      }
    }
    if let size = lengths.max(), size > Self.maximumBytes {
      throw ServerFailure(
        state: "54000", message: "a value of \(size) bytes or more is larger than 1 GB", detail: nil, constraint: nil,
        sql: statement.text)
    }
  }

  var count: Int32 { Int32(truncatingIfNeeded: types.count) }

  private mutating func append(_ value: StoredValue) {
    let start = bytes.count
    switch value {
    case .null:
      // Whatever the statement needs.
      types.append(ServerType.unknown)
      slots.append(.null)
      lengths.append(0)
      return
    case .integer(let integer):
      types.append(ServerType.int8)
      bytes.append(bigEndian: integer)
    case .real(let real):
      types.append(ServerType.float8)
      bytes.append(bigEndian: real.bitPattern)
    case .text(let text):
      types.append(ServerType.text)
      bytes += text.utf8
    case .blob(let blob):
      types.append(ServerType.bytea)
      bytes += blob
    case .list(let list): append(list)
    }
    slots.append(.bytes(start))
    lengths.append(Int32(clamping: bytes.count - start))
  }

  /// An array: dimensions, whether it has NULLs, type, length, lower bound, members.
  private mutating func append(_ list: StoredList) {
    let (type, array) =
      switch list.kind {
      case .integers: (ServerType.int8, ServerType.int8Array)
      case .texts: (ServerType.text, ServerType.textArray)
      case .blobs: (ServerType.bytea, ServerType.byteaArray)
      }
    types.append(array)
    let members = list.members
    for word in [members.isEmpty ? 0 : 1, 0, Int32(bitPattern: type)] { bytes.append(bigEndian: word) }
    guard !members.isEmpty else { return }
    bytes.append(bigEndian: Int32(truncatingIfNeeded: members.count))
    bytes.append(bigEndian: Int32(1))
    for member in members {
      if list.kind == .integers {
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: member.integer)
      } else {
        bytes.append(bigEndian: Int32(truncatingIfNeeded: member.bytes.count))
        bytes += member.bytes
      }
    }
  }

  /// Passes what libpq takes: types, values, their lengths, and their formats, all of which are binary.
  func withPointers<T>(
    _ body: (
      UnsafePointer<Oid>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) throws -> T
  ) rethrows -> T {
    guard !types.isEmpty else { return try body(nil, nil, nil, nil) }
    return try bytes.withUnsafeBytes { memory in
      let start = memory.bindMemory(to: CChar.self).baseAddress
      let values = slots.map { slot -> UnsafePointer<CChar>? in
        switch slot {
        case .null: nil
        // libpq takes a null pointer for NULL, and an empty value has an address too.
        case .bytes(let offset): start.map { $0 + offset } ?? UnsafePointer(Self.emptyValue)
        case .column(_, let start): start
        }
      }
      return try body(types, values, lengths, [Int32](repeating: 1, count: types.count))
    }
  }

  private static nonisolated(unsafe) let emptyValue = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
}

/// Numbers of types that the catalog never changes: `SELECT typname, oid FROM pg_type`.
enum ServerType {
  static let unknown: Oid = 0
  static let bool: Oid = 16
  static let bytea: Oid = 17
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let text: Oid = 25
  static let float4: Oid = 700
  static let float8: Oid = 701
  static let byteaArray: Oid = 1001
  static let float8Array: Oid = 1022
  static let uuidArray: Oid = 2951
  static let textArray: Oid = 1009
  static let int8Array: Oid = 1016
  static let numeric: Oid = 1700
  static let uuid: Oid = 2950
}

extension [UInt8] {
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
