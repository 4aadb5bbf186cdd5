import StrataModelCompiler

/// The position of a new import in a file: before the first one, or after the comment at the head of the file.
struct ImportPosition {
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
    let tokens = code.wholeFile
    for head in DeclarationScanner.heads(in: tokens) where head.keyword == "import" && head.scope == nil {
      let start = tokens[head.start].bytes.lowerBound
      let offset = outermostBlock(around: start, in: code) ?? start
      if code.source.isFirstOnLine(offset) { return offset }
    }
    return nil
  }

  /// The start of the outermost conditional block around an offset.
  private static func outermostBlock(around offset: Int, in code: LiveCode) -> Int? {
    var blocks: [Int] = []
    for token in code.everything where token.kind == .directive && token.bytes.lowerBound < offset {
      let text = code.source.text(token.bytes)
      if text.hasPrefix("#endif") {
        _ = blocks.popLast()
      } else if text.hasPrefix("#if") {
        blocks.append(token.bytes.lowerBound)
      }
    }
    return blocks.first
  }

  /// The start of the paragraph of the first token: a comment that is directly before a declaration belongs to it.
  private static func endOfHeader(in code: LiveCode) -> Int {
    let bytes = code.source.bytes
    let end = code.everything[0].bytes.lowerBound
    var position = bytes.starts(with: Array("#!".utf8)) ? code.source.nextLine(0) : 0
    var paragraph = position
    var newLines = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\n"):
        newLines += 1
        position += 1
        if newLines > 1 { paragraph = position }
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      default:
        newLines = 0
        position = code.source.endOfComment(position) ?? end
      }
    }
    return min(paragraph, code.source.lineStart(end))
  }
}

extension SourceText {
  fileprivate func nextLine(_ offset: Int) -> Int { min(lineEnd(offset) + lineEnding(offset).utf8.count, bytes.count) }
}
