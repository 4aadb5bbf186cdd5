/// One side of a comparison, or a value that a fetch computes.
package indirect enum ExpressionNode: Hashable, Sendable {
  case value(PredicateValue)
  /// A key path from the object that the predicate is evaluated on: `region.name`. Collection operators (`@count`) are
  /// elements including the at-sign.
  case keyPath([String])
  /// A non-empty key path from something other than `SELF`: `$x.name`, `SUBQUERY(…).@count`.
  case path(of: ExpressionNode, [String])
  /// `SELF`.
  case evaluatedObject
  /// `$NAME`, without the dollar sign. If an enclosing subquery binds it, it is a member of that subquery.
  case variable(String)
  /// `{a, b, c}` with at least one non-constant member; otherwise it is `value(.list)`.
  case aggregate([ExpressionNode])
  /// A function with its arguments, whose number it determines.
  case function(ExpressionFunction, [ExpressionNode])
  /// `TERNARY(predicate, first, second)`: the first if the predicate holds.
  case conditional(PredicateNode, ExpressionNode, ExpressionNode)
  /// `SUBQUERY(collection, $variable, predicate)`: the members for which the predicate holds. `SELF` and key paths in
  /// the predicate mean the same as outside.
  case subquery(ExpressionNode, variable: String, PredicateNode)
  /// `a UNION b`, `INTERSECT`, `MINUS`.
  case setOperation(SetOperation, ExpressionNode, ExpressionNode)
  /// `list[FIRST]`, `list[3]`.
  case element(of: ExpressionNode, ElementIndex)
  /// An expression that can only be evaluated in memory.
  case opaque(OpaqueExpression)
}

/// Set operations on two collections.
package enum SetOperation: String, Hashable, Sendable, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}

/// Selects a member of a list.
package enum ElementIndex: Hashable, Sendable {
  case first, last
  /// The number of members.
  case size
  /// An index from 0; for a dictionary a key.
  case at(ExpressionNode)
}

/// The functions of expressions; the raw value is Foundation's selector.
package enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
  // Of a collection.
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case stddev = "stddev:"
  // Of numbers.
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"
  case sqrt = "sqrt:"
  case log = "log:"
  case ln = "ln:"
  case exp = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case abs = "abs:"
  case trunc = "trunc:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftshift = "leftshift:by:"
  case rightshift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case random = "random"
  case randomn = "randomn:"
  // Of text.
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  // Of anything.
  case now = "now"
  case cast = "castObject:toType:"
  /// Returns its argument; tells a store not to use an index.
  case noindex = "noindex:"

  /// The number of arguments; `sum:` and its kin take a collection, or several values.
  package var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }
}

/// An expression without text or SQL form: a block, or a fetch request of a context.
package final class OpaqueExpression: Hashable, @unchecked Sendable {
  // @unchecked: the result is computed where the predicate is evaluated, which is where the program created it.
  package typealias Evaluation = (
    _ root: PredicateResult, _ arguments: [PredicateResult]
  ) throws(PredicateEvaluationError) -> PredicateResult

  /// The text for descriptions and errors.
  package let text: String
  package let arguments: [ExpressionNode]
  /// The object that the expression was created from; expressions are equal if source and arguments are.
  package let source: AnyObject
  package let evaluation: Evaluation

  /// - Parameter evaluation: called with `SELF` and the evaluated arguments.
  package init(
    _ text: String, arguments: [ExpressionNode] = [], source: AnyObject, evaluation: @escaping Evaluation
  ) {
    self.text = text
    self.arguments = arguments
    self.source = source
    self.evaluation = evaluation
  }

  package static func == (left: OpaqueExpression, right: OpaqueExpression) -> Bool {
    left.source === right.source && left.arguments == right.arguments
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(source))
    hasher.combine(arguments)
  }
}

extension ExpressionNode {
  /// The value at a path from this expression.
  package func following(_ path: [String]) -> ExpressionNode {
    guard !path.isEmpty else { return self }
    switch self {
    case .evaluatedObject: return .keyPath(path)
    case .keyPath(let start): return .keyPath(start + path)
    case .path(let start, let first): return .path(of: start, first + path)
    default: return .path(of: self, path)
    }
  }
}
