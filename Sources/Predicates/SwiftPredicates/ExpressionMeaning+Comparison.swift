import Foundation

/// Translates comparisons of Swift values.
extension Operand {
  /// A comparison of two values, true exactly if Swift's is.
  func compared(by comparison: ComparisonNode.Operator, to other: Operand) -> PredicateNode {
    switch (constant, other.constant) {
    case (let left?, let right?): .constant(Self.holds(left, comparison, right))
    case (nil, let right?): comparedWithConstant(by: comparison, right)
    case (let left?, nil):
      comparison.mirrored.map { other.comparedWithConstant(by: $0, left) }
        ?? .comparison(node, by: comparison, other.expression)
    case (nil, nil): .comparison(expression, by: comparison, other.expression)
    }
  }

  var constant: PredicateValue? {
    guard case .value(let value) = node else { return nil }
    return value == .null ? missing ?? value : value
  }

  /// The node decides if it is not nil; the result for the substitute is computed here and now.
  private func comparedWithConstant(
    by comparison: ComparisonNode.Operator, _ constant: PredicateValue
  ) -> PredicateNode {
    let plain = PredicateNode.comparison(node, by: comparison, .value(constant))
    guard let missing else { return plain }
    let ofNil = Self.holds(.null, comparison, constant)
    let ofMissing = Self.holds(missing, comparison, constant)
    let ofAbsent = presence == nil ? ofMissing : Self.holds(absent, comparison, constant)
    if ofNil == ofMissing, ofNil == ofAbsent { return plain }
    let isNil = PredicateNode.comparison(node, by: .equal, .value(.null))
    let ofValue = ofNil ? PredicateNode.conjunction([plain, .negation(isNil)]) : plain
    guard let presence, ofMissing != ofAbsent else { return ofMissing ? .disjunction([plain, isNil]) : ofValue }
    return .disjunction([ofValue, .conjunction([isNil, ofMissing ? presence : .negation(presence)])])
  }

  private static func holds(
    _ left: PredicateValue, _ comparison: ComparisonNode.Operator, _ right: PredicateValue
  ) -> Bool {
    let node = PredicateNode.comparison(.value(left), by: comparison, .value(right))
    // Both are constants of the same Swift type: the comparison cannot fail.
    return (try? node.evaluate(on: PredicateResult.value(.null))) ?? false
  }
}

extension ComparisonNode.Operator {
  /// The operator for exchanged sides; nil if no such operator exists.
  var mirrored: ComparisonNode.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}

extension ExpressionMeaning {
  /// `==` of two values or two conditions.
  func equals(_ other: ExpressionMeaning) -> PredicateNode {
    switch (self, other) {
    case (.operand(let left), .operand(let right)): return left.compared(by: .equal, to: right)
    case (.condition(let condition), .operand(let operand)), (.operand(let operand), .condition(let condition)):
      switch operand.constant {
      case .bool(true): return condition.isTrue
      case .bool(false): return condition.isFalse
      case .null: return condition.isNil
      default: return condition.equals(ExpressionMeaning.operand(operand).condition)
      }
    default: return condition.equals(other.condition)
    }
  }
}

extension Condition {
  func equals(_ other: Condition) -> PredicateNode {
    .disjunction([
      .conjunction([isTrue, other.isTrue]), .conjunction([isFalse, other.isFalse]),
      .conjunction([isNil, other.isNil]),
    ])
  }
}

extension ValueRange {
  func contains(_ value: Operand) -> PredicateNode {
    if isClosed, let lower = lower?.constant, let upper = upper?.constant {
      return value.compared(by: .between, to: .value(.list([lower, upper])))
    }
    return .conjunction([
      lower.map { value.compared(by: .greaterOrEqual, to: $0) } ?? .constant(true),
      upper.map { value.compared(by: isClosed ? .lessOrEqual : .less, to: $0) } ?? .constant(true),
    ])
  }
}
