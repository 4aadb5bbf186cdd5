import Foundation
import StrataQuakes

/// Identifies bodies with the same contents, regardless of their generation time: 64-bit FNV-1a over all
/// bytes but the digits after `"generated":` in the metadata.
struct BodyFingerprint: Equatable, Sendable {
  private var hash = FNV1a()
  /// The bytes at the start, while the metadata may still be among them.
  private var head: [UInt8]? = []

  /// Bytes. The metadata comes first and is shorter.
  private static let headSize = 4096

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard var head else { return add(bytes) }
    head += bytes
    self.head = head
    if head.count >= Self.headSize { endHead() }
  }

  static func == (first: Self, second: Self) -> Bool { first.value == second.value }

  /// The hash of all bytes so far.
  private var value: UInt64 {
    var copy = self
    copy.endHead()
    return copy.hash.value
  }

  private mutating func endHead() {
    guard let bytes = head else { return }
    head = nil
    // Independent of the chunks in which the bytes arrive.
    let skipped = Self.digits(in: Array(bytes.prefix(Self.headSize)))
    add(bytes[..<skipped.lowerBound])
    add(bytes[skipped.upperBound...])
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) {
    hash.add(bytes)
  }

  /// The digits of the generation time, if they precede the features; else an empty range.
  private static func digits(in head: [UInt8]) -> Range<Int> {
    let data = Data(head)
    guard let key = data.range(of: Data(#""generated":"#.utf8)) else { return 0..<0 }
    if let features = data.range(of: Data(#""features""#.utf8)), features.lowerBound < key.lowerBound { return 0..<0 }
    let end = head[key.upperBound...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) } ?? head.endIndex
    return key.upperBound..<end
  }
}
