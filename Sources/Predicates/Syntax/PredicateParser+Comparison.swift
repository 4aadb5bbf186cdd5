/// Comparisons: quantifier, operator and options.
extension PredicateParser {
  mutating func comparison() throws(PredicateSyntaxError) -> PredicateNode {
    let isOutermost = !isInComparison
    isInComparison = true
    defer { if isOutermost { (isInComparison, chained) = (false, 0) } }
    let quantifier = consumeQuantifier()
    let left = try expression()
    let (comparison, options) = try comparisonOperator()
    let column = token.column
    let right = try expression()
    if comparison == .between, let problem = Self.rangeProblem(right) {
      throw PredicateSyntaxError(format: format, column: column, problem: problem)
    }
    let node = PredicateNode.comparison(
      ComparisonNode(left, comparison, right, quantifier: quantifier?.quantifier ?? .one, options: options))
    return quantifier?.isNegated == true ? .not(node) : node
  }

  private mutating func consumeQuantifier() -> (quantifier: ComparisonNode.Quantifier, isNegated: Bool)? {
    if consume(.any) || consume(.some) { return (.any, false) }
    if consume(.all) { return (.all, false) }
    if consume(.none) { return (.any, true) }
    return nil
  }

  private mutating func comparisonOperator() throws(PredicateSyntaxError)
    -> (ComparisonNode.Operator, ComparisonNode.Options)
  {
    let found: ComparisonNode.Operator? =
      switch token.kind {
      case .symbol(let symbol): Self.comparison(symbol)
      case .word: token.keyword.flatMap(Self.comparison)
      default: nil
      }
    guard let found else { throw unexpected("a comparison operator") }
    advance()
    return (found, try options())
  }

  private mutating func options() throws(PredicateSyntaxError) -> ComparisonNode.Options {
    guard consume(symbol: "[") else { return [] }
    guard case .word(let letters) = token.kind else { throw unexpected("the options c, d or n") }
    var options: ComparisonNode.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      default: throw unexpected("the options c, d or n")
      }
    }
    advance()
    try expect(symbol: "]")
    return options
  }

  private static func rangeProblem(_ range: ExpressionNode) -> String? {
    let count: Int
    switch range {
    case .value(.list(let values)): count = values.count
    case .aggregate(let members): count = members.count
    case .value: return "expected a list of two after BETWEEN"
    default: return nil
    }
    return count == 2 ? nil : "expected a list of two after BETWEEN, found a list of \(count)"
  }

  private static func comparison(_ symbol: String) -> ComparisonNode.Operator? {
    switch symbol {
    case "=", "==": .equal
    case "!=", "<>": .notEqual
    case "<": .less
    case "<=", "=<": .lessOrEqual
    case ">": .greater
    case ">=", "=>": .greaterOrEqual
    default: nil
    }
  }

  private static func comparison(_ keyword: PredicateKeyword) -> ComparisonNode.Operator? {
    switch keyword {
    case .between: .between
    case .in: .in
    case .contains: .contains
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .like: .like
    case .matches: .matches
    default: nil
    }
  }
}
