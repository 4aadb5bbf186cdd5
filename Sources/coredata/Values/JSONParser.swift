import Foundation

/// Reads one JSON value from bytes. See RFC 8259.
///
/// Foundation's parsers lose the order of members, which decides the mistake that is reported first, name no column for a line
/// that is cut off, and take 1.7 times as long.
struct JSONParser {
  /// The reason why bytes are not a JSON value.
  struct Failure: Error {
    /// From 1, in bytes.
    let column: Int
    let problem: String
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  static func node(in bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSONNode {
    var parser = JSONParser(bytes)
    let node = try parser.value()
    parser.skipBlanks()
    guard parser.position == bytes.count else { throw parser.failure("unexpected text after the value") }
    return node
  }

  /// More nesting than any data has, and less than the stack holds.
  private static let maximumDepth = 200

  private func failure(_ problem: String) -> Failure { Failure(column: position + 1, problem: problem) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(Failure) -> JSONNode {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .members(try nested { parser throws(Failure) in try parser.members() })
    case UInt8(ascii: "["): return .list(try nested { parser throws(Failure) in try parser.list() })
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("a value is missing")
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    default: throw failure("unexpected character where a value should begin")
    }
  }

  private mutating func word(_ word: StaticString, _ node: JSONNode) throws(Failure) -> JSONNode {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count,
      memcmp(bytes.baseAddress! + position, word.utf8Start, length) == 0
    else { throw failure("unexpected character where a value should begin") }
    position += length
    return node
  }

  private mutating func nested<T>(_ read: (inout JSONParser) throws(Failure) -> T) throws(Failure) -> T {
    guard depth < Self.maximumDepth else { throw failure("values are nested more than \(Self.maximumDepth) deep") }
    depth += 1
    position += 1
    let result = try read(&self)
    depth -= 1
    return result
  }

  private mutating func list() throws(Failure) -> [JSONNode] {
    var values: [JSONNode] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return values }
    while true {
      values.append(try value())
      skipBlanks()
      if take(UInt8(ascii: "]")) { return values }
      guard take(UInt8(ascii: ",")) else { throw failure("a comma or a closing bracket is missing") }
    }
  }

  private mutating func members() throws(Failure) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    skipBlanks()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes is missing") }
      let name = try text()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
      members.append(.init(name, try value()))
      skipBlanks()
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { throw failure("a comma or a closing brace is missing") }
    }
  }

  private mutating func number() throws(Failure) -> JSONNode {
    let start = position
    _ = take(UInt8(ascii: "-"))
    let first = next
    try digits()
    if first == UInt8(ascii: "0"), position - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
      throw failure("a number begins with 0")
    }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { throw failure("the number is too large") }
    return .real(real)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    guard position > start else { throw failure("a digit is missing") }
  }

  private mutating func text() throws(Failure) -> String {
    position += 1
    let start = position
    // Most texts have no escapes.
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    if next == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try decoded(Array(bytes[start..<position]))
    }
    var text = Array(bytes[start..<position])
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try decoded(text)
      case UInt8(ascii: "\\"): try appendEscape(to: &text)
      case 0..<0x20: throw failure("a control character must be escaped")
      default: text.append(byte)
      }
    }
    throw failure("the closing quote is missing")
  }

  private func decoded(_ text: [UInt8]) throws(Failure) -> String {
    guard let string = String(validating: text, as: UTF8.self) else { throw failure("the text is not UTF-8") }
    return string
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure("the closing quote is missing") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(try scalar()).utf8)
    default: throw failure("unknown escape sequence")
    }
  }

  /// The character of one escape, or of the two of a surrogate pair.
  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("half of a surrogate pair is missing")
    }
    let second = try unit()
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair is missing") }
    return scalar
  }

  private mutating func unit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("a hexadecimal digit is missing")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
