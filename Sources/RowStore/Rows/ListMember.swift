import Foundation

/// A value of a list that a statement binds.
package struct ListMember {
  /// The part that is compared first: an integer, or the first eight bytes of a text or blob, which mostly decide.
  private let start: UInt64
  /// The bytes of a text or blob, valid as long as the list lives.
  package let bytes: UnsafeRawBufferPointer

  package init(_ integer: Int64) {
    start = UInt64(bitPattern: integer) ^ Self.sign
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    start =
      bytes.count >= 8
      ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      : bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
  }

  private static let sign = UInt64(1) << 63

  package var integer: Int64 { Int64(bitPattern: start ^ Self.sign) }
}

extension ListMember {
  package static func list(of integers: [Int64]) -> [ListMember] { integers.map { ListMember($0) } }
}

extension ListMember: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    let order = compare(left, right)
    return order != 0 ? order < 0 : left.bytes.count < right.bytes.count
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.start == right.start && left.bytes.count == right.bytes.count && compare(left, right) == 0
  }

  /// `memcmp` of the bytes up to the shorter length.
  private static func compare(_ left: Self, _ right: Self) -> Int32 {
    guard let bytes = left.bytes.baseAddress, let others = right.bytes.baseAddress else { return 0 }
    return memcmp(bytes, others, min(left.bytes.count, right.bytes.count))
  }
}

extension [ListMember] {
  /// The members in the order of an index.
  package func sortedWithoutDuplicates() -> [Element] {
    var sorted = sorted()
    var last: Element?
    sorted.removeAll { value in
      defer { last = value }
      return value == last
    }
    return sorted
  }
}

/// Copies of texts or blobs, one after the other. The caller deallocates `bytes`.
package struct ListCopies {
  package private(set) var members: [ListMember] = []
  package let bytes: UnsafeMutableRawBufferPointer
  private var end = 0

  /// - Parameters:
  ///   - capacity: the number of values.
  ///   - byteCount: their size in bytes.
  package init(capacity: Int, byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 1)
    members.reserveCapacity(capacity)
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(_ blob: [UInt8]) { blob.withUnsafeBytes { append($0) } }

  private mutating func append(_ value: UnsafeRawBufferPointer) {
    if let start = value.baseAddress {
      bytes.baseAddress.unsafelyUnwrapped.advanced(by: end).copyMemory(from: start, byteCount: value.count)
    }
    let copy = UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + value.count])
    members.append(ListMember(UnsafeRawBufferPointer(copy)))
    end += value.count
  }
}
