/// One token of a format string.
struct PredicateToken {
  enum Kind: Equatable {
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
  /// The keyword that a word spells.
  var keyword: PredicateKeyword?
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
    // A format has about one token in four characters.
    tokens.reserveCapacity(4 + lexer.scalars.count / 4)
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

  /// The text of some scalars. Made of bytes: to append scalar by scalar takes half as many instructions again.
  func text(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for scalar in scalars[range] {
      if scalar.isASCII { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) } else { bytes += Array(scalar.utf8) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func error(at position: Int, _ problem: String) -> PredicateSyntaxError {
    PredicateSyntaxError(format: format, column: position + 1, problem: problem)
  }

  private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
    while let scalar = current, Self.isSpace(scalar) { position += 1 }
    let column = position + 1
    guard let scalar = current else { return PredicateToken(kind: .end, column: column) }
    let kind = try kind(startingWith: scalar)
    guard case .word(let word) = kind else { return PredicateToken(kind: kind, column: column) }
    return PredicateToken(kind: kind, keyword: PredicateKeyword(spelling: word), column: column)
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

  // ASCII is classified here: the standard library looks up a scalar's properties in tables.

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isWhitespace }
    return scalar == " " || ("\t"..."\r").contains(scalar)
  }

  private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isAlphabetic }
    return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    if startsName(scalar) { return true }
    guard scalar.isASCII else { return scalar.properties.numericType != nil || scalar.properties.isIDContinue }
    return isDigit(scalar)
  }

  private mutating func name() -> String {
    let start = position
    while let scalar = current, Self.continuesName(scalar) { position += 1 }
    return text(start..<position)
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
    let start = position
    switch (scalars[position], peek()) {
    case ("=", "="), ("!", "="), ("<", ">"), ("<", "="), ("=", "<"), (">", "="), ("=", ">"), ("&", "&"), ("|", "|"),
      ("*", "*"), ("<", "<"), (">", ">"):
      position += 2
    case ("=", _), ("<", _), (">", _), ("!", _), ("(", _), (")", _), ("{", _), ("}", _), ("[", _), ("]", _), (",", _),
      (".", _), ("-", _), ("+", _), ("*", _), ("/", _), (":", _), ("&", _), ("|", _), ("^", _), ("~", _):
      position += 1
    default: throw error(at: position, "expected an operator, a value or a name, found \"\(scalars[position])\"")
    }
    return text(start..<position)
  }
}
