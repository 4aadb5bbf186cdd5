import StrataModelCompiler

/// The place of a new import in a file: before the first one, or after the comment at the head of the file.
struct ImportPlace {
  private(set) var offset = 0
  /// Whether no import follows.
  private(set) var needsBlankLine = false

  init(_ code: LiveCode) {
    if let first = Self.firstImport(in: code) {
      offset = code.source.lineStart(first)
    } else {
      offset = Self.endOfHeader(in: code)
      needsBlankLine = true
    }
  }

  /// The start of the first import with its attributes, or of the conditional block around it.
  private static func firstImport(in code: LiveCode) -> Int? {
    var blocks: [Int] = []
    var start: Int?
    var braces = 0
    let tokens = code.everything
    for (index, token) in tokens.enumerated() {
      let text = token.kind == .literal ? "" : code.source.text(token.bytes)
      switch token.kind {
      case .directive:
        if text.hasPrefix("#endif") {
          _ = blocks.popLast()
        } else if text.hasPrefix("#if") {
          blocks.append(token.bytes.lowerBound)
        }
        start = nil
      case .word where text == "import" && braces == 0 && tokens[index + 1].kind == .word:
        let place = blocks.first ?? start ?? token.bytes.lowerBound
        if code.source.isFirstOnLine(place) { return place }
      case .word where ["public", "internal", "package", "private", "fileprivate"].contains(text):
        start = start ?? token.bytes.lowerBound
      case .punctuator(UInt8(ascii: "@")): start = start ?? token.bytes.lowerBound
      // The name of an attribute.
      case .word where index > 0 && tokens[index - 1].isPunctuator("@"): break
      case .punctuator(UInt8(ascii: "{")): braces += 1
      case .punctuator(UInt8(ascii: "}")): braces -= 1
      case .punctuator(UInt8(ascii: "(")) where start != nil, .punctuator(UInt8(ascii: ")")) where start != nil: break
      default: start = nil
      }
    }
    return nil
  }

  /// The start of the paragraph of the first token: a comment that is directly before a declaration belongs to it.
  private static func endOfHeader(in code: LiveCode) -> Int {
    let bytes = code.source.bytes
    let end = code.everything[0].bytes.lowerBound
    var position = bytes.starts(with: Array("#!".utf8)) ? code.source.nextLine(0) : 0
    var place = position
    var newLines = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\n"):
        newLines += 1
        position += 1
        if newLines > 1 { place = position }
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      default:
        newLines = 0
        position = code.source.endOfComment(position) ?? end
      }
    }
    return min(place, code.source.lineStart(end))
  }
}

extension SourceText {
  fileprivate func nextLine(_ offset: Int) -> Int { min(lineEnd(offset) + lineEnding(offset).utf8.count, bytes.count) }
}
