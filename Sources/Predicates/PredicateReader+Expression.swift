import Foundation

/// One side of a comparison.
extension PredicateReader {
  /// Words that are no names of properties; `#` before such a word makes it one.
  static let reservedWords: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE",
    "MATCHES", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF", "CAST",
  ]

  mutating func expression() throws(PredicateSyntaxError) -> ExpressionNode {
    switch token.kind {
    case .symbol("("):
      advance()
      let inner = try expression()
      try expect(symbol: ")")
      return inner
    case .symbol("{"): return try aggregate()
    case .symbol("-"), .symbol("+"), .number: return .value(try number())
    case .string(let string):
      advance()
      return .value(.string(string))
    case .variable(let name):
      advance()
      return .variable(name)
    case .argument(let letter): return letter == "K" ? try keyPath() : .value(try argumentValue())
    case .escapedWord: return try keyPath()
    case .word(let word): return try expression(startingWith: word)
    default: throw unexpected("a value or a key path")
    }
  }

  private mutating func expression(startingWith word: String) throws(PredicateSyntaxError) -> ExpressionNode {
    switch word.uppercased() {
    case "TRUE", "YES":
      advance()
      return .value(.bool(true))
    case "FALSE", "NO":
      advance()
      return .value(.bool(false))
    case "NULL", "NIL":
      advance()
      return .value(.null)
    case "CAST" where tokens[position + 1].kind == .symbol("("): return .value(try cast())
    case "SELF":
      advance()
      return take(symbol: ".") ? try keyPath() : .evaluatedObject
    case let keyword:
      guard !Self.reservedWords.contains(keyword) else { throw unexpected("a value or a key path") }
      return try keyPath()
    }
  }

  private mutating func aggregate() throws(PredicateSyntaxError) -> ExpressionNode {
    try expect(symbol: "{")
    var members: [ExpressionNode] = []
    if !take(symbol: "}") {
      repeat { members.append(try expression()) } while take(symbol: ",")
      guard take(symbol: "}") else { throw unexpected("\",\" or \"}\"") }
    }
    return .list(members)
  }

  private mutating func keyPath() throws(PredicateSyntaxError) -> ExpressionNode {
    var elements: [String] = []
    repeat {
      switch token.kind {
      case .word(let name), .escapedWord(let name):
        elements.append(name)
        advance()
      case .argument("K"): elements += try argumentKeyPath()
      default: throw unexpected("a key")
      }
    } while take(symbol: ".")
    if elements[0].uppercased() == "SELF" { elements.removeFirst() }
    return elements.isEmpty ? .evaluatedObject : .keyPath(elements)
  }

  /// A number with its sign; whole numbers beyond 64 bits are decimals.
  private mutating func number() throws(PredicateSyntaxError) -> PredicateValue {
    var sign = ""
    if take(symbol: "-") { sign = "-" } else { _ = take(symbol: "+") }
    guard case .number(let digits) = token.kind else { throw unexpected("a number") }
    let hexadecimal = digits.lowercased().hasPrefix("0x")
    let value: PredicateValue? =
      if hexadecimal {
        Int64(sign + digits.dropFirst(2), radix: 16).map(PredicateValue.integer)
      } else if let integer = Int64(sign + digits) {
        .integer(integer)
      } else if digits.allSatisfy(\.isNumber) {
        Decimal(string: sign + digits).map(PredicateValue.decimal)
      } else {
        Double(sign + digits).map(PredicateValue.real)
      }
    guard let value else { throw unexpected("a number of at most 64 bits") }
    advance()
    return value
  }
}

/// Typed constants that no literal can write: `CAST(794000000.5, "NSDate")`.
extension PredicateReader {
  private mutating func cast() throws(PredicateSyntaxError) -> PredicateValue {
    advance()
    try expect(symbol: "(")
    let column = token.column
    let text: String
    switch try expression() {
    case .value(.string(let string)): text = string
    case .value(.integer(let integer)): text = String(integer)
    case .value(.real(let real)): text = String(real)
    default:
      throw PredicateSyntaxError(format: format, column: column, problem: "expected a number or a string to cast")
    }
    try expect(symbol: ",")
    guard case .string(let type) = token.kind else { throw unexpected("the name of a class in quotes") }
    guard let value = CastType(rawValue: type)?.cast(.string(text)), value != .null else {
      throw unexpected("a class that \"\(text)\" can be cast to")
    }
    advance()
    try expect(symbol: ")")
    return value
  }
}

extension ExpressionNode {
  /// `{…}`: a constant if all its members are constants.
  package static func list(_ members: [ExpressionNode]) -> ExpressionNode {
    var values: [PredicateValue] = []
    for case .value(let value) in members { values.append(value) }
    return values.count == members.count ? .value(.list(values)) : .aggregate(members)
  }
}
