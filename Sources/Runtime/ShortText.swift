import StrataCSwiftRuntime

extension String {
  /// Returns a row's bytes as text. Invalid UTF-8 is repaired: SQLite stores any bytes as text.
  @inlinable @inline(__always)
  package init(stored bytes: UnsafeRawBufferPointer) {
    self = ShortText.string(of: bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}

/// Creates strings of at most 15 ASCII bytes, which most columns contain.
///
/// Swift stores them inline: the bytes, and in the last of 16 bytes their number over 0xE0. Swift takes 10 ns to create
/// one, because it looks at each byte twice; creating them here saves a twentieth of the time of a fetch whose every
/// value is read. If this Swift stores them otherwise, it creates them itself.
@usableFromInline package enum ShortText {
  private static let maximumLength = 15

  /// Compares with Swift's own result on the first call. `strata_knows_short_text` is set before the first context exists;
  /// a `let` would be checked for initialization at every use.
  package static func start() { _ = isKnown }

  /// Whether this Swift stores them so.
  package static let isKnown: Bool = {
    let isKnown =
      MemoryLayout<String>.size == 16
      && (1...maximumLength).allSatisfy { count in
        let bytes = (0..<UInt8(count)).map { 0x7F - $0 }
        // A string is two words, whatever its contents.
        let made = unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
        return bytes.withUnsafeBytes { words(of: $0).map { $0 == made } ?? false }
      }
    strata_set_knows_short_text(isKnown)
    return isKnown
  }()

  @inlinable @inline(__always)
  package static func string(of bytes: UnsafeRawBufferPointer) -> String? {
    guard strata_knows_short_text(), var words = words(of: bytes) else { return nil }
    // `start` verified this layout. Moved instead of copied: a copy asks the runtime whether it is reference counted.
    return withUnsafeMutableBytes(of: &words) {
      $0.baseAddress.unsafelyUnwrapped.bindMemory(to: String.self, capacity: 1).move()
    }
  }

  /// Returns the two words of a string; nil if it has too many bytes, none, or non-ASCII ones. Reads only these bytes,
  /// some twice.
  @inlinable @inline(__always)
  package static func words(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    let count = bytes.count
    guard 1...15 ~= count, let start = bytes.baseAddress else { return nil }
    /// Returns the integer that begins at a byte, shifted by a number of bytes.
    func piece<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ first: Int, movedBy bytes: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: start.loadUnaligned(fromByteOffset: first, as: type)) &<< UInt64(8 &* bytes)
    }
    var (low, high): (UInt64, UInt64)
    switch count {
    case 8...:
      low = piece(UInt64.self, 0, movedBy: 0)
      // A shift by 64 bits would have no effect, so it is split in two.
      high = (piece(UInt64.self, count &- 8, movedBy: 0) &>> UInt64(8 &* (15 &- count))) &>> 8
    case 4...:
      low = piece(UInt32.self, 0, movedBy: 0) | piece(UInt32.self, count &- 4, movedBy: count &- 4)
      high = 0
    default:
      low = piece(UInt8.self, 0, movedBy: 0) | piece(UInt8.self, count &- 1, movedBy: count &- 1)
      low |= piece(UInt8.self, count &>> 1, movedBy: count &>> 1)
      high = 0
    }
    guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    return (low, high | UInt64(truncatingIfNeeded: 0xE0 | count) &<< 56)
  }
}
