import Foundation

/// Rewriting trees and collecting names, for planning fetches.
extension PredicateNode {
  /// The tree with `transform` applied to each constant; to a list after its members.
  package func mappingValues<Failure: Error>(
    _ transform: (PredicateValue) throws(Failure) -> PredicateValue
  ) throws(Failure) -> PredicateNode {
    try mappingExpressions { expression throws(Failure) in
      guard case .value(let value) = expression else { return expression }
      return .value(try value.mapping(transform))
    }
  }

  /// The tree with each variable replaced by its value.
  /// - Throws: an error that names the first variable without a value.
  package func substituting(
    variables: [String: PredicateValue]
  ) throws(PredicateEvaluationError) -> PredicateNode {
    try substituting { name throws(PredicateEvaluationError) in
      guard let value = variables[name] else { throw .unboundVariable(name) }
      return .value(value)
    }
  }

  /// The tree with `transform` applied to each expression, bottom-up.
  package func mappingExpressions<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> PredicateNode {
    try mappingSides { side throws(Failure) in try side.mapping(transform) }
  }

  /// The tree with `transform` applied to both sides of each comparison.
  package func mappingSides<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(let comparison):
      return .comparison(
        ComparisonNode(
          try transform(comparison.left), comparison.comparison, try transform(comparison.right),
          quantifier: comparison.quantifier, options: comparison.options))
    case .and(let nodes): return .and(try Self.mapping(nodes, transform: transform))
    case .or(let nodes): return .or(try Self.mapping(nodes, transform: transform))
    case .not(let node): return .not(try node.mappingSides(transform))
    }
  }

  private static func mapping<Failure: Error>(
    _ nodes: [PredicateNode], transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> [PredicateNode] {
    var mapped: [PredicateNode] = []
    for node in nodes { mapped.append(try node.mappingSides(transform)) }
    return mapped
  }

  /// The comparisons in textual order.
  package var comparisons: [ComparisonNode] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .and(let nodes), .or(let nodes): nodes.flatMap(\.comparisons)
    case .not(let node): node.comparisons
    }
  }
}

/// Equality as in Apple's predicates and expressions, whose constants are objects.
extension PredicateNode {
  /// The tree with numbers normalized as `NSNumber` compares them: 1, 1.0 and true are equal.
  var normalized: PredicateNode { mappingValues(\.normalized) }
}

extension ExpressionNode {
  var normalized: ExpressionNode {
    mapping { if case .value(let value) = $0 { .value(value.mapping(\.normalized)) } else { $0 } }
  }
}

extension PredicateValue {
  fileprivate var normalized: PredicateValue {
    switch self {
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .real(let real): Int64(exactly: real).map(PredicateValue.integer) ?? self
    case .decimal(let decimal): Int64("\(decimal)").map(PredicateValue.integer) ?? asReal(decimal)
    default: self
    }
  }

  /// A decimal as the real with the same digits, if there is one.
  private func asReal(_ decimal: Decimal) -> PredicateValue {
    realNumber.flatMap { "\($0)" == "\(decimal)" ? .real($0) : nil } ?? self
  }
}

extension PredicateValue {
  /// The value with `transform` applied; to a list after its members.
  package func mapping<Failure: Error>(
    _ transform: (PredicateValue) throws(Failure) -> PredicateValue
  ) throws(Failure) -> PredicateValue {
    guard case .list(let values) = self else { return try transform(self) }
    var mapped: [PredicateValue] = []
    for value in values { mapped.append(try value.mapping(transform)) }
    return try transform(.list(mapped))
  }
}
