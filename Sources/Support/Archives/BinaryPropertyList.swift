import Foundation
import Synchronization

/// A binary property list, decoded value by value; the container of keyed archives.
///
///     "bplist00"                  8 bytes
///     objects                     a marker byte (kind in the high 4 bits, length or size in the low 4), then the content
///     table of offsets            one for each object
///     trailer                     the last 32 bytes: 6 unused, offset size, reference size, number of objects,
///                                 index of the top object, offset of the table; the last three are 8 bytes each
///
/// Numbers are big-endian. Our own, because Foundation's reader on Linux does not expose an archive's references.
/// See https://opensource.apple.com/source/CF/CF-1153.18/CFBinaryPList.c
package struct BinaryPropertyList {
  /// A value; containers hold the indices of other objects.
  package enum Value {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A keyed archive's reference to one of its objects.
    case reference(Int)
    /// Also a set.
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceSize: Int
  private let allowance: Allowance
  /// The index of the outermost object.
  package let top: Int
  /// Whether the list was read so often that its objects are no longer given out.
  package var isSpent: Bool { allowance.isSpent }
  /// The size in bytes.
  package var size: Int { bytes.count }

  /// - Returns: nil if the bytes are not a complete binary property list.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else { return nil }
    self.bytes = bytes
    allowance = Allowance(forSize: bytes.count)
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, at: trailer + 8, size: 8), let top = Self.number(bytes, at: trailer + 16, size: 8),
      let table = Self.number(bytes, at: trailer + 24, size: 8), count > 0, count <= bytes.count, top < count,
      table >= 8, table <= trailer, count * offsetSize <= trailer - table
    else { return nil }
    self.top = top
    offsets = (0..<count).map { Self.number(bytes, at: table + $0 * offsetSize, size: offsetSize) ?? bytes.count }
  }

  /// The remaining number of objects to decode. Objects that are members of several others let a short list stand for
  /// one that no memory holds: 40 arrays with the next one twice in each contain a million million members.
  private final class Allowance: Sendable {
    private let left: Atomic<Int>

    /// Readers of archives decode the same objects several times, never 16 times on average.
    init(forSize size: Int) { left = Atomic(65_536 + 16 * size) }

    var isSpent: Bool { left.load(ordering: .relaxed) < 0 }

    /// - Returns: false if nothing is left.
    func spend(_ amount: Int) -> Bool { left.subtract(amount, ordering: .relaxed).newValue >= 0 }
  }

  /// An integer usable as a position; nil if it is too large or its bytes lie outside the list.
  private static func number(_ bytes: [UInt8], at position: Int, size: Int) -> Int? {
    guard position >= 0, position + size <= bytes.count else { return nil }
    var number: UInt64 = 0
    for byte in bytes[position..<position + size] { number = number << 8 | UInt64(byte) }
    return Int(exactly: number)
  }

  /// The object at an index; nil if it is missing or malformed, or if the list has been read too often.
  package func value(_ object: Int) -> Value? {
    guard offsets.indices.contains(object), bytes.indices.contains(offsets[object]), allowance.spend(1) else {
      return nil
    }
    let position = offsets[object]
    let low = Int(bytes[position] & 0x0F)
    switch bytes[position] >> 4 {
    case 0x0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .null
    case 0x1: return integer(at: position + 1, size: 1 << low)
    case 0x2: return real(at: position + 1, size: 1 << low).map(Value.real)
    case 0x3: return real(at: position + 1, size: 8).map(Value.date)
    case 0x8: return Self.number(bytes, at: position + 1, size: low + 1).map(Value.reference)
    default: return sized(bytes[position] >> 4, low: low, start: position + 1)
    }
  }

  /// A value whose marker gives its length.
  private func sized(_ kind: UInt8, low: Int, start: Int) -> Value? {
    var (count, position) = (low, start)
    if low == 0x0F {
      guard bytes.indices.contains(start), bytes[start] >> 4 == 0x1 else { return nil }
      let size = 1 << Int(bytes[start] & 0x0F)
      guard let long = Self.number(bytes, at: start + 1, size: size) else { return nil }
      (count, position) = (long, start + 1 + size)
    }
    guard count <= bytes.count - position, allowance.spend(count / 16) else { return nil }
    switch kind {
    case 0x4: return .data(bytes[position..<position + count].withUnsafeBytes { Data($0) })
    case 0x5: return .string(String(decoding: bytes[position..<position + count], as: UTF8.self))
    case 0x6: return text16(at: position, count).map(Value.string)
    case 0xA, 0xB, 0xC: return references(at: position, count).map(Value.array)
    case 0xD: return pairs(at: position, count).map(Value.dictionary)
    default: return nil
    }
  }

  /// A 16-byte integer holds an unsigned 64-bit one in its lower half; a real if that exceeds `Int64`.
  private func integer(at position: Int, size: Int) -> Value? {
    let start = size == 16 ? position + 8 : position
    guard size <= 16, start + min(size, 8) <= bytes.count else { return nil }
    var number: UInt64 = 0
    for byte in bytes[start..<start + min(size, 8)] { number = number << 8 | UInt64(byte) }
    if size == 16, number > UInt64(Int64.max) { return .real(Double(number)) }
    return .integer(Int64(bitPattern: number))
  }

  private func real(at position: Int, size: Int) -> Double? {
    guard position + size <= bytes.count else { return nil }
    var bits: UInt64 = 0
    for byte in bytes[position..<position + size] { bits = bits << 8 | UInt64(byte) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: return nil
    }
  }

  private func text16(at position: Int, _ count: Int) -> String? {
    guard position + 2 * count <= bytes.count else { return nil }
    let units = (0..<count).map { UInt16(bytes[position + 2 * $0]) << 8 | UInt16(bytes[position + 2 * $0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }

  /// - Returns: nil if one is too large: without it, the members of a dictionary would have other keys.
  private func references(at position: Int, _ count: Int) -> [Int]? {
    guard position + count * referenceSize <= bytes.count else { return nil }
    let numbers = (0..<count).compactMap {
      Self.number(bytes, at: position + $0 * referenceSize, size: referenceSize)
    }
    return numbers.count == count ? numbers : nil
  }

  private func pairs(at position: Int, _ count: Int) -> [(key: Int, value: Int)]? {
    guard let keys = references(at: position, count),
      let values = references(at: position + count * referenceSize, count)
    else { return nil }
    return zip(keys, values).map { ($0, $1) }
  }

  /// Whether the whole list can be decoded: all keys are strings, and nesting does not exceed that of a keyed archive.
  /// Foundation's reader on Linux crashes on some damaged lists.
  package var isWhole: Bool { isWhole(top, depth: 12) }

  private func isWhole(_ object: Int, depth: Int) -> Bool {
    guard depth > 0, let value = value(object) else { return false }
    switch value {
    case .null: return false
    case .string(let text):
      // Strings with this marker must be ASCII.
      return bytes[offsets[object]] >> 4 != 0x5 || text.utf8.allSatisfy { $0 < 0x80 }
    case .array(let members):
      // Keyed archives contain no sets.
      return bytes[offsets[object]] >> 4 == 0xA && members.allSatisfy { isWhole($0, depth: depth - 1) }
    case .dictionary(let pairs):
      return pairs.allSatisfy { key, value in
        guard case .string = self.value(key) else { return false }
        return isWhole(key, depth: 1) && isWhole(value, depth: depth - 1)
      }
    case .boolean, .integer, .real, .date, .data, .reference: return true
    }
  }
}
