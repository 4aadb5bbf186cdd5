/// The number of terminal columns that a text occupies.
///
/// Combining marks take none; ideographs, Hangul, full-width forms and emoji take two (UAX #11 and UTS #51); all others
/// take one. https://www.unicode.org/reports/tr11/
public enum DisplayWidth {
  public static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  public static func columns(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // The variation selector that turns a narrow character into an emoji.
      if scalar == "\u{FE0F}" { return 2 }
      width = max(width, columns(scalar))
    }
    return width
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return true
    default: return false
    }
  }

  /// Truncates a text to a number of columns.
  ///
  /// - Parameter end: what a truncated text ends with, of one column.
  public static func fitted(_ text: String, to limit: Int, end: Character = "…") -> String {
    guard columns(text) > limit else { return text }
    guard limit > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let width = columns(character)
      if used + width > limit - 1 { break }
      result.append(character)
      used += width
    }
    return result + String(end)
  }

  /// Pads a text with spaces, before or behind it, to a number of columns.
  public static func padded(_ text: String, to width: Int, atEnd: Bool = true) -> String {
    let blanks = String(repeating: " ", count: max(0, width - columns(text)))
    return atEnd ? text + blanks : blanks + text
  }
}
