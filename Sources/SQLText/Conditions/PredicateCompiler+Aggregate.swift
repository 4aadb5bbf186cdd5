import StrataPredicates
import StrataRowStore

/// Aggregates over the rows of a query.
extension PredicateCompiler {
  /// An expression as an aggregate, in a scope that gathers rows; nil for other expressions.
  func aggregate(_ expression: ExpressionNode, in scope: QueryScope) throws -> SQLOperand? {
    guard scope.gathersRows, let aggregate = expression.aggregate(over: scope.layout) else { return nil }
    guard let argument = aggregate.argument else { return .derived("COUNT(*)", .integer64) }
    scope.gathersRows = false
    defer { scope.gathersRows = true }
    let operand = try operand(argument, in: scope)
    guard let text = operand.text else { throw unsupported("\(argument) is not one value of a row.") }
    let function: ExpressionFunction
    switch aggregate.function {
    case .count: return .derived("COUNT(\(text))", .integer64)
    case .min: function = .min
    case .max: function = .max
    case .sum: function = .sum
    case .average: function = .average
    }
    guard let (value, kind) = try gathered(function, of: operand) else {
      throw unsupported("\(argument) is not numeric.")
    }
    return .derived(value, kind)
  }
}
