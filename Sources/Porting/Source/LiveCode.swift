import StrataModelCompiler
import StrataSwiftSource

/// The code of a source that Linux may compile: the file, and each expression in a string literal.
struct LiveCode {
  let source: SourceText
  /// The file's code first.
  private(set) var fragments: [CodeFragment] = []
  /// All tokens of the file, with directives and code that Linux does not compile.
  private(set) var everything: [Token] = []
  /// Whether strings, comments, brackets and conditional blocks end.
  let isSound: Bool

  var file: CodeFragment { fragments[0] }

  /// The file's code with what Linux does not compile.
  var wholeFile: CodeFragment {
    var fragment = CodeFragment(literal: nil)
    for token in everything where token.kind != .directive { fragment.append(codeToken(token, depth: 0)) }
    return fragment
  }

  init(_ bytes: [UInt8]) {
    source = SourceText(bytes: bytes)
    let lexer = SwiftLexer(reading: bytes)
    everything = lexer.tokens
    isSound = SourceStructure.isSound(lexer.tokens, of: source)
    add(lexer, at: 0, line: 1, in: nil)
  }

  private mutating func add(_ lexer: SwiftLexer, at start: Int, line: Int, in literal: CodeFragment.Literal?) {
    var fragment = CodeFragment(literal: literal)
    var conditions = ConditionStack()
    var live: [(token: Token, isFormat: Bool)] = []
    for token in lexer.tokens {
      let liveToken = codeToken(token, at: start, line: line, depth: conditions.depth)
      if token.kind == .directive {
        conditions.read(liveToken.text)
      } else if conditions.isLive || token.kind == .end {
        if token.kind == .literal { live.append((token, fragment.endsWithFormatLabel)) }
        fragment.append(liveToken)
      }
    }
    fragments.append(fragment)
    addInterpolations(of: lexer, literals: live, at: start, line: line)
  }

  private func codeToken(_ token: Token, at start: Int = 0, line: Int = 1, depth: Int) -> CodeToken {
    let bytes = token.bytes.lowerBound + start..<token.bytes.upperBound + start
    return CodeToken(
      kind: token.kind, text: source.text(bytes), bytes: bytes, line: token.line + line - 1, depth: depth)
  }

  private mutating func addInterpolations(
    of lexer: SwiftLexer, literals: [(token: Token, isFormat: Bool)], at start: Int, line: Int
  ) {
    var literals = literals[...]
    for range in lexer.interpolations {
      while let first = literals.first, first.token.bytes.upperBound <= range.lowerBound { literals.removeFirst() }
      guard let literal = literals.first, literal.token.bytes.contains(range.lowerBound) else { continue }
      let bytes = range.lowerBound + start..<range.upperBound + start
      let before = source.bytes[start + literal.token.bytes.lowerBound..<bytes.lowerBound]
      let lines = before.count { $0 == UInt8(ascii: "\n") }
      let inner = SwiftLexer(reading: Array(source.bytes[bytes]))
      add(
        inner, at: bytes.lowerBound, line: literal.token.line + line - 1 + lines,
        in: CodeFragment.Literal(expression: bytes, isFormat: literal.isFormat))
    }
  }
}

/// A token of live code.
struct CodeToken {
  var kind: Token.Kind
  var text: String
  var bytes: Range<Int>
  var line: Int
  /// The number of conditional blocks around the token.
  var depth: Int

  var isName: Bool { kind == .word || kind == .escapedWord }
}

/// Code without gaps other than comments and directives.
struct CodeFragment {
  /// The string literal around an interpolated expression.
  struct Literal {
    var expression: Range<Int>
    /// Whether the literal is the format of a predicate or of a string.
    var isFormat: Bool
  }

  let literal: Literal?
  /// Ends with a token of the kind `end`.
  private(set) var tokens: [CodeToken] = []

  init(literal: Literal?) { self.literal = literal }

  fileprivate mutating func append(_ token: CodeToken) { tokens.append(token) }

  fileprivate var endsWithFormatLabel: Bool { tokens.count > 1 && sees(tokens.count - 2, "format", ":") }

  subscript(index: Int) -> CodeToken { tokens[min(max(index, 0), tokens.count - 1)] }

  /// Whether tokens with these texts begin at an index.
  func sees(_ index: Int, _ first: String, _ others: String...) -> Bool {
    // Most tokens differ in the first text, and an empty list of arguments costs nothing.
    guard index >= 0, index + others.count < tokens.count, isToken(index, first) else { return false }
    for (distance, text) in others.enumerated() where !isToken(index + 1 + distance, text) { return false }
    return true
  }

  private func isToken(_ index: Int, _ text: String) -> Bool {
    tokens[index].text == text && tokens[index].kind != .literal
  }

  /// Whether no space precedes the token.
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && tokens[index - 1].bytes.upperBound == tokens[index].bytes.lowerBound
  }

  /// The index of the bracket that closes the one at an index.
  func closing(_ index: Int) -> Int? {
    var depth = 0
    for current in index..<tokens.count {
      switch tokens[current].kind {
      case .punctuator(UInt8(ascii: "(")), .punctuator(UInt8(ascii: "[")), .punctuator(UInt8(ascii: "{")): depth += 1
      case .punctuator(UInt8(ascii: ")")), .punctuator(UInt8(ascii: "]")), .punctuator(UInt8(ascii: "}")):
        depth -= 1
        if depth == 0 { return current }
      default: break
      }
    }
    return nil
  }

  /// The index of the bracket that the one at an index closes.
  func opening(_ index: Int) -> Int? {
    var depth = 0
    for current in stride(from: index, through: 0, by: -1) {
      switch tokens[current].kind {
      case .punctuator(UInt8(ascii: ")")), .punctuator(UInt8(ascii: "]")), .punctuator(UInt8(ascii: "}")): depth += 1
      case .punctuator(UInt8(ascii: "(")), .punctuator(UInt8(ascii: "[")), .punctuator(UInt8(ascii: "{")):
        depth -= 1
        if depth == 0 { return current }
      default: break
      }
    }
    return nil
  }

  /// The index after `<…>`, which begins at an index; nil if it does not end or has more than types in it.
  func afterGenerics(_ index: Int) -> Int? {
    var depth = 0
    var current = index
    while current < tokens.count - 1 {
      switch tokens[current].text {
      case "<": depth += 1
      case ">" where tokens[current - 1].text == "-" && isAdjacent(current): break
      case ">": depth -= 1
      case ".", ",", "?", "!", "&", ":", "-", "[", "]", "(", ")", "@": break
      default: guard tokens[current].isName else { return nil }
      }
      current += 1
      if depth == 0 { return current }
    }
    return nil
  }
}
