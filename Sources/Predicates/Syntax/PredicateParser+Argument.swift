import Foundation

/// Arguments for `%@`, `%K`, `%d` and their kin.
extension PredicateParser {
  /// An expression for `%@`, or a value for any format letter.
  mutating func argumentExpression() throws(PredicateSyntaxError) -> ExpressionNode {
    guard case .argument("@") = token.kind, nextArgument < arguments.count,
      let expression = argumentObject as? NSExpression
    else { return .value(try argumentValue()) }
    defer { nextArgument += 1 }
    do throws(UnreadableExpressionError) {
      let node = try expression.node
      advance()
      return node
    } catch {
      throw PredicateSyntaxError(format: format, column: token.column, problem: error.description)
    }
  }

  /// The next argument if it is an object.
  private var argumentObject: AnyObject? { arguments[nextArgument].flatMap(PredicateValue.object) }

  /// A predicate for `%@`; nil if the argument is anything else.
  mutating func argumentPredicate() throws(PredicateSyntaxError) -> PredicateNode? {
    guard case .argument("@") = token.kind, nextArgument < arguments.count,
      let predicate = argumentObject as? NSPredicate
    else { return nil }
    defer { nextArgument += 1 }
    do {
      let node = try predicate.tree
      advance()
      return node
    } catch {
      throw PredicateSyntaxError(format: format, column: token.column, problem: "\(error)")
    }
  }

  private mutating func argumentValue() throws(PredicateSyntaxError) -> PredicateValue {
    guard case .argument(let letter) = token.kind else { throw unexpected("an argument") }
    let argument = try consumeArgument()
    guard let value = PredicateValue(argument: argument) else {
      throw wrongArgument(argument, expected: "a value that a predicate can hold")
    }
    guard let converted = Self.convert(value, for: letter) else {
      throw wrongArgument(argument, expected: "csS".contains(letter) ? "a text" : "a number")
    }
    advance()
    return converted
  }

  /// Converts a value for a printf letter; nil if it is of another kind.
  private static func convert(_ value: PredicateValue, for letter: Character) -> PredicateValue? {
    switch letter {
    case "@": return value
    case "s", "S": return value.text.map(PredicateValue.string)
    case "c", "C":
      if case .integer(let code) = value {
        return UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { .string(String($0)) }
      }
      return value.text.map(PredicateValue.string)
    default:
      switch value {
      case .bool(let flag): return .integer(flag ? 1 : 0)
      case .integer(let integer) where "fFeEgGaA".contains(letter): return .real(Double(integer))
      default: return value.isNumber ? value : nil
      }
    }
  }

  mutating func argumentKeyPath() throws(PredicateSyntaxError) -> [String] {
    let argument = try consumeArgument()
    guard case .string(let path)? = PredicateValue(argument: argument), !path.isEmpty else {
      throw wrongArgument(argument, expected: "a key path")
    }
    let elements = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !elements.contains("") else { throw wrongArgument(argument, expected: "a key path") }
    advance()
    return elements
  }

  private mutating func consumeArgument() throws(PredicateSyntaxError) -> Any? {
    guard nextArgument < arguments.count else {
      let given =
        switch arguments.count {
        case 0: "none was given"
        case 1: "only 1 was given"
        case let count: "only \(count) were given"
        }
      throw PredicateSyntaxError(
        format: format, column: token.column, problem: "expected an argument for \(token.text), but \(given)")
    }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  private func wrongArgument(_ argument: Any?, expected expectation: String) -> PredicateSyntaxError {
    let given = argument.map { "\(type(of: $0)) \"\($0)\"" } ?? "nil"
    return PredicateSyntaxError(
      format: format, column: token.column, problem: "expected \(expectation) for \(token.text), given \(given)")
  }
}
