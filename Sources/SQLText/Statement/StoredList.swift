import Foundation

/// Any number of values in a single binding: integers, texts or blobs, without duplicates, in the order of an index.
package final class StoredList: @unchecked Sendable {
  // Sendable: immutable once made.

  package enum Kind: Sendable { case integers, texts, blobs }

  package let kind: Kind
  package let members: [Member]
  private let bytes: UnsafeMutableRawBufferPointer

  private init(_ kind: Kind, members: [Member], bytes: UnsafeMutableRawBufferPointer) {
    self.kind = kind
    self.members = members.sortedEachOnce()
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  package convenience init(_ integers: [Int64]) {
    self.init(.integers, members: integers.map(Member.init), bytes: .allocate(byteCount: 0, alignment: 1))
  }

  /// nil if the values are not all integers, all texts or all blobs: others may be equal although their bytes differ.
  package convenience init?(_ values: [StoredValue]) {
    switch values.first {
    case .integer:
      let integers = values.compactMap { if case .integer(let integer) = $0 { integer } else { nil } }
      guard integers.count == values.count else { return nil }
      self.init(integers)
    case .text: self.init(.texts, of: values)
    case .blob: self.init(.blobs, of: values)
    case .null, .real, .list, nil: return nil
    }
  }

  private convenience init?(_ kind: Kind, of values: [StoredValue]) {
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
    self.init(kind, members: members, bytes: bytes)
  }

  /// - Returns: the number of bytes copied.
  @inline(__always)
  private static func copy(
    _ value: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer, from place: Int
  ) -> Int {
    if let start = value.baseAddress {
      bytes.baseAddress.unsafelyUnwrapped.advanced(by: place).copyMemory(from: start, byteCount: value.count)
    }
    return value.count
  }

  package var values: [StoredValue] {
    switch kind {
    case .integers: members.map { .integer($0.integer) }
    case .texts: members.map { .text(String(decoding: $0.bytes, as: UTF8.self)) }
    case .blobs: members.map { .blob(Array($0.bytes)) }
    }
  }
}

extension StoredList: Hashable {
  package static func == (left: StoredList, right: StoredList) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension StoredList {
  package struct Member {
    /// What is compared first: an integer, or the first eight bytes of a text or blob, which mostly decide.
    private let start: UInt64
    /// The bytes of a text or blob, valid as long as the list lives.
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

  /// `memcmp` of the bytes up to the shorter length.
  private static func compare(_ left: Self, _ right: Self) -> Int32 {
    guard let bytes = left.bytes.baseAddress, let others = right.bytes.baseAddress else { return 0 }
    return memcmp(bytes, others, min(left.bytes.count, right.bytes.count))
  }
}

extension [StoredList.Member] {
  fileprivate func sortedEachOnce() -> [Element] {
    var sorted = sorted()
    var last: Element?
    sorted.removeAll { value in
      defer { last = value }
      return value == last
    }
    return sorted
  }
}
