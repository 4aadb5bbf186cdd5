import Foundation
import StrataCPostgreSQL

/// Values in the server's binary format, each after its length, which is -1 for NULL: the parameters of a statement, or
/// the rows of a COPY.
@usableFromInline
package final class ServerFields {
  @exclusivity(unchecked) @usableFromInline package private(set) var count = 0
  /// The number of NULL values.
  @exclusivity(unchecked) @usableFromInline private(set) var nulls = 0
  /// The bytes in use.
  @exclusivity(unchecked) @usableFromInline package private(set) var size = 0
  @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var capacity: Int

  package init(capacity: Int = 512) {
    self.capacity = capacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Forgets the values, and keeps the memory.
  package func removeAll() { (count, nulls, size) = (0, 0, 0) }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: size) }

  @inlinable @inline(__always)
  func makeRoom(for bytes: Int) { if bytes > capacity &- size { grow(by: bytes) } }

  @inline(never) @usableFromInline
  func grow(by bytes: Int) {
    capacity = max(capacity * 2, size + bytes)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: size)
    memory.deallocate()
    memory = larger
  }

  /// Appends a value of as many bytes as the number.
  @inlinable @inline(__always)
  package func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
    let length = number.bitWidth &>> 3
    makeRoom(for: 4 &+ length)
    memory.storeBytes(of: Int32(truncatingIfNeeded: length).bigEndian, toByteOffset: size, as: Int32.self)
    memory.storeBytes(of: number.bigEndian, toByteOffset: size &+ 4, as: Number.self)
    size &+= 4 &+ length
    count &+= 1
  }

  @inlinable @inline(__always)
  package func appendNull() {
    makeRoom(for: 4)
    memory.storeBytes(of: -1, toByteOffset: size, as: Int32.self)
    size &+= 4
    count &+= 1
    nulls &+= 1
  }

  /// A real number; NaN becomes NULL, as in SQLite.
  @inlinable @inline(__always)
  package func append(_ real: Double) { real.isNaN ? appendNull() : append(real.bitPattern) }

  /// A text, data or UUID of less than 1 GB, which is the server's limit.
  @inlinable @inline(__always)
  package func append(_ value: UnsafeRawBufferPointer) {
    makeRoom(for: 4 &+ value.count)
    memory.storeBytes(of: Int32(truncatingIfNeeded: value.count).bigEndian, toByteOffset: size, as: Int32.self)
    if let start = value.baseAddress { (memory + (size &+ 4)).copyMemory(from: start, byteCount: value.count) }
    size &+= 4 &+ value.count
    count &+= 1
  }

  package func append(_ text: String?) {
    guard var text else { return appendNull() }
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// A `numeric`, as the server reads the number's digits: groups of four, the power of the first, and the sign.
  package func append(_ decimal: Decimal) {
    guard !decimal.isNaN else { return append(words: [0, 0, Self.notANumber, 0]) }
    let parts = "\(decimal.magnitude)".split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
    let (whole, fraction) = (parts[0], parts.count > 1 ? parts[1] : [])
    let zero = UInt8(ascii: "0")
    var digits = [UInt8](repeating: zero, count: -whole.count & 3)
    digits += whole
    digits += fraction
    digits += [UInt8](repeating: zero, count: -fraction.count & 3)
    var groups = stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1 - zero) }
    }
    var weight = (whole.count + 3) / 4 - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    if groups.isEmpty { weight = 0 }
    let sign = decimal.sign == .minus && !groups.isEmpty ? Self.minus : 0
    append(
      words: [UInt16(groups.count), UInt16(bitPattern: Int16(weight)), sign, UInt16(fraction.count)] + groups)
  }

  private static let (minus, notANumber): (UInt16, UInt16) = (0x4000, 0xC000)

  private func append(words: [UInt16]) { words.map(\.bigEndian).withUnsafeBytes { append($0) } }

  /// Begins a row of a COPY, which says how many values it has.
  @inlinable @inline(__always)
  package func beginRow(of fields: Int) {
    makeRoom(for: 2)
    memory.storeBytes(of: Int16(truncatingIfNeeded: fields).bigEndian, toByteOffset: size, as: Int16.self)
    size &+= 2
  }

  /// Appends bytes that are not a value, such as the header of a COPY or of an array.
  func append(raw bytes: [UInt8]) {
    makeRoom(for: bytes.count)
    bytes.withUnsafeBytes { (memory + size).copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: bytes.count) }
    size &+= bytes.count
  }

  /// Overwrites the first bytes.
  func replaceHead(with words: [Int32]) {
    for (index, word) in words.enumerated() {
      memory.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: Int32.self)
    }
  }

  /// Passes what libpq takes of parameters: values, their lengths, and their formats, all of which are binary.
  func withPointers<T>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) throws -> T
  ) rethrows -> T {
    try withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
      try withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
        var offset = 0
        for index in 0..<count {
          let length = Int32(bigEndian: memory.loadUnaligned(fromByteOffset: offset, as: Int32.self))
          offset &+= 4
          let start = UnsafePointer((memory + offset).assumingMemoryBound(to: CChar.self))
          values.initializeElement(at: index, to: length < 0 ? nil : start)
          numbers.initializeElement(at: index, to: max(length, 0))
          numbers.initializeElement(at: count &+ index, to: 1)
          offset &+= Int(max(length, 0))
        }
        return try body(
          UnsafePointer(values.baseAddress), UnsafePointer(numbers.baseAddress),
          numbers.baseAddress.map { UnsafePointer($0 + count) })
      }
    }
  }
}

extension ServerFields {
  /// The types of values, by numbers that the catalog never changes.
  package enum ValueType: UInt32, Sendable {
    case bytes = 17, integer64 = 20, integer16 = 21, integer32 = 23, text = 25, real = 701, decimal = 1700, uuid = 2950

    /// The type of an array of such values.
    var array: Oid {
      switch self {
      case .bytes: 1001
      case .integer16: 1005
      case .integer32: 1007
      case .text: 1009
      case .integer64: 1016
      case .real: 1022
      case .decimal: 1231
      case .uuid: 2951
      }
    }
  }
}
