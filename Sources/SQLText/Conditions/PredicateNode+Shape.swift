import StrataPredicates

/// The shape of a predicate: everything but its constants.
extension PredicateNode {
  /// - Returns: whether every comparison is between one value, or any member, and one constant that is not nil.
  func hashShape(into hasher: inout Hasher) -> Bool {
    switch self {
    case .constant(let value):
      hasher.combine(value)
      return true
    case .comparison(let comparison): return comparison.hashShape(into: &hasher)
    case .not(let node):
      hasher.combine(1)
      return node.hashShape(into: &hasher)
    case .and(let nodes):
      hasher.combine(nodes.count)
      return nodes.allSatisfy { $0.hashShape(into: &hasher) }
    case .or(let nodes):
      hasher.combine(-nodes.count)
      return nodes.allSatisfy { $0.hashShape(into: &hasher) }
    }
  }

  /// Whether the other predicate differs from this one, which has a shape, only in its constants.
  func hasShape(of other: PredicateNode) -> Bool {
    switch (self, other) {
    case (.constant(let value), .constant(let otherValue)): value == otherValue
    case (.comparison(let comparison), .comparison(let otherComparison)): comparison.hasShape(of: otherComparison)
    case (.not(let node), .not(let otherNode)): node.hasShape(of: otherNode)
    case (.and(let nodes), .and(let otherNodes)), (.or(let nodes), .or(let otherNodes)):
      nodes.count == otherNodes.count && zip(nodes, otherNodes).allSatisfy { $0.hasShape(of: $1) }
    default: false
    }
  }

  /// Visits the constants in the order of the text, each with the other side and its comparison.
  func forEachComparedConstant(
    _ body: (PredicateValue, ExpressionNode, ComparisonNode) throws -> Void
  ) rethrows {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      if case .value(let value) = comparison.left { try body(value, comparison.right, comparison) }
      if case .value(let value) = comparison.right { try body(value, comparison.left, comparison) }
    case .not(let node): try node.forEachComparedConstant(body)
    case .and(let nodes), .or(let nodes): for node in nodes { try node.forEachComparedConstant(body) }
    }
  }
}

extension ComparisonNode {
  fileprivate func hashShape(into hasher: inout Hasher) -> Bool {
    guard comparison.takesOneConstant else { return false }
    comparison.hash(into: &hasher)
    quantifier.hash(into: &hasher)
    hasher.combine(options.rawValue)
    guard hasOneBinding else { return false }
    switch (left, right) {
    case (let side, .value): return side.hashPath(into: &hasher)
    case (.value, let side):
      hasher.combine(true)
      return side.hashPath(into: &hasher)
    default: return false
    }
  }

  /// Whether one side is a constant that becomes one binding.
  private var hasOneBinding: Bool {
    switch (left, right) {
    case (_, .value(let value)): value.isSingle && !isAboutNothing(value)
    case (.value(let value), _): value.isSingle && quantifier == .one && !comparison.isTextual
    default: false
    }
  }

  /// Whether an empty text is searched for, which has a SQL text of its own.
  private func isAboutNothing(_ value: PredicateValue) -> Bool {
    comparison.isTextual && value.text?.isEmpty ?? true
  }

  fileprivate func hasShape(of other: ComparisonNode) -> Bool {
    comparison == other.comparison && quantifier == other.quantifier && options == other.options
      && left.hasShape(of: other.left) && right.hasShape(of: other.right) && other.hasOneBinding
  }
}

extension ComparisonNode.Operator {
  fileprivate var takesOneConstant: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .like, .matches: true
    default: false
    }
  }

  /// Whether the operator searches a text.
  var isTextual: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

extension PredicateValue {
  fileprivate var isSingle: Bool {
    switch self {
    case .null, .list, .reference: false
    default: true
    }
  }
}

extension ExpressionNode {
  fileprivate func hashPath(into hasher: inout Hasher) -> Bool {
    switch self {
    case .keyPath(let path):
      for name in path { hasher.combine(name) }
      return true
    case .evaluatedObject: return true
    default: return false
    }
  }

  fileprivate func hasShape(of other: ExpressionNode) -> Bool {
    switch (self, other) {
    case (.keyPath(let path), .keyPath(let otherPath)): path == otherPath
    case (.evaluatedObject, .evaluatedObject): true
    case (.value, .value): true
    default: false
    }
  }
}
