import Foundation

// What is true or false.

extension PredicateExpressions.Conjunction: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try reader.condition(lhs).isTrue, try reader.condition(rhs).isTrue)
    return .condition(.conjunction(left.conjuncts + right.conjuncts))
  }
}

extension PredicateExpressions.Disjunction: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try reader.condition(lhs).isTrue, try reader.condition(rhs).isTrue)
    return .condition(.disjunction(left.disjuncts + right.disjuncts))
  }
}

extension PredicateNode {
  fileprivate var conjuncts: [PredicateNode] { if case .and(let nodes) = self { nodes } else { [self] } }
  fileprivate var disjuncts: [PredicateNode] { if case .or(let nodes) = self { nodes } else { [self] } }
}

extension PredicateExpressions.Negation: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let condition = try reader.condition(wrapped)
    return .condition(Condition(.negation(condition.node), isNil: condition.isNil))
  }
}

extension PredicateExpressions.Equal: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    .condition(try reader.read(lhs).equals(reader.read(rhs)))
  }
}

extension PredicateExpressions.NotEqual: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try reader.read(lhs), try reader.read(rhs))
    if case .operand(let left) = left, case .operand(let right) = right {
      return .condition(left.compared(.notEqual, right))
    }
    return .condition(.negation(left.equals(right)))
  }
}

extension PredicateExpressions.Comparison: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let comparison: ComparisonNode.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw SwiftExpressionError(self, "the operator \(op) is not known.")
      }
    return .condition(try reader.operand(lhs).compared(comparison, reader.operand(rhs)))
  }
}

extension PredicateExpressions.Conditional: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    let test = try reader.condition(test).isTrue
    let (first, second) = (try reader.read(trueBranch), try reader.read(falseBranch))
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

extension PredicateExpressions.ClosedRange: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    .range(ValueRange(lower: try reader.operand(lower), upper: try reader.operand(upper), isClosed: true))
  }
}

extension PredicateExpressions.Range: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    .range(ValueRange(lower: try reader.operand(lower), upper: try reader.operand(upper), isClosed: false))
  }
}

extension PredicateExpressions.RangeExpressionContains: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard case .range(let range) = try reader.read(range) else {
      throw SwiftExpressionError(self, "its range has no bounds that a predicate can hold.")
    }
    return .condition(range.contains(try reader.operand(element)))
  }
}
