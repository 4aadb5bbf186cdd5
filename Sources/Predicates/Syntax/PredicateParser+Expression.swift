/// Operators between expressions, by increasing precedence.
extension PredicateParser {
  mutating func expression() throws(PredicateSyntaxError) -> ExpressionNode {
    var left = try operation()
    while let set = consumeSetOperation() {
      try countChained()
      left = .setOperation(set, left, try operation())
    }
    return left
  }

  private mutating func consumeSetOperation() -> SetOperation? {
    if consume(.union) { return .union }
    if consume(.intersect) { return .intersect }
    return consume(.minus) ? .minus : nil
  }

  /// The left-associative operators from `|` to `*`.
  private mutating func operation(
    bindingAtLeast least: ExpressionBinding = .disjunction
  ) throws(PredicateSyntaxError) -> ExpressionNode {
    var left = try signed()
    while case .symbol(let sign) = token.kind, let (function, binding) = ExpressionFunction.infix(sign),
      binding.rawValue >= least.rawValue
    {
      advance()
      try countChained()
      left = .function(function, [left, try operation(bindingAtLeast: binding.closer)])
    }
    return left
  }

  private mutating func signed() throws(PredicateSyntaxError) -> ExpressionNode {
    try nested { parser throws(PredicateSyntaxError) in try parser.ownSign() }
  }

  /// A sign before a number belongs to the number unless `**` follows; any other minus is a subtraction from 0.
  private mutating func ownSign() throws(PredicateSyntaxError) -> ExpressionNode {
    if consume(symbol: "~") { return .function(.onesComplement, [try signed()]) }
    guard isSymbol("-") || isSymbol("+") else { return try power() }
    if case .number = tokens[position + 1].kind, tokens[min(position + 2, tokens.count - 1)].kind != .symbol("**") {
      return try postfix(of: .value(number()))
    }
    if consume(symbol: "+") { return try signed() }
    advance()
    return .function(.subtract, [.value(.integer(0)), try signed()])
  }

  private mutating func power() throws(PredicateSyntaxError) -> ExpressionNode {
    let base = try postfix(of: primary())
    return consume(symbol: "**") ? .function(.raise, [base, try signed()]) : base
  }

  /// Paths and subscripts after an expression.
  private mutating func postfix(of start: ExpressionNode) throws(PredicateSyntaxError) -> ExpressionNode {
    var node = start
    while true {
      if consume(symbol: ".") {
        node = node.following(try keyPath())
      } else if consume(symbol: "[") {
        try countChained()
        node = .element(of: node, try elementIndex())
        try expect(symbol: "]")
      } else {
        return node
      }
    }
  }

  private mutating func elementIndex() throws(PredicateSyntaxError) -> ElementIndex {
    if consume(.first) { return .first }
    if consume(.last) { return .last }
    if consume(.size) { return .size }
    return .at(try expression())
  }

  mutating func keyPath() throws(PredicateSyntaxError) -> [String] {
    var elements: [String] = []
    repeat {
      switch token.kind {
      case .word(let name), .escapedWord(let name):
        elements.append(name)
        advance()
      case .argument("K"): elements += try argumentKeyPath()
      default: throw unexpected("a key")
      }
    } while consume(symbol: ".")
    return elements
  }
}
