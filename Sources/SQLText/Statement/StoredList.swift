import Foundation

/// Values that a statement takes as one binding, whatever their number: whole numbers, texts or blobs, each once, in the
/// order of an index over them.
package final class StoredList: @unchecked Sendable {
  // Sendable: nothing in it changes once it is made.

  package enum Kind: Sendable { case integers, texts, blobs }

  package let kind: Kind
  package let members: [Member]
  private let bytes: UnsafeMutableRawBufferPointer

  private init(_ kind: Kind, _ members: [Member], _ bytes: UnsafeMutableRawBufferPointer) {
    self.kind = kind
    self.members = members.sortedEachOnce()
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// A list of whole numbers.
  package convenience init(_ integers: [Int64]) {
    self.init(.integers, integers.map(Member.init), .allocate(byteCount: 0, alignment: 1))
  }

  /// A list of values; nil if they are not all whole numbers, all texts or all blobs: two others may be equal and yet
  /// differ in their bytes.
  package convenience init?(_ values: [StoredValue]) {
    switch values.first {
    case .integer:
      let integers = values.compactMap { if case .integer(let integer) = $0 { integer } else { nil } }
      guard integers.count == values.count else { return nil }
      self.init(integers)
    case .text: self.init(.texts, values)
    case .blob: self.init(.blobs, values)
    case .null, .real, .list, nil: return nil
    }
  }

  private convenience init?(_ kind: Kind, _ values: [StoredValue]) {
    var count = 0
    for value in values {
      switch (value, kind) {
      case (.text(let text), .texts): count += text.utf8.count
      case (.blob(let blob), .blobs): count += blob.count
      default: return nil
      }
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    var members: [Member] = []
    members.reserveCapacity(values.count)
    var end = 0
    for value in values {
      let length =
        switch value {
        case .text(var text): text.withUTF8 { Self.copy(UnsafeRawBufferPointer($0), to: bytes, from: end) }
        case .blob(let blob): blob.withUnsafeBytes { Self.copy($0, to: bytes, from: end) }
        case .null, .integer, .real, .list: 0
        }
      members.append(Member(UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + length]))))
      end += length
    }
    self.init(kind, members, bytes)
  }

  /// - Returns: how many bytes were copied.
  @inline(__always)
  private static func copy(
    _ value: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer, from place: Int
  ) -> Int {
    if let start = value.baseAddress {
      bytes.baseAddress.unsafelyUnwrapped.advanced(by: place).copyMemory(from: start, byteCount: value.count)
    }
    return value.count
  }

  /// The members as values of their own.
  package var values: [StoredValue] {
    members.map { member in
      switch kind {
      case .integers: .integer(member.integer)
      case .texts: .text(String(decoding: member.bytes, as: UTF8.self))
      case .blobs: .blob(Array(member.bytes))
      }
    }
  }
}

extension StoredList: Hashable {
  package static func == (left: StoredList, right: StoredList) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension StoredList {
  package struct Member {
    /// What comes first in order: a whole number, or the first eight bytes of others, so that few comparisons need more.
    private let start: UInt64
    /// The bytes of a text or blob, as long there as the list is.
    package let bytes: UnsafeRawBufferPointer

    init(_ integer: Int64) {
      start = UInt64(bitPattern: integer) ^ Self.sign
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      start =
        bytes.count >= 8
        ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        : bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
    }

    private static let sign = UInt64(1) << 63

    package var integer: Int64 { Int64(bitPattern: start ^ Self.sign) }
  }
}

extension StoredList.Member: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    let order = compare(left, right)
    return order != 0 ? order < 0 : left.bytes.count < right.bytes.count
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.start == right.start && left.bytes.count == right.bytes.count && compare(left, right) == 0
  }

  /// What `memcmp` says of the bytes that both have.
  private static func compare(_ left: Self, _ right: Self) -> Int32 {
    guard let bytes = left.bytes.baseAddress, let others = right.bytes.baseAddress else { return 0 }
    return memcmp(bytes, others, min(left.bytes.count, right.bytes.count))
  }
}

extension [StoredList.Member] {
  fileprivate func sortedEachOnce() -> [Element] {
    var sorted = sorted()
    var last: Element?
    sorted.removeAll { member in
      defer { last = member }
      return member == last
    }
    return sorted
  }
}
