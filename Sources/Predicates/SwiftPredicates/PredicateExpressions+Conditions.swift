import Foundation

// Boolean expressions.

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try translator.condition(lhs).isTrue, try translator.condition(rhs).isTrue)
    return .condition(.conjunction(left.conjuncts + right.conjuncts))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try translator.condition(lhs).isTrue, try translator.condition(rhs).isTrue)
    return .condition(.disjunction(left.disjuncts + right.disjuncts))
  }
}

extension PredicateNode {
  fileprivate var conjuncts: [PredicateNode] { if case .and(let nodes) = self { nodes } else { [self] } }
  fileprivate var disjuncts: [PredicateNode] { if case .or(let nodes) = self { nodes } else { [self] } }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let condition = try translator.condition(wrapped)
    return .condition(Condition(.negation(condition.node), isNil: condition.isNil))
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .condition(try translator.read(lhs).equals(translator.read(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try translator.read(lhs), try translator.read(rhs))
    if case .operand(let left) = left, case .operand(let right) = right {
      return .condition(left.compared(by: .notEqual, to: right))
    }
    return .condition(.negation(left.equals(right)))
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let comparison: ComparisonNode.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw SwiftExpressionError(self, "the operator \(op) is not known.")
      }
    return .condition(try translator.operand(lhs).compared(by: comparison, to: translator.operand(rhs)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let test = try translator.condition(test).isTrue
    let (first, second) = (try translator.read(trueBranch), try translator.read(falseBranch))
    if case .operand(let first) = first, case .operand(let second) = second {
      return .node(.conditional(test, first.expression, second.expression))
    }
    func either(_ first: PredicateNode, _ second: PredicateNode) -> PredicateNode {
      .disjunction([.conjunction([test, first]), .conjunction([.negation(test), second])])
    }
    return .condition(
      Condition(
        either(first.condition.node, second.condition.node), isNil: either(first.isNil, second.isNil)))
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .range(ValueRange(lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: true))
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .range(ValueRange(lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: false))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard case .range(let range) = try translator.read(range) else {
      throw SwiftExpressionError(self, "its range has no bounds that a predicate can hold.")
    }
    return .condition(range.contains(try translator.operand(element)))
  }
}
