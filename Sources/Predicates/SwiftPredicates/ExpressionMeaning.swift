import Foundation

/// The translation of a part of a Swift predicate.
enum ExpressionMeaning {
  case operand(Operand)
  case condition(Condition)
  case range(ValueRange)
}

/// A value in a Swift predicate.
///
/// Swift reads a nil attribute as zero if the property's type is not optional; `a ?? 0` reads it the same way. A tree
/// only knows nil. So node and substitute are kept apart until the value is used: a comparison with a constant can then
/// be expressed on the plain property, and use its index.
struct Operand {
  var node: ExpressionNode
  /// The value that is read if the node is nil.
  var missing: PredicateValue?
  /// The condition for having something to read from; otherwise the node is nil and the value is `absent`. nil means
  /// always.
  var presence: PredicateNode?
  var absent = PredicateValue.null

  init(_ node: ExpressionNode, missing: PredicateValue? = nil) {
    self.node = node
    self.missing = missing
  }

  static func value(_ value: PredicateValue) -> Operand { Operand(.value(value)) }

  /// The value as one expression.
  var expression: ExpressionNode {
    guard let missing else { return node }
    let read = ExpressionNode.conditional(.comparison(node, by: .equal, .value(.null)), .value(missing), node)
    return presence.map { .conditional($0, read, .value(absent)) } ?? read
  }

  /// The condition for the value being nil.
  var isNil: PredicateNode {
    if missing != nil {
      return absent == .null ? presence.map(PredicateNode.negation) ?? .constant(false) : .constant(false)
    }
    if case .value(let value) = node { return .constant(value == .null) }
    return .comparison(node, by: .equal, .value(.null))
  }
}

/// A boolean that may be nil, such as `$0.name?.isEmpty`.
struct Condition {
  var node: PredicateNode
  /// The condition for being nil; `node` is irrelevant then.
  var isNil: PredicateNode = .constant(false)

  init(_ node: PredicateNode, isNil: PredicateNode = .constant(false)) {
    self.node = node
    self.isNil = isNil
  }

  /// The condition for being true, neither false nor nil.
  var isTrue: PredicateNode { .conjunction([.negation(isNil), node]) }
  var isFalse: PredicateNode { .conjunction([.negation(isNil), .negation(node)]) }

  /// The condition as a value.
  var expression: ExpressionNode {
    let flag = ExpressionNode.conditional(node, .value(.bool(true)), .value(.bool(false)))
    return isNil == .constant(false) ? flag : .conditional(isNil, .value(.null), flag)
  }
}

/// The bounds of a range; nil means unbounded.
struct ValueRange {
  var lower: Operand?
  var upper: Operand?
  var isClosed: Bool
}

extension ExpressionMeaning {
  static func node(_ node: ExpressionNode) -> ExpressionMeaning { .operand(Operand(node)) }
  static func condition(_ node: PredicateNode) -> ExpressionMeaning { .condition(Condition(node)) }

  /// The meaning as a value, however it is represented.
  var operand: Operand {
    switch self {
    case .operand(let operand): operand
    case .condition(let condition): Operand(condition.expression)
    case .range(let range):
      Operand(.list([range.lower, range.upper].map { $0?.expression ?? .value(.null) }))
    }
  }

  /// The meaning as a condition; a boolean property is true, nil or false.
  var condition: Condition {
    switch self {
    case .condition(let condition): condition
    case .operand(let operand):
      Condition(operand.compared(by: .equal, to: .value(.bool(true))), isNil: operand.isNil)
    case .range: Condition(.constant(false))
    }
  }

  /// The condition for being nil.
  var isNil: PredicateNode {
    switch self {
    case .operand(let operand): operand.isNil
    case .condition(let condition): condition.isNil
    case .range: .constant(false)
    }
  }
}

/// Simplified trees.
extension PredicateNode {
  static func comparison(
    _ left: ExpressionNode, by comparison: ComparisonNode.Operator, _ right: ExpressionNode
  ) -> PredicateNode {
    .comparison(ComparisonNode(left, comparison, right))
  }

  static func conjunction(_ nodes: [PredicateNode]) -> PredicateNode {
    if nodes.contains(.constant(false)) { return .constant(false) }
    let rest = nodes.filter { $0 != .constant(true) }
    return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(true) : .and(rest)
  }

  static func disjunction(_ nodes: [PredicateNode]) -> PredicateNode {
    if nodes.contains(.constant(true)) { return .constant(true) }
    let rest = nodes.filter { $0 != .constant(false) }
    return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(false) : .or(rest)
  }

  static func negation(_ node: PredicateNode) -> PredicateNode {
    switch node {
    case .constant(let value): return .constant(!value)
    case .not(let inner): return inner
    case .comparison(var comparison) where comparison.quantifier == .one:
      switch comparison.comparison {
      case .equal: comparison.comparison = .notEqual
      case .notEqual: comparison.comparison = .equal
      default: return .not(node)
      }
      return .comparison(comparison)
    default: return .not(node)
    }
  }
}
