import Foundation

/// Operands.
extension PredicateParser {
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
      return PredicateKeyword(spelling: path[0]) == .evaluatedObject
        ? ExpressionNode.evaluatedObject.following(Array(path[1...])) : .keyPath(path)
    case .argument: return try argumentExpression()
    case .escapedWord: return .keyPath(try keyPath())
    case .word: return try primary(spelling: token.keyword)
    default: throw unexpected("a value or a key path")
    }
  }

  /// A word, with the keyword that it spells.
  private mutating func primary(spelling keyword: PredicateKeyword?) throws(PredicateSyntaxError) -> ExpressionNode {
    if let keyword, !keyword.isContextual {
      guard let constant = Self.constant(keyword) else { throw unexpected("a value or a key path") }
      advance()
      return constant
    }
    guard case .symbol(let next) = tokens[position + 1].kind, next == "(" || next == ":" else {
      return .keyPath(try keyPath())
    }
    switch keyword {
    case .cast: return try cast()
    case .ternary: return try ternary()
    case .subquery: return try subquery()
    case .function: return try message()
    case .fetch: return try fetch()
    default: return try functionCall()
    }
  }

  private static func constant(_ keyword: PredicateKeyword) -> ExpressionNode? {
    switch keyword {
    case .true, .yes: .value(.bool(true))
    case .false, .no: .value(.bool(false))
    case .null, .nil: .value(.null)
    case .evaluatedObject: .evaluatedObject
    case .anykey: .anyKey
    default: nil
    }
  }

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
    if let radix = radix(of: digits) {
      return Int64(sign + digits.dropFirst(2), radix: radix).map(PredicateValue.integer)
    }
    if let integer = Int64(sign + digits) { return .integer(integer) }
    if digits.allSatisfy(\.isNumber) { return Decimal(string: sign + digits).map(PredicateValue.decimal) }
    return Double(sign + digits).map(PredicateValue.real)
  }

  private static func radix(of digits: String) -> Int? {
    guard digits.utf8.count > 2, digits.utf8.first == UInt8(ascii: "0") else { return nil }
    switch digits.prefix(2) {
    case "0x", "0X": return 16
    case "0o", "0O": return 8
    case "0b", "0B": return 2
    default: return nil
    }
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
      throw .noResult("*", reason: "only searches of the system support any key.")
    })
}

/// The source of `ExpressionNode.anyKey`.
final class AnyKey: Sendable { static let shared = AnyKey() }
