import StrataSwiftSource

extension DeclarationReader {
  mutating func readVariable(isConstant: Bool) -> Variable {
    cursor.advance()
    var variable = Variable(isConstant: isConstant, bindings: [])
    repeat { variable.bindings.append(readBinding()) } while cursor.consume(",")
    return variable
  }

  private mutating func readBinding() -> Variable.Binding {
    var binding = Variable.Binding()
    if cursor.token.isPunctuator("(") { cursor.skipBrackets() } else { binding.name = cursor.consumeName() }
    if cursor.consume(":") { binding.type = readTypeText() }
    if cursor.consume("=") { binding.initialValue = readExpression() }
    if cursor.token.isPunctuator("{") {
      binding.hasAccessors = true
      cursor.skipBrackets()
    }
    return binding
  }

  /// The source from the first to the last token of a range.
  func text(_ range: Range<Int>) -> String {
    guard let first = cursor.tokens[range].first, let last = cursor.tokens[range].last else { return "" }
    let start = first.bytes.lowerBound - (first.kind == .escapedWord ? 1 : 0)
    let end = last.bytes.upperBound + (last.kind == .escapedWord ? 1 : 0)
    return String(decoding: cursor.source[start..<end], as: UTF8.self)
  }

  /// Reads a type up to `=`, `,`, `{` or the end of the declaration.
  mutating func readTypeText() -> String {
    readText { reader in
      if "=,{};".unicodeScalars.contains(where: reader.cursor.token.isPunctuator) { return false }
      if reader.cursor.token.isPunctuator("<") {
        reader.cursor.skipGenerics()
      } else {
        reader.skipElement()
      }
      return true
    }
  }

  /// Reads an expression up to `,`, the block of its observers or the end of the declaration.
  private mutating func readExpression() -> String {
    readText { reader in
      if ",};".unicodeScalars.contains(where: reader.cursor.token.isPunctuator) || reader.isAtObservers { return false }
      if let end = reader.endOfGenericArguments { reader.cursor.index = end } else { reader.skipElement() }
      return true
    }
  }

  private mutating func readText(_ advance: (inout Self) -> Bool) -> String {
    let start = cursor.index
    while !cursor.isAtEnd, cursor.token.kind != .directive, cursor.index == start || !isAtNextDeclaration,
      advance(&self)
    {}
    return text(start..<cursor.index)
  }

  /// Skips one token, or brackets with what is in them.
  private mutating func skipElement() {
    let isBracket = "([{".unicodeScalars.contains(where: cursor.token.isPunctuator)
    if isBracket { cursor.skipBrackets() } else { cursor.advance() }
  }

  // MARK: Ends

  /// Whether the token is the first of another declaration, because it begins a line and does not continue the line
  /// before it.
  private var isAtNextDeclaration: Bool {
    guard startsLine(cursor.index), !needsOperand(after: cursor.index - 1) else { return false }
    switch cursor.token.kind {
    case .word: return !["as", "is", "else", "catch"].contains(cursor.text(cursor.token))
    case .escapedWord: return true
    default: return cursor.token.isPunctuator("@") || cursor.token.isPunctuator("#")
    }
  }

  private func startsLine(_ index: Int) -> Bool {
    cursor.source[cursor.tokens[index - 1].bytes.upperBound..<cursor.tokens[index].bytes.lowerBound]
      .contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  /// Whether an expression or a type cannot end with a token. A postfix operator touches its operand, as in `name!`.
  private func needsOperand(after index: Int) -> Bool {
    let token = cursor.tokens[index]
    guard case .punctuator(let punctuator) = token.kind else { return isPrefix(token) }
    if ",.:=([{@#".utf8.contains(punctuator) { return true }
    guard "+-*/%&|^<>?!~".utf8.contains(punctuator), index > 0 else { return false }
    let isArrow = punctuator == UInt8(ascii: ">") && cursor.tokens[index - 1].isPunctuator("-")
    return isArrow || !touchesOperand(index)
  }

  private func touchesOperand(_ index: Int) -> Bool {
    var start = index
    while start > 0, cursor.tokens[start - 1].bytes.upperBound == cursor.tokens[start].bytes.lowerBound {
      start -= 1
      guard case .punctuator(let punctuator) = cursor.tokens[start].kind, "+-*/%&|^<>?!~=".utf8.contains(punctuator)
      else { return !isPrefix(cursor.tokens[start]) }
    }
    return false
  }

  /// Whether another word follows in an expression or type, as after `try`.
  private func isPrefix(_ token: Token) -> Bool {
    token.kind == .word && Self.prefixes.contains(cursor.text(token))
  }

  private static let prefixes: Set<String> = [
    "any", "as", "await", "case", "consume", "copy", "else", "if", "in", "is", "return", "some", "switch", "throw",
    "try", "unsafe", "where",
  ]

  /// Whether the token opens a block of `willSet` or `didSet`. An initial value has no other accessors.
  private var isAtObservers: Bool {
    guard cursor.token.isPunctuator("{") else { return false }
    var inner = cursor
    inner.advance()
    while inner.consume("@") {
      inner.advance()
      if inner.token.isPunctuator("("), inner.isAdjacent { inner.skipBrackets() }
    }
    return ["willSet", "didSet"].contains(inner.word)
  }

  /// The token after `<String, Int>` in `Dictionary<String, Int>()`; nil if the token is a comparison.
  private var endOfGenericArguments: Int? {
    guard cursor.token.isPunctuator("<"), cursor.isAdjacent else { return nil }
    var inner = cursor
    inner.skipGenerics()
    let isCall = inner.token.isPunctuator("(") || inner.token.isPunctuator(".")
    return isCall && inner.isAdjacent ? inner.index : nil
  }
}
