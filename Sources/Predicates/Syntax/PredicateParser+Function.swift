/// Calls: functions, casts, subqueries.
extension PredicateParser {
  /// `name(…)`, `name:(…)`, `name:part:(…)`.
  mutating func functionCall() throws(PredicateSyntaxError) -> ExpressionNode {
    let column = token.column
    let name = functionName()
    let arguments = try callArguments()
    return try function(at: column) { () throws(FunctionError) in
      try ExpressionNode.function(named: name, arguments)
    }
  }

  /// The name as Foundation's selector: `sum(…)` is `sum:`.
  private mutating func functionName() -> String {
    var name = ""
    while token.kind != .symbol("("), token.kind != .end {
      if case .word(let word) = token.kind {
        name += word
      } else if token.kind == .symbol(":") {
        name += ":"
      } else {
        break
      }
      advance()
    }
    return ExpressionFunction(rawValue: name) == nil && ExpressionFunction(rawValue: name + ":") != nil
      ? name + ":" : name
  }

  private mutating func callArguments() throws(PredicateSyntaxError) -> [ExpressionNode] {
    try expect(symbol: "(")
    var arguments: [ExpressionNode] = []
    if !consume(symbol: ")") {
      repeat { arguments.append(try expression()) } while consume(symbol: ",")
      guard consume(symbol: ")") else { throw unexpected("\",\" or \")\"") }
    }
    return arguments
  }

  private func function(
    at column: Int, _ make: () throws(FunctionError) -> ExpressionNode
  ) throws(PredicateSyntaxError) -> ExpressionNode {
    do throws(FunctionError) {
      return try make()
    } catch {
      throw PredicateSyntaxError(format: format, column: column, problem: error.description)
    }
  }

  /// `CAST(expression, "class")`; a constant is cast immediately.
  mutating func cast() throws(PredicateSyntaxError) -> ExpressionNode {
    advance()
    try expect(symbol: "(")
    let value = try expression()
    try expect(symbol: ",")
    let column = token.column
    guard case .string(let type) = token.kind else { throw unexpected("the name of a class in quotes") }
    advance()
    try expect(symbol: ")")
    return try function(at: column) { () throws(FunctionError) in
      try ExpressionNode.function(named: ExpressionFunction.cast.rawValue, [value, .value(.string(type))])
    }
  }

  /// `TERNARY(predicate, expression, expression)`.
  mutating func ternary() throws(PredicateSyntaxError) -> ExpressionNode {
    advance()
    try expect(symbol: "(")
    let condition = try predicate()
    try expect(symbol: ",")
    let first = try expression()
    try expect(symbol: ",")
    let second = try expression()
    try expect(symbol: ")")
    return .conditional(condition, first, second)
  }

  /// `SUBQUERY(collection, $variable, predicate)`.
  mutating func subquery() throws(PredicateSyntaxError) -> ExpressionNode {
    advance()
    try expect(symbol: "(")
    let collection = try expression()
    try expect(symbol: ",")
    guard case .variable(let variable) = token.kind else { throw unexpected("a variable such as $x") }
    advance()
    try expect(symbol: ",")
    let condition = try nested(levels: Self.subqueryLevels) { parser throws(PredicateSyntaxError) in
      try parser.predicate()
    }
    try expect(symbol: ")")
    return .subquery(collection, variable: variable, condition)
  }

  /// `FETCH(request, context, NO)`; with YES, or a non-zero number, only the number of objects.
  mutating func fetch() throws(PredicateSyntaxError) -> ExpressionNode {
    advance()
    try expect(symbol: "(")
    let request = try expression()
    try expect(symbol: ",")
    let context = try expression()
    let countOnly = consume(symbol: ",") ? try flag() : false
    try expect(symbol: ")")
    return .fetch(request, in: context, countOnly: countOnly)
  }

  private mutating func flag() throws(PredicateSyntaxError) -> Bool {
    let problem = unexpected("YES or NO")
    switch try expression() {
    case .value(.bool(let flag)): return flag
    case .value(.integer(let number)): return number != 0
    default: throw problem
    }
  }

  /// `FUNCTION(operand, "name", …)`.
  mutating func message() throws(PredicateSyntaxError) -> ExpressionNode {
    advance()
    try expect(symbol: "(")
    let target = try expression()
    try expect(symbol: ",")
    let column = token.column
    guard case .string(let name) = token.kind else { throw unexpected("the name of a message in quotes") }
    advance()
    var arguments: [ExpressionNode] = []
    while consume(symbol: ",") { arguments.append(try expression()) }
    guard consume(symbol: ")") else { throw unexpected("\",\" or \")\"") }
    return try function(at: column) { () throws(FunctionError) in
      try ExpressionNode.message(named: name, to: target, arguments)
    }
  }
}
