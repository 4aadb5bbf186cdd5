/// Where the texts that were packed last are on a page's heap: a text that repeats in many rows, such as a status or a
/// type, is there once.
///
/// A table of slot words, indexed by a hash of the text. An entry may be overwritten, and may be of an earlier page: the
/// bytes that it leads to on this page's heap are compared before it is used.
@usableFromInline
package final class RecentTexts {
  /// 2 KiB: a text that does not repeat evicts one of 256 entries, so that those that do are rarely lost.
  private static let count = 256
  /// Pages smaller than this have too few rows for the table to pay.
  private static let minimumPageSize = 16_384

  @usableFromInline package let entries: UnsafeMutablePointer<UInt64>

  package init() {
    entries = .allocate(capacity: Self.count)
    entries.initialize(repeating: 0, count: Self.count)
  }

  deinit { entries.deallocate() }

  package static func pays(for page: RowPage) -> Bool { page.size >= minimumPageSize }

  /// Whether texts of a length are looked up: a byte is not worth it, and long texts rarely repeat.
  @inlinable @inline(__always)
  package static func fits(_ count: Int) -> Bool { UInt(bitPattern: count &- 2) <= 62 }

  /// The index of a text's entry, from its length and its first and last bytes.
  @inlinable @inline(__always)
  package static func index(_ ends: (UInt64, UInt64), _ count: Int) -> Int {
    let mixed = (ends.0 &+ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15 ^ ends.1
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }

  /// The first and last 8 bytes of a text, or 4, or 2; they overlap or leave none out if it has at most twice as many.
  @inlinable @inline(__always)
  package static func ends(_ start: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
    if count >= 8 { return ends(UInt64.self, start, count) }
    return count >= 4 ? ends(UInt32.self, start, count) : ends(UInt16.self, start, count)
  }

  @inlinable @inline(__always)
  package static func ends<Piece: FixedWidthInteger & BitwiseCopyable>(
    _: Piece.Type, _ start: UnsafeRawPointer, _ count: Int
  ) -> (UInt64, UInt64) {
    let last = start + (count &- MemoryLayout<Piece>.size)
    return (
      UInt64(truncatingIfNeeded: start.loadUnaligned(as: Piece.self)),
      UInt64(truncatingIfNeeded: last.loadUnaligned(as: Piece.self))
    )
  }
}
