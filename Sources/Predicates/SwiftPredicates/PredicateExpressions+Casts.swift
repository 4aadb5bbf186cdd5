import Foundation
import StrataRuntime

// Types.

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    try translator.cast(input, from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    try translator.cast(input, from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    if !inherits(Input.Output.self, from: Desired.self), inherits(Desired.self, from: Input.Output.self),
      let desired = Desired.self as? any _NamedKeyPathRoot.Type
    {
      let entity = try translator.operand(input).node.following(["entity", "name"])
      return .condition(.comparison(entity, by: .in, .value(.list(desired._entityNames.map(PredicateValue.string)))))
    }
    return .condition(.negation(try translator.cast(input, from: Input.Output.self, to: Desired.self).isNil))
  }
}

extension SwiftExpressionTranslator {
  /// A cast that always succeeds: to the same type, its optional, or a superclass.
  fileprivate func cast<Part: PredicateExpression>(
    _ input: Part, from type: Any.Type, to desired: Any.Type
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
    guard let next = TypeNames.superclass(of: ancestor) else { return false }
    ancestor = next
  }
  return true
}
