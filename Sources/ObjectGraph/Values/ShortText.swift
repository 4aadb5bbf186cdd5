extension String {
  /// The text of a row's bytes. What is no UTF-8 is repaired: SQLite keeps any bytes as text.
  @inline(__always)
  package init(stored bytes: UnsafeRawBufferPointer) {
    self = ShortText.string(of: bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}

/// Strings of at most 15 bytes of ASCII, of which most columns are full.
///
/// Swift keeps them without memory of their own: the bytes, and in the last of 16 bytes their number, over 0xE0. To come
/// to that takes Swift 10 ns, as it looks at each byte twice; made here they save a twentieth of the time of a fetch whose
/// every value is read. Where Swift does otherwise, it makes them.
enum ShortText {
  private static let longest = 15

  /// Whether this Swift keeps them so. Set once, before the first context is there; a `let` would be tested for being
  /// there at every use.
  nonisolated(unsafe) private static var isKnown = false

  /// Compares with what Swift makes, the first time.
  static func start() { _ = isStarted }

  private static let isStarted: Bool = {
    isKnown =
      MemoryLayout<String>.size == 16
      && (1...longest).allSatisfy { count in
        let bytes = (0..<UInt8(count)).map { 0x7F - $0 }
        // A string of this size is two words, whatever they say.
        let made = unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
        return bytes.withUnsafeBytes { words(of: $0).map { $0 == made } ?? false }
      }
    return true
  }()

  @inline(__always)
  static func string(of bytes: UnsafeRawBufferPointer) -> String? {
    guard isKnown, var words = words(of: bytes) else { return nil }
    // Swift was seen to make the same of it. Taken, not copied: a copy asks the runtime whether it counts references.
    return withUnsafeMutableBytes(of: &words) {
      $0.baseAddress.unsafelyUnwrapped.bindMemory(to: String.self, capacity: 1).move()
    }
  }

  /// The two words of a string; nil if its bytes are too many, none, or not of ASCII. Reads none but them, some twice.
  @inline(__always)
  private static func words(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    let count = bytes.count
    guard 1...longest ~= count, let start = bytes.baseAddress else { return nil }
    /// The word or half, quarter or eighth of one that begins at a byte, moved by as many bytes.
    func piece<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ first: Int, movedBy bytes: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: start.loadUnaligned(fromByteOffset: first, as: type)) &<< UInt64(8 &* bytes)
    }
    var (low, high): (UInt64, UInt64)
    switch count {
    case 8...:
      low = piece(UInt64.self, 0, movedBy: 0)
      // A shift by 64 bits would be none, hence the two.
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
