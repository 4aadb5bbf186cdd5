extension MarkupReader {
  /// Bytes as text, with references resolved. Those that are unknown stay as they are.
  mutating func text(of bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "&") {
        if let (character, length) = Self.reference(rest) {
          text += Array(String(character).utf8)
          rest = rest.dropFirst(length)
          continue
        }
        note(.reference)
      }
      // The end of a line is one character.
      guard byte == UInt8(ascii: "\r") else {
        text.append(byte)
        continue
      }
      if rest.first != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The character of a reference, and its number of bytes after the `&`.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (character: Unicode.Scalar, length: Int)? {
    // The longest is `#1114111;`, but zeros may precede the digits.
    guard let end = bytes.prefix(16).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    let length = end + 1 - bytes.startIndex
    if let character = predefined[name] { return (character, length) }
    guard name.hasPrefix("#") else { return nil }
    let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard let character = number.flatMap(Unicode.Scalar.init), isAllowed(character) else { return nil }
    return (character, length)
  }

  private static let predefined: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Whether XML has the character at all.
  private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
    character.value >= 0x20
      ? !(0xFFFE...0xFFFF).contains(character.value) : [0x09, 0x0A, 0x0D].contains(character.value)
  }

  // MARK: The position

  mutating func passBytes(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  mutating func consume(_ text: StaticString) -> Bool {
    guard begins(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Advances past a text.
  mutating func pass(_ text: StaticString) throws(MarkupFailure) {
    while !begins(text) {
      guard position < bytes.count else { throw .endlessTag }
      position += 1
    }
    position += text.utf8CodeUnitCount
  }

  private func begins(_ text: StaticString) -> Bool {
    guard position < bytes.count, bytes[position] == text.utf8Start[0] else { return false }
    return bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
