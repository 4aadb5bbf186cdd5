/// What stands for `%@`, `%K`, `%d` and `%f`.
extension PredicateReader {
  mutating func argumentValue() throws(PredicateSyntaxError) -> PredicateValue {
    guard case .argument(let letter) = token.kind else { throw unexpected("an argument") }
    let argument = try takeArgument()
    guard let value = PredicateValue(argument: argument) else {
      throw wrongArgument(argument, "a value that a predicate can hold")
    }
    guard letter == "@" || value.isNumber else { throw wrongArgument(argument, "a number") }
    advance()
    switch value {
    case .bool(let flag) where letter != "@": return .integer(flag ? 1 : 0)
    case .integer(let integer) where "fFeEgGaA".contains(letter): return .real(Double(integer))
    default: return value
    }
  }

  mutating func argumentKeyPath() throws(PredicateSyntaxError) -> [String] {
    let argument = try takeArgument()
    guard case .string(let path)? = PredicateValue(argument: argument), !path.isEmpty else {
      throw wrongArgument(argument, "a key path")
    }
    let elements = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !elements.contains("") else { throw wrongArgument(argument, "a key path") }
    advance()
    return elements
  }

  private mutating func takeArgument() throws(PredicateSyntaxError) -> Any? {
    guard nextArgument < arguments.count else {
      throw PredicateSyntaxError(
        format: format, column: token.column,
        problem: "expected an argument for \(token.text), but only \(arguments.count) were given")
    }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  private func wrongArgument(_ argument: Any?, _ expectation: String) -> PredicateSyntaxError {
    let given = argument.map { "\(type(of: $0)) \"\($0)\"" } ?? "nil"
    return PredicateSyntaxError(
      format: format, column: token.column, problem: "expected \(expectation) for \(token.text), given \(given)")
  }
}
