/// The bytes of a source, with questions about its lines.
struct SourceText {
  let bytes: [UInt8]

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func lineStart(_ offset: Int) -> Int {
    (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }

  /// The end of a line's text, before its line ending.
  func lineEnd(_ offset: Int) -> Int {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return end > offset && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
  }

  /// The blanks at the start of the line.
  func indentation(_ offset: Int) -> String {
    let start = lineStart(offset)
    return text(start..<(bytes[start...].firstIndex { !Self.isBlank($0) } ?? bytes.count))
  }

  /// The line ending of the offset's line, or of the first line if that is the last one.
  func lineEnding(_ offset: Int) -> String {
    let lineFeed = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.firstIndex(of: UInt8(ascii: "\n"))
    guard let lineFeed, lineFeed > 0, bytes[lineFeed - 1] == UInt8(ascii: "\r") else { return "\n" }
    return "\r\n"
  }

  /// Whether only blanks precede the offset on its line.
  func isFirstOnLine(_ offset: Int) -> Bool { bytes[lineStart(offset)..<offset].allSatisfy(Self.isBlank) }

  /// Whether only blanks, or a comment that ends with the line, follow the offset on its line.
  func isLastOnLine(_ offset: Int) -> Bool {
    let rest = bytes[offset..<lineEnd(offset)].drop(while: Self.isBlank)
    return rest.isEmpty || rest.starts(with: Array("//".utf8))
  }

  /// The end of the blanks from an offset on.
  func skippingBlanks(_ offset: Int) -> Int { bytes[offset...].firstIndex { !Self.isBlank($0) } ?? bytes.count }

  /// The start of the blanks before an offset.
  func blanksStart(_ offset: Int) -> Int { (bytes[..<offset].lastIndex { !Self.isBlank($0) } ?? -1) + 1 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
