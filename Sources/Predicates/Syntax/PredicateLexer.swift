/// One token of a format string.
struct PredicateToken: Hashable {
  enum Kind: Hashable {
    /// A keyword or a name: `and`, `magnitude`, `@count`.
    case word(String)
    /// A name after `#`, which is never a keyword: `#in`.
    case escapedWord(String)
    /// `$NAME`.
    case variable(String)
    /// An unsigned number as written.
    case number(String)
    case string(String)
    /// `%@` is `@`, `%K` is `K`; for `%lld` only the last letter.
    case argument(Character)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  var kind: Kind
  var column: Int

  /// The token for error messages.
  var text: String {
    switch kind {
    case .word(let word): "\"\(word)\""
    case .escapedWord(let word): "\"#\(word)\""
    case .variable(let name): "\"$\(name)\""
    case .number(let digits): digits
    case .string(let string): "the string \"\(string)\""
    case .argument(let letter): "%\(letter)"
    case .symbol(let symbol): "\"\(symbol)\""
    case .end: "the end"
    }
  }
}

/// Splits a format string into tokens.
struct PredicateLexer {
  let format: String
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ format: String) {
    self.format = format
    scalars = Array(format.unicodeScalars)
  }

  /// All tokens of the format, `.end` last.
  static func tokens(of format: String) throws(PredicateSyntaxError) -> [PredicateToken] {
    var lexer = PredicateLexer(format)
    var tokens: [PredicateToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func peek(_ distance: Int = 1) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  /// The text of some scalars: appended one by one, because Swift searches all conformances of the program to append a
  /// collection to a text.
  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars[range] { text.append(scalar) }
    return String(text)
  }

  func error(at position: Int, _ problem: String) -> PredicateSyntaxError {
    PredicateSyntaxError(format: format, column: position + 1, problem: problem)
  }

  private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
    while let scalar = current, scalar.properties.isWhitespace { position += 1 }
    let column = position + 1
    guard let scalar = current else { return PredicateToken(kind: .end, column: column) }
    return PredicateToken(kind: try kind(startingWith: scalar), column: column)
  }

  private mutating func kind(startingWith scalar: Unicode.Scalar) throws(PredicateSyntaxError) -> PredicateToken.Kind {
    switch scalar {
    case "'", "\"": return .string(try quotedString(endingWith: scalar))
    case "0"..."9": return .number(number())
    case "%": return .argument(try argumentLetter())
    case "#": return .escapedWord(try name(after: "#"))
    case "$": return .variable(try name(after: "$"))
    case "@": return .word("@" + (try name(after: "@")))
    default:
      if Self.startsName(scalar) { return .word(name()) }
      return .symbol(try symbol())
    }
  }

  static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    startsName(scalar) || scalar.properties.numericType != nil || scalar.properties.isIDContinue
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = current, Self.continuesName(scalar) {
      name.append(scalar)
      position += 1
    }
    return String(name)
  }

  private mutating func name(after sign: String) throws(PredicateSyntaxError) -> String {
    guard let first = peek(), Self.startsName(first) else {
      throw error(at: position + 1, "expected a name after \"\(sign)\"")
    }
    position += 1
    return name()
  }

  /// `%@`, `%K` and the printf formats for numbers with their length modifiers.
  private mutating func argumentLetter() throws(PredicateSyntaxError) -> Character {
    let start = position
    position += 1
    while let scalar = current, "hlqLzjt".unicodeScalars.contains(scalar) { position += 1 }
    guard let letter = current, "@KdDiuUxXoOfFeEgGaAcCsS".unicodeScalars.contains(letter) else {
      throw error(at: start, "expected an argument such as %@, %K, %d or %f after \"%\"")
    }
    position += 1
    return Character(letter)
  }

  private mutating func symbol() throws(PredicateSyntaxError) -> String {
    for length in [2, 1] where position + length <= scalars.count {
      let text = text(position..<position + length)
      guard Self.symbols.contains(text) else { continue }
      position += length
      return text
    }
    throw error(at: position, "expected an operator, a value or a name, found \"\(scalars[position])\"")
  }

  private static let symbols: Set<String> = [
    "==", "=", "!=", "<>", "<=", "=<", ">=", "=>", "<", ">", "&&", "||", "!", "(", ")", "{", "}", "[", "]", ",", ".",
    "-", "+", "**", "*", "/", ":", "&", "|", "^", "~", "<<", ">>",
  ]
}
