/// Scans JSON (RFC 8259) once, from left to right, in place.
///
/// The caller states what it expects next, so nothing is built needlessly: no tree, no dictionary, no boxed number.
/// Each failure has a byte position in the body, and `position` may be set to resume elsewhere.
/// The bytes must outlive the scanner.
struct JSONScanner {
  /// More than any feed's documents (7), and one word holds the kinds of all levels.
  static let maximumNesting = 64

  let bytes: UnsafeRawBufferPointer
  /// Where the bytes begin in the body.
  let base: Int
  var position = 0

  init(_ bytes: UnsafeRawBufferPointer, base: Int = 0) {
    (self.bytes, self.base) = (bytes, base)
  }

  /// The position in the body.
  var offset: Int { base + position }

  var isAtEnd: Bool { position >= bytes.count }

  func failure(_ kind: JSONFailure.Kind) -> JSONFailure {
    JSONFailure(kind: kind, position: offset)
  }

  /// The failure at the current position: the end of the body, or an unexpected byte.
  func misfit() -> JSONFailure {
    isAtEnd ? failure(.endOfBody) : failure(.unexpected(bytes[position]))
  }

  mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Skips white space and returns the next byte without consuming it.
  mutating func peek() throws(JSONFailure) -> UInt8 {
    skipBlanks()
    guard position < bytes.count else { throw failure(.endOfBody) }
    return bytes[position]
  }

  /// Skips white space and consumes the next byte if it equals `byte`.
  mutating func pass(_ byte: UInt8) throws(JSONFailure) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(JSONFailure) {
    guard try pass(byte) else { throw misfit() }
  }

  // MARK: Objects and arrays

  /// Consumes `{`; if the object is empty, consumes all of it and returns false.
  mutating func enterObject() throws(JSONFailure) -> Bool {
    try expect(UInt8(ascii: "{"))
    return try !pass(UInt8(ascii: "}"))
  }

  /// Consumes the `,` before the next member, or the `}` that ends the object, and then returns false.
  mutating func nextMember() throws(JSONFailure) -> Bool {
    if try pass(UInt8(ascii: ",")) { return true }
    try expect(UInt8(ascii: "}"))
    return false
  }

  /// Consumes `[`; if the array is empty, consumes all of it and returns false.
  mutating func enterArray() throws(JSONFailure) -> Bool {
    try expect(UInt8(ascii: "["))
    return try !pass(UInt8(ascii: "]"))
  }

  /// Consumes the `,` before the next element, or the `]` that ends the array, and then returns false.
  mutating func nextElement() throws(JSONFailure) -> Bool {
    if try pass(UInt8(ascii: ",")) { return true }
    try expect(UInt8(ascii: "]"))
    return false
  }

  /// Consumes a member's name and its colon.
  mutating func key() throws(JSONFailure) -> JSONKey {
    let name = try stringBounds()
    let key =
      name.hasEscapes
      ? JSONKey(Array(try text(in: name).utf8)) : JSONKey(UnsafeRawBufferPointer(rebasing: bytes[name.range]))
    try expect(UInt8(ascii: ":"))
    return key
  }

  // MARK: Values

  /// Consumes `null` if it comes next.
  mutating func passNull() throws(JSONFailure) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try passWord("null")
    return true
  }

  /// Consumes `null`, `true` or `false`.
  mutating func passWord(_ word: StaticString) throws(JSONFailure) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[offset] else { throw misfit() }
      position += 1
    }
  }
}
