import Foundation

// Types, and predicates within predicates.

extension PredicateExpressions.ForceCast: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    try reader.cast(input, Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.ConditionalCast: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    try reader.cast(input, Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.TypeCheck: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    .condition(.negation(try reader.cast(input, Input.Output.self, to: Desired.self).isNil))
  }
}

extension SwiftExpressionReader {
  /// A cast that every value survives: to the same type, its optional, or a class above.
  fileprivate func cast<Part: PredicateExpression>(
    _ input: Part, _ type: Any.Type, to desired: Any.Type
  ) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard type == desired || (desired as? any OptionalValue.Type)?.wrapped == type || inherits(type, from: desired)
    else {
      throw SwiftExpressionError("a cast of \(type) to \(desired)", "a store knows the type of each property.")
    }
    return try read(input)
  }
}

private protocol OptionalValue { static var wrapped: Any.Type { get } }

extension Optional: OptionalValue {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

private func inherits(_ type: Any.Type, from other: Any.Type) -> Bool {
  guard let other = other as? AnyClass, var ancestor = type as? AnyClass else { return false }
  while ancestor != other {
    guard let next = _getSuperclass(ancestor) else { return false }
    ancestor = next
  }
  return true
}

extension PredicateExpressions.ExpressionEvaluate: ReadableExpression {
  func meaning(in reader: SwiftExpressionReader) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard let inner = try? expression.evaluate(PredicateBindings()) else {
      throw SwiftExpressionError(self, "the expression in it is not the same for all objects.")
    }
    return try reader.read(inner, of: repeat each input)
  }
}

extension SwiftExpressionReader {
  /// What an expression of its own says about parts of the predicate.
  fileprivate func read<each Part: PredicateExpression, Output>(
    _ expression: Expression<repeat (each Part).Output, Output>, of parts: repeat each Part
  ) throws(SwiftExpressionError) -> ExpressionMeaning {
    func bind<Piece: PredicateExpression>(
      _ variable: PredicateExpressions.Variable<Piece.Output>, _ part: Piece
    ) throws(SwiftExpressionError) {
      self.bind(variable, to: try read(part))
    }
    repeat try bind(each expression.variable, each parts)
    func body<Body: StandardPredicateExpression>(
      _ body: Body
    ) throws(SwiftExpressionError) -> ExpressionMeaning { try read(body) }
    return try body(expression.expression)
  }
}
