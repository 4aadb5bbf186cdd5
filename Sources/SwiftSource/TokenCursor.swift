/// A position in the tokens of a source.
package struct TokenCursor {
  /// The modifiers of declarations, without access levels and `class`.
  package static let modifiers: Set<String> = [
    "static", "final", "override", "lazy", "weak", "unowned", "dynamic", "nonisolated", "required", "convenience",
    "mutating", "nonmutating", "optional", "indirect", "prefix", "infix", "postfix", "distributed", "isolated",
    "borrowing", "consuming", "async", "rethrows",
  ]

  /// Whether the word `class` before another is a modifier, as in `class var`.
  package static func mayFollowClass(_ word: String) -> Bool {
    ["func", "var", "let", "subscript", "override", "final", "open", "public", "internal"].contains(word)
  }

  package let source: [UInt8]
  package let tokens: [Token]
  package var index = 0

  package init(_ source: [UInt8]) {
    self.source = source
    tokens = SwiftLexer.tokens(of: source)
  }

  package var token: Token { tokens[index] }

  package var isAtEnd: Bool { token.kind == .end }

  /// The token at a distance, clamped to the first and last.
  package func peek(_ distance: Int = 1) -> Token { tokens[min(max(index + distance, 0), tokens.count - 1)] }

  package func text(_ token: Token) -> String { String(decoding: source[token.bytes], as: UTF8.self) }

  /// The current word; nil if the token is anything else, or in backticks.
  package var word: String? { token.kind == .word ? text(token) : nil }

  /// The current identifier, in backticks or not.
  package var name: String? { token.kind == .word || token.kind == .escapedWord ? text(token) : nil }

  package mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  /// Consumes the next token if it is the given character.
  package mutating func consume(_ punctuator: Unicode.Scalar) -> Bool {
    guard token.isPunctuator(punctuator) else { return false }
    advance()
    return true
  }

  package mutating func consumeName() -> String? {
    guard let name else { return nil }
    advance()
    return name
  }

  /// Whether no space precedes the token.
  package var isAdjacent: Bool { index > 0 && tokens[index - 1].bytes.upperBound == token.bytes.lowerBound }

  /// Skips from an opening bracket past the matching one.
  package mutating func skipBrackets() {
    var depth = 0
    while !isAtEnd {
      switch token.kind {
      case .punctuator(UInt8(ascii: "(")), .punctuator(UInt8(ascii: "[")), .punctuator(UInt8(ascii: "{")): depth += 1
      case .punctuator(UInt8(ascii: ")")), .punctuator(UInt8(ascii: "]")), .punctuator(UInt8(ascii: "}")): depth -= 1
      default: break
      }
      advance()
      if depth <= 0 { return }
    }
  }

  /// Skips `<…>`. The arrow of a function type closes nothing.
  package mutating func skipGenerics() {
    var depth = 0
    while !isAtEnd {
      if token.isPunctuator("<") { depth += 1 }
      if token.isPunctuator(">"), !(peek(-1).isPunctuator("-") && isAdjacent) { depth -= 1 }
      advance()
      if depth <= 0 { return }
    }
  }
}
