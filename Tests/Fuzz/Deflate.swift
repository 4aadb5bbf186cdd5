/// Compresses as DEFLATE (RFC 1951): one block of the fixed Huffman code, with the nearest earlier match of each byte
/// sequence. Any bytes so become a valid input of `Inflate`.
struct Deflate {
  private static let maximumLength = 258
  private static let window = 32_768
  private static let hashBits = 15

  private var output: [UInt8] = []
  private var buffer: UInt64 = 0
  private var bitCount = 0

  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    deflate.output.reserveCapacity(bytes.count / 50 + 64)
    // The last block, of the fixed code.
    deflate.put(0b011, 3)
    bytes.withUnsafeBufferPointer { deflate.pack($0) }
    deflate.symbol(256)
    deflate.put(0, (8 - deflate.bitCount % 8) % 8)
    deflate.flush()
    return deflate.output
  }

  private mutating func pack(_ bytes: UnsafeBufferPointer<UInt8>) {
    var last = [Int](repeating: -Self.window - 1, count: 1 << Self.hashBits)
    var position = 0
    while position < bytes.count {
      guard position + 4 <= bytes.count else {
        symbol(Int(bytes[position]))
        position += 1
        continue
      }
      let slot = Self.hash(bytes, position)
      let candidate = last[slot]
      last[slot] = position
      let length = position - candidate <= Self.window ? Self.match(bytes, candidate, position) : 0
      guard length >= 4 else {
        symbol(Int(bytes[position]))
        position += 1
        continue
      }
      self.match(length: length, distance: position - candidate)
      for passed in position + 1..<min(position + length, bytes.count - 3) { last[Self.hash(bytes, passed)] = passed }
      position += length
    }
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    let four =
      UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2]) << 16
      | UInt32(bytes[position + 3]) << 24
    return Int((four &* 2_654_435_761) >> UInt32(32 - hashBits))
  }

  private static func match(_ bytes: UnsafeBufferPointer<UInt8>, _ candidate: Int, _ position: Int) -> Int {
    let limit = min(maximumLength, bytes.count - position)
    var length = 0
    while length < limit, bytes[candidate + length] == bytes[position + length] { length += 1 }
    return length
  }

  // MARK: Codes

  /// A literal, 256 for the end of the block, or the symbol of a length.
  private mutating func symbol(_ symbol: Int) {
    switch symbol {
    case ..<144: put(Self.reversed(0x30 + symbol, 8), 8)
    case ..<256: put(Self.reversed(0x190 + symbol - 144, 9), 9)
    case ..<280: put(Self.reversed(symbol - 256, 7), 7)
    default: put(Self.reversed(0xC0 + symbol - 280, 8), 8)
    }
  }

  private mutating func match(length: Int, distance: Int) {
    if length == Self.maximumLength {
      symbol(285)
    } else {
      // Four symbols for each number of further bits.
      let (code, bits) = Self.code(of: length - 3, perSize: 2)
      symbol(257 + code)
      put((length - 3) & (1 << bits - 1), bits)
    }
    let (code, bits) = Self.code(of: distance - 1, perSize: 1)
    put(Self.reversed(code, 5), 5)
    put((distance - 1) & (1 << bits - 1), bits)
  }

  /// The code of a length or distance, counted from 0, and the number of the bits that follow it: numbers of the same bit
  /// width have `1 << perSize` codes, distinguished by the bits below the highest one.
  private static func code(of number: Int, perSize: Int) -> (code: Int, bits: Int) {
    guard number >= 2 << perSize else { return (number, 0) }
    let bits = Int.bitWidth - 1 - number.leadingZeroBitCount - perSize
    return (number >> bits + bits << perSize, bits)
  }

  /// Huffman codes go out from their highest bit on.
  private static func reversed(_ code: Int, _ count: Int) -> Int {
    Int(UInt16(code).bitReversed >> UInt16(16 - count))
  }

  private mutating func put(_ bits: Int, _ count: Int) {
    buffer |= UInt64(bits) << UInt64(bitCount)
    bitCount += count
    if bitCount >= 32 { flush() }
  }

  private mutating func flush() {
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: buffer))
      buffer >>= 8
      bitCount -= 8
    }
  }
}

extension UInt16 {
  fileprivate var bitReversed: UInt16 {
    var (rest, result): (UInt16, UInt16) = (self, 0)
    for _ in 0..<16 {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }
}
