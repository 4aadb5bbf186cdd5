extension JSONScanner {
  /// A string's range in the body, without its quotes.
  struct StringBounds {
    var range: Range<Int>
    var hasEscapes: Bool
  }

  /// Scans a string and decodes it.
  ///
  /// Invalid UTF-8 and unpaired surrogates become U+FFFD, so that a bad byte in a place name does not lose the
  /// earthquake.
  mutating func string() throws(JSONFailure) -> String {
    try text(in: stringBounds())
  }

  /// Scans a string without decoding it. Its escapes are only checked when its text is requested.
  mutating func stringBounds() throws(JSONFailure) -> StringBounds {
    try expect(UInt8(ascii: "\""))
    let start = position
    var hasEscapes = false
    while true {
      position = nextSpecialByte(from: position)
      guard position < bytes.count else { throw failure(.endOfBody) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return StringBounds(range: start..<position - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position += 2
      default: throw failure(.controlCharacterInString)
      }
    }
  }

  /// Decodes a scanned string.
  func text(in bounds: StringBounds) throws(JSONFailure) -> String {
    guard bounds.hasEscapes else {
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[bounds.range]), as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bounds.range.count)
    var reader = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[..<bounds.range.upperBound]), base: base)
    reader.position = bounds.range.lowerBound
    while let byte = reader.nextByte() {
      if byte == UInt8(ascii: "\\") { try reader.appendEscape(to: &decoded) } else { decoded.append(byte) }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private mutating func nextByte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func appendEscape(to decoded: inout [UInt8]) throws(JSONFailure) {
    guard let letter = nextByte() else { throw failure(.badEscape) }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded.append(contentsOf: UTF8.encode(try escapedScalar())!)
    default:
      position -= 1
      throw failure(.badEscape)
    }
  }

  /// Decodes `\uXXXX`, or two of them that form a surrogate pair (RFC 8259, section 7).
  private mutating func escapedScalar() throws(JSONFailure) -> Unicode.Scalar {
    let unit = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let afterFirst = position
    guard UTF16.isLeadSurrogate(UInt16(unit)), nextByte() == UInt8(ascii: "\\"), nextByte() == UInt8(ascii: "u") else {
      position = afterFirst
      return "\u{FFFD}"
    }
    let second = try hexadecimalUnit()
    guard UTF16.isTrailSurrogate(UInt16(second)) else {
      position = afterFirst
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexadecimalUnit() throws(JSONFailure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = nextByte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw failure(.badEscape)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Finds the first quote, backslash or control character at or after a position, eight bytes at a time.
  ///
  /// Uses the borrow trick: a byte of `x - 0x01…` has its high bit set where x was 0, so an exclusive-or with a pattern
  /// finds the pattern's byte, and subtracting 0x20 finds what is below it. It may flag a byte after a true hit but
  /// never misses one; the slow loop decides.
  private func nextSpecialByte(from start: Int) -> Int {
    var index = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let found =
        ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | ((word &- (ones &* 0x20)) & ~word)
      if found & highs != 0 { break }
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
      index += 1
    }
    return index
  }
}
