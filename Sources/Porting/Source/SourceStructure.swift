import StrataModelCompiler
import StrataSwiftSource

/// Checks that a source is read as the compiler reads it: strings and comments end, and brackets and conditional blocks
/// match. Other sources stay as they are.
struct SourceStructure {
  private let source: SourceText
  private var brackets: [UInt8] = []
  /// The number of open brackets where each open conditional block began.
  private var blocks: [Int] = []

  static func isSound(_ tokens: [Token], of source: SourceText) -> Bool {
    var structure = SourceStructure(source: source)
    return tokens.allSatisfy { structure.read($0) } && structure.brackets.isEmpty && structure.blocks.isEmpty
      && structure.endsOutsideOfComments(after: tokens.dropLast().last)
  }

  private init(source: SourceText) { self.source = source }

  private mutating func read(_ token: Token) -> Bool {
    switch token.kind {
    case .punctuator(let character): read(bracket: character)
    case .directive: read(directive: token)
    case .literal: isClosed(token.bytes)
    case .word, .escapedWord, .end: true
    }
  }

  private mutating func read(bracket: UInt8) -> Bool {
    switch bracket {
    case UInt8(ascii: "("): brackets.append(UInt8(ascii: ")"))
    case UInt8(ascii: "["): brackets.append(UInt8(ascii: "]"))
    case UInt8(ascii: "{"): brackets.append(UInt8(ascii: "}"))
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return brackets.popLast() == bracket
    default: break
    }
    return true
  }

  /// Every branch has matching brackets.
  private mutating func read(directive: Token) -> Bool {
    guard source.isFirstOnLine(directive.bytes.lowerBound) else { return false }
    let text = source.text(directive.bytes)
    if text.hasPrefix("#if") {
      blocks.append(brackets.count)
      return true
    }
    guard blocks.last == brackets.count else { return false }
    if text.hasPrefix("#endif") { blocks.removeLast() }
    return true
  }

  /// Whether a string ends with its own quotation mark.
  private func isClosed(_ bytes: Range<Int>) -> Bool {
    let text = source.bytes[bytes]
    let pounds = text.prefix { $0 == UInt8(ascii: "#") }.count
    let rest = text.dropFirst(pounds)
    guard rest.first == UInt8(ascii: "\"") else { return true }
    // A raw string on one line may begin with three quotation marks, as in `#"""#`.
    let mayBeLong = pounds == 0 ? rest.count > 3 : rest.contains(UInt8(ascii: "\n"))
    let quotes = rest.starts(with: Array("\"\"\"".utf8)) && mayBeLong ? 3 : 1
    let end = Array(repeating: UInt8(ascii: "\""), count: quotes) + Array(repeating: UInt8(ascii: "#"), count: pounds)
    return text.count >= pounds + quotes + end.count && text.suffix(end.count).elementsEqual(end)
  }

  private func endsOutsideOfComments(after last: Token?) -> Bool {
    // The bytes of a name in backticks are those between them.
    var position = (last?.bytes.upperBound ?? 0) + (last?.kind == .escapedWord ? 1 : 0)
    while position < source.bytes.count {
      if [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(
        source.bytes[position])
      {
        position += 1
      } else {
        guard let end = source.endOfComment(position) else { return false }
        position = end
      }
    }
    return true
  }
}

extension SourceText {
  /// The end of a comment that begins at an offset; nil if it does not end.
  func endOfComment(_ offset: Int) -> Int? {
    guard bytes[offset...].starts(with: Array("/*".utf8)) else { return max(lineEnd(offset), offset + 1) }
    var depth = 0
    var position = offset
    while position + 1 < bytes.count {
      if bytes[position...].starts(with: Array("/*".utf8)) {
        depth += 1
        position += 2
      } else if bytes[position...].starts(with: Array("*/".utf8)) {
        depth -= 1
        position += 2
        if depth == 0 { return position }
      } else {
        position += 1
      }
    }
    return nil
  }
}
