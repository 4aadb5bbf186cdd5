extension Terminal {
  /// The text without characters that do something instead of being seen: controls become spaces, control sequences and
  /// invisible characters are dropped. A place name must not control the terminal, or show other letters than it has.
  public static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    guard text.unicodeScalars.contains(where: { isControl($0) || isInvisible($0) }) else { return text }
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let next = afterSequence(rest) {
        rest = next
        continue
      }
      rest.removeFirst()
      if !isInvisible(scalar) { scalars.append(isControl(scalar) ? " " : scalar) }
    }
    return String(scalars)
  }

  /// The text after an ECMA-48 control sequence, such as `ESC [ 31 m`; nil if the text does not begin with one.
  private static func afterSequence(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    let start = text.first == "\u{9B}" ? 1 : text.starts(with: "\u{1B}[".unicodeScalars) ? 2 : 0
    guard start > 0 else { return nil }
    let rest = text.dropFirst(start).drop { 0x30...0x3F ~= $0.value }.drop { 0x20...0x2F ~= $0.value }
    guard let final = rest.first, 0x40...0x7E ~= final.value else { return nil }
    return rest.dropFirst()
  }

  /// C0, DEL, C1, the line and paragraph separators, the bidirectional embeddings, overrides and isolates.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The soft hyphen, zero-width characters, bidirectional marks, invisible operators, deprecated and interlinear format
  /// characters, tags, and the two noncharacters that XML cannot hold. Emoji that need a joiner are shown as their parts.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B...0x200F, 0x2060...0x2065, 0x206A...0x206F,
      0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xFFFE...0xFFFF,
      0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}
