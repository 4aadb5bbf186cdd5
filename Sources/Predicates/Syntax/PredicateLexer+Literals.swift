/// Numbers and quoted strings.
extension PredicateLexer {
  /// `12`, `1.5`, `2e-3`, `0x1F`, `0o17` or `0b101`; a sign is a separate token.
  mutating func number() -> String {
    let start = position
    if current == "0", let letter = peek(), "xXoObB".unicodeScalars.contains(letter),
      peek(2)?.properties.isASCIIHexDigit == true
    {
      position += 2
      while let scalar = current, scalar.properties.isASCIIHexDigit { position += 1 }
      return text(from: start)
    }
    skipDigits()
    if current == ".", let digit = peek(), Self.isDigit(digit) {
      position += 1
      skipDigits()
    }
    skipExponent()
    return text(from: start)
  }

  private mutating func skipExponent() {
    guard current == "e" || current == "E" else { return }
    let signed = peek() == "+" || peek() == "-"
    guard let digit = peek(signed ? 2 : 1), Self.isDigit(digit) else { return }
    position += signed ? 2 : 1
    skipDigits()
  }

  private mutating func skipDigits() {
    while let scalar = current, Self.isDigit(scalar) { position += 1 }
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private func text(from start: Int) -> String { text(start..<position) }

  /// The text between two matching quotes. A backslash escapes the next character, with special meanings for `\n`,
  /// `\t`, `\r`, `\0` and `\u` with four hexadecimal digits; format specifiers have no meaning inside.
  mutating func quotedString(endingWith quote: Unicode.Scalar) throws(PredicateSyntaxError) -> String {
    let start = position
    position += 1
    var units: [UInt16] = []
    while let scalar = current, scalar != quote {
      position += 1
      guard scalar == "\\" else {
        units.append(contentsOf: UTF16.encode(scalar)!)  // every scalar has an encoding
        continue
      }
      guard let escaped = current else { break }
      position += 1
      units.append(contentsOf: try unescaped(escaped))
    }
    guard current == quote else {
      throw error(at: start, "expected a closing \(quote) for the string that starts here")
    }
    position += 1
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func unescaped(_ scalar: Unicode.Scalar) throws(PredicateSyntaxError) -> [UInt16] {
    switch scalar {
    case "n": return [0x0A]
    case "t": return [0x09]
    case "r": return [0x0D]
    case "0": return [0x00]
    case "u":
      let digits = text(position..<min(position + 4, scalars.count))
      guard digits.count == 4, let unit = UInt16(digits, radix: 16) else {
        throw error(at: position, "expected four hexadecimal digits after \"\\u\"")
      }
      position += 4
      return [unit]
    default: return Array(UTF16.encode(scalar)!)  // every scalar has an encoding
    }
  }
}
