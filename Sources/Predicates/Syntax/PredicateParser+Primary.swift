import Foundation

/// Operands.
extension PredicateParser {
  /// Keywords, which cannot be property names unless preceded by `#`.
  static let reservedWords: Set<String> = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE",
    "MATCHES", "TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF", "ANYKEY",
  ]

  /// Words reserved only in some contexts; formatting escapes them with `#` too.
  static let contextualWords: Set<String> = [
    "CAST", "FETCH", "FIRST", "FUNCTION", "INTERSECT", "LAST", "MINUS", "SIZE", "SUBQUERY", "TERNARY", "UNION",
  ]

  mutating func primary() throws(PredicateSyntaxError) -> ExpressionNode {
    switch token.kind {
    case .symbol("("):
      advance()
      let inner = try expression()
      try expect(symbol: ")")
      return inner
    case .symbol("{"): return try aggregate()
    case .symbol("*"):
      advance()
      return .anyKey
    case .number: return .value(try number())
    case .string(let string):
      advance()
      return .value(.string(string))
    case .variable(let name):
      advance()
      return .variable(name)
    case .argument("K"):
      let path = try keyPath()
      return path[0].uppercased() == "SELF"
        ? ExpressionNode.evaluatedObject.following(Array(path[1...])) : .keyPath(path)
    case .argument: return try argumentExpression()
    case .escapedWord: return .keyPath(try keyPath())
    case .word(let word): return try primary(startingWith: word)
    default: throw unexpected("a value or a key path")
    }
  }

  private mutating func primary(startingWith word: String) throws(PredicateSyntaxError) -> ExpressionNode {
    let keyword = word.uppercased()
    if let constant = Self.constants[keyword] {
      advance()
      return constant
    }
    guard !Self.reservedWords.contains(keyword) else { throw unexpected("a value or a key path") }
    let next = tokens[position + 1].kind
    guard next == .symbol("(") || next == .symbol(":") else { return .keyPath(try keyPath()) }
    switch keyword {
    case "CAST": return try cast()
    case "TERNARY": return try ternary()
    case "SUBQUERY": return try subquery()
    case "FUNCTION": return try message()
    case "FETCH": return try fetch()
    default: return try functionCall()
    }
  }

  private static let constants: [String: ExpressionNode] = [
    "TRUE": .value(.bool(true)), "YES": .value(.bool(true)), "FALSE": .value(.bool(false)),
    "NO": .value(.bool(false)), "NULL": .value(.null), "NIL": .value(.null), "SELF": .evaluatedObject,
    "ANYKEY": .anyKey,
  ]

  private mutating func aggregate() throws(PredicateSyntaxError) -> ExpressionNode {
    try expect(symbol: "{")
    var members: [ExpressionNode] = []
    if !consume(symbol: "}") {
      repeat { members.append(try expression()) } while consume(symbol: ",")
      guard consume(symbol: "}") else { throw unexpected("\",\" or \"}\"") }
    }
    return .list(members)
  }

  /// A signed number; integers beyond 64 bits become decimals.
  mutating func number() throws(PredicateSyntaxError) -> PredicateValue {
    var sign = ""
    if consume(symbol: "-") { sign = "-" } else { _ = consume(symbol: "+") }
    guard case .number(let digits) = token.kind else { throw unexpected("a number") }
    guard let value = Self.number(sign: sign, digits: digits) else { throw unexpected("a number of at most 64 bits") }
    advance()
    return value
  }

  private static func number(sign: String, digits: String) -> PredicateValue? {
    let radixes = ["0x": 16, "0o": 8, "0b": 2]
    if let radix = radixes[digits.prefix(2).lowercased()] {
      return Int64(sign + digits.dropFirst(2), radix: radix).map(PredicateValue.integer)
    }
    if let integer = Int64(sign + digits) { return .integer(integer) }
    if digits.allSatisfy(\.isNumber) { return Decimal(string: sign + digits).map(PredicateValue.decimal) }
    return Double(sign + digits).map(PredicateValue.real)
  }
}

extension ExpressionNode {
  /// `{…}`: a constant if all its members are constants.
  package static func list(_ members: [ExpressionNode]) -> ExpressionNode {
    var values: [PredicateValue] = []
    for case .value(let value) in members { values.append(value) }
    return values.count == members.count ? .value(.list(values)) : .aggregate(members)
  }

  /// `*`: any key, which only system searches support.
  static let anyKey = ExpressionNode.opaque(
    OpaqueExpression("*", source: AnyKey.shared) { _, _ throws(PredicateEvaluationError) in
      throw .noAnswer("*", reason: "any key is for searches of the system alone.")
    })
}

/// The source of `ExpressionNode.anyKey`.
final class AnyKey: Sendable { static let shared = AnyKey() }
