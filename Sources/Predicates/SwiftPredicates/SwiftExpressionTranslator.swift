import Foundation
import Synchronization

/// A part of a Swift predicate that can be translated.
protocol TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning
}

/// A part of a Swift predicate that cannot be translated.
package struct SwiftExpressionError: Error, CustomStringConvertible {
  package let description: String

  init(_ expression: Any, _ reason: String) {
    description = "A store cannot be asked for \(Self.name(of: expression)): \(reason)"
  }

  /// The operator's name without its generic arguments.
  private static func name(of expression: Any) -> String {
    if let text = expression as? String { return text }
    return String(String(describing: type(of: expression)).prefix { $0 != "<" })
  }
}

/// Translates the expression of a Swift predicate to a tree.
///
/// Swift itself evaluates parts that do not depend on a variable, during the translation.
final class SwiftExpressionTranslator {
  /// The bindings of the variables of the predicate and of its closures.
  private var meanings: [PredicateExpressions.VariableID: ExpressionMeaning] = [:]
  private var lastVariable = 0

  func read<Part: PredicateExpression>(
    _ expression: Part
  ) throws(SwiftExpressionError) -> ExpressionMeaning {
    if let known = expression as? any ConstantExpression { return try known.meaning(in: self) }
    if !ExpressionTypes.needVariable(Part.self), let value = try? expression.evaluate(PredicateBindings()),
      let meaning = Self.meaning(of: value)
    {
      return meaning
    }
    guard let readable = expression as? any TranslatableExpression else {
      throw SwiftExpressionError(expression, "it has no equivalent in the predicate language.")
    }
    return try readable.meaning(in: self)
  }

  func operand<Part: PredicateExpression>(_ expression: Part) throws(SwiftExpressionError) -> Operand {
    try read(expression).operand
  }

  func condition<Part: PredicateExpression>(_ expression: Part) throws(SwiftExpressionError) -> Condition {
    try read(expression).condition
  }

  /// Translates a closure with its variable bound.
  func read<Part: PredicateExpression, Value>(
    _ body: Part, with variable: PredicateExpressions.Variable<Value>, as meaning: ExpressionMeaning
  ) throws(SwiftExpressionError) -> ExpressionMeaning {
    bind(variable, to: meaning)
    return try read(body)
  }

  func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to meaning: ExpressionMeaning) {
    meanings[variable.key] = meaning
  }

  func meaning<Value>(
    of variable: PredicateExpressions.Variable<Value>
  ) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard let meaning = meanings[variable.key] else {
      throw SwiftExpressionError(variable, "the variable belongs to another predicate.")
    }
    return meaning
  }

  /// A fresh name for a subquery's variable.
  func newVariable() -> String {
    lastVariable += 1
    return "member\(lastVariable)"
  }

  /// A captured or computed value; nil if a predicate cannot contain it.
  static func meaning(of value: Any) -> ExpressionMeaning? {
    if let range = value as? any RangeOfValues { return range.meaning }
    if let value = (value as? any _PredicateConstant)?._predicateConstant { return meaning(of: value) }
    if let value = PredicateValue(argument: value) { return .node(.value(value)) }
    guard let value = value as? any RawRepresentable else { return nil }
    return meaning(of: value.rawValue)
  }
}

/// Properties of expressions that follow from their types.
private enum ExpressionTypes {
  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether no expression of a type can be evaluated without the value of a variable; false if that depends on the expression.
  static func needVariable(_ type: Any.Type) -> Bool {
    if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let name = String(reflecting: type)
    // Operators with closures bind variables of their own; others leave out a side.
    let exceptions = [
      "SequenceContainsWhere<", "SequenceAllSatisfy<", "Filter<", "OptionalFlatMap<", "Conjunction<", "Disjunction<",
      "Conditional<", "NilCoalesce<",
    ]
    let needs = name.contains("PredicateExpressions.Variable<") && !exceptions.contains(where: name.contains)
    known.withLock { $0[ObjectIdentifier(type)] = needs }
    return needs
  }
}

/// A value that stands for another one in a predicate: a SwiftData model for its managed object, for example.
public protocol _PredicateConstant {
  /// The other value; nil for a model without a managed object.
  var _predicateConstant: Any? { get }
}

/// A captured value.
private protocol ConstantExpression: TranslatableExpression {}

extension PredicateExpressions.Value: ConstantExpression, TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    if let meaning = SwiftExpressionTranslator.meaning(of: value) { return meaning }
    throw SwiftExpressionError("a value of type \(Output.self)", "a predicate cannot hold it.")
  }
}

extension PredicateExpressions.NilLiteral: ConstantExpression, TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .node(.value(.null))
  }
}

extension PredicateExpressions.Variable: ConstantExpression, TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    try translator.meaning(of: self)
  }
}

/// A range that a predicate captured.
private protocol RangeOfValues { var meaning: ExpressionMeaning? { get } }

extension RangeOfValues {
  fileprivate func meaning(_ lower: Any?, _ upper: Any?, isClosed: Bool) -> ExpressionMeaning? {
    let (low, high) = (lower.map(SwiftExpressionTranslator.meaning), upper.map(SwiftExpressionTranslator.meaning))
    // A bound that a predicate cannot contain.
    if case .some(nil) = low { return nil }
    if case .some(nil) = high { return nil }
    return .range(ValueRange(lower: low??.operand, upper: high??.operand, isClosed: isClosed))
  }
}

extension ClosedRange: RangeOfValues {
  fileprivate var meaning: ExpressionMeaning? { meaning(lowerBound, upperBound, isClosed: true) }
}
extension Range: RangeOfValues {
  fileprivate var meaning: ExpressionMeaning? { meaning(lowerBound, upperBound, isClosed: false) }
}
extension PartialRangeFrom: RangeOfValues {
  fileprivate var meaning: ExpressionMeaning? { meaning(lowerBound, nil, isClosed: true) }
}
extension PartialRangeThrough: RangeOfValues {
  fileprivate var meaning: ExpressionMeaning? { meaning(nil, upperBound, isClosed: true) }
}
extension PartialRangeUpTo: RangeOfValues {
  fileprivate var meaning: ExpressionMeaning? { meaning(nil, upperBound, isClosed: false) }
}
