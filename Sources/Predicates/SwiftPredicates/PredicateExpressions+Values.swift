import Foundation

// Properties, optionals and numbers.

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let root = try translator.read(root)
    if Root.Output.self is any PropertyPathRoot.Type || Root.Output.self is any _NamedKeyPathRoot.Type {
      return try property(of: root.operand)
    }
    let operand = root.operand
    switch kind {
    case .collectionCount: return .node(try count(of: operand))
    case .collectionIsEmpty: return try emptiness(of: operand)
    default: break
    }
    let path: AnyKeyPath = keyPath
    if path == \NSSet.count || path == \NSOrderedSet.count { return .node(operand.node.following(["@count"])) }
    if path == \NSNumber.doubleValue || path == \URL.absoluteString { return .operand(operand) }
    if path == \NSNumber.boolValue { return .condition(operand.compared(by: .notEqual, to: .value(.integer(0)))) }
    throw SwiftExpressionError("\(path)", "only properties of the model, count and isEmpty can be followed.")
  }

  private func property(of root: Operand) throws(SwiftExpressionError) -> ExpressionMeaning {
    do throws(UnreadableKeyPathError) {
      let path = try (keyPath as AnyKeyPath).propertyPath
      return .operand(Operand(root.node.following(path.names), missing: path.nilValue))
    } catch {
      throw SwiftExpressionError("\(keyPath)", error.description)
    }
  }

  private func count(of operand: Operand) throws(SwiftExpressionError) -> ExpressionNode {
    if Root.Output.self is any StringProtocol.Type { return .function(.length, [operand.expression]) }
    return try collection(operand).following(["@count"])
  }

  private func emptiness(of operand: Operand) throws(SwiftExpressionError) -> ExpressionMeaning {
    if Root.Output.self is any StringProtocol.Type {
      return .condition(Condition(operand.compared(by: .equal, to: .value(.string(""))), isNil: operand.isNil))
    }
    if Root.Output.self == Data.self {
      return .condition(Condition(operand.compared(by: .equal, to: .value(.data(Data()))), isNil: operand.isNil))
    }
    return .condition(.comparison(try collection(operand).following(["@count"]), by: .equal, .value(.integer(0))))
  }

  private func collection(_ operand: Operand) throws(SwiftExpressionError) -> ExpressionNode {
    guard Root.Output.self != Data.self else {
      throw SwiftExpressionError("\(keyPath)", "a store does not count the bytes of data.")
    }
    return operand.node
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    try translator.read(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let outer = try translator.read(wrapped)
    let inner = try translator.read(transform, with: variable, as: outer)
    if case .condition(let condition) = inner {
      return .condition(Condition(condition.node, isNil: .disjunction([outer.isNil, condition.isNil])))
    }
    guard case .operand(var operand) = inner else { return inner }
    guard operand.node.isNil(with: outer.operand.node) else {
      return .node(.conditional(outer.isNil, .value(.null), operand.expression))
    }
    // A value that substitutes nil is not optional-chained any further.
    if operand.missing != nil, operand.absent == .null {
      operand.presence = .conjunction([operand.presence ?? .constant(true), .negation(outer.isNil)])
    }
    return .operand(operand)
  }
}

extension ExpressionNode {
  /// Whether the value is nil exactly if the value that it derives from is.
  fileprivate func isNil(with base: ExpressionNode) -> Bool {
    if self == base { return true }
    switch (self, base) {
    case (.keyPath(let path), .keyPath(let start)): return path.starts(with: start) && path.last != "@count"
    case (.path(let owner, let path), .path(let other, let start)):
      return owner == other && path.starts(with: start) && path.last != "@count"
    case (.path(let owner, let path), _): return owner == base && path.last != "@count"
    case (.function(_, let arguments), _): return arguments.contains { $0.isNil(with: base) }
    default: return false
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (left, right) = (try translator.read(lhs), try translator.read(rhs))
    guard case .operand(let value) = left, case .operand(let other) = right else {
      let (first, second) = (left.condition, right.condition)
      return .condition(
        Condition(
          .disjunction([first.isTrue, .conjunction([first.isNil, second.node])]),
          isNil: .conjunction([first.isNil, second.isNil])))
    }
    // The value is never nil.
    guard value.isNil != .constant(false) else { return left }
    if let constant = other.constant, constant != .null {
      var filled = value
      if value.missing == nil { filled.missing = constant } else { filled.absent = constant }
      return .operand(filled)
    }
    return .node(.conditional(value.isNil, other.expression, value.expression))
  }
}

// MARK: Numbers

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let function: ExpressionFunction =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw SwiftExpressionError(self, "the operator \(op) is not known.")
      }
    return .node(.function(function, [try translator.operand(lhs).expression, try translator.operand(rhs).expression]))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .node(.function(.multiply, [try translator.operand(wrapped).expression, .value(.integer(-1))]))
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .node(.function(.divide, [try translator.operand(lhs).expression, try translator.operand(rhs).expression]))
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let quotient = ExpressionNode.function(
      .divide, [try translator.operand(lhs).expression, try translator.operand(rhs).expression])
    return .node(.function(.trunc, [quotient]))
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .node(.function(.modulus, [try translator.operand(lhs).expression, try translator.operand(rhs).expression]))
  }
}
