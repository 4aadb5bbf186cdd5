import Foundation

/// The kinds of expression, from the simplest on.
///
/// See <https://developer.apple.com/documentation/foundation/nsexpression>
extension NSCopying where Self: NSExpression {
  private init(_ node: ExpressionNode, constant: Any?? = nil) {
    self.init(replacedBy: TreeExpression.expression(node, constant: constant))
  }

  /// Creates an expression with a constant value. An object that is not a value of the predicate language can only be
  /// evaluated in memory.
  public init(forConstantValue obj: Any?) {
    if let value = PredicateValue(argument: obj) {
      self.init(.value(value), constant: .some(obj))
    } else {
      let constant = OpaqueConstant(value: obj)
      self.init(
        .opaque(
          OpaqueExpression(String(describing: obj ?? "nil"), source: constant) { _, _ in
            PredicateResult(plain: constant.value)
          }), constant: .some(obj))
    }
  }

  /// Returns the expression for the evaluated object: `SELF`.
  public static func expressionForEvaluatedObject() -> NSExpression { .expression(with: .evaluatedObject) }

  /// Creates an expression for a variable: `$name`. Its value comes from the bindings of an evaluation or a subquery.
  public init(forVariable string: String) { self.init(.variable(string)) }

  /// Creates an expression for the value at a key path: `region.name`, `quakes.@count`.
  public init(forKeyPath keyPath: String) {
    let elements = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !elements.contains("") else { fatalError("\"\(keyPath)\" is not a key path.") }
    self.init(["self", "SELF"].contains(keyPath) ? .evaluatedObject : .keyPath(elements))
  }

  /// Creates an expression for a list: `{a, b}`. The elements are expressions or constants.
  public init(forAggregate subexpressions: [Any]) {
    self.init(.list(subexpressions.map { Self.argument($0) }))
  }

  /// Creates an expression for a function call. The arguments are expressions or constants.
  ///
  /// A name that is not one of Foundation's functions, or a wrong number of arguments, stops the program.
  public init(forFunction name: String, arguments parameters: [Any]) {
    do throws(FunctionError) {
      self.init(try ExpressionNode.function(named: name, parameters.map { Self.argument($0) }))
    } catch {
      fatalError("\(error)")
    }
  }

  /// Creates an expression for a message to the value of an expression: `FUNCTION(target, "name", …)`.
  ///
  /// Linux has no selectors. The functions of `init(forFunction:arguments:)` and a few messages to strings,
  /// dates and collections are supported. Any other stops the program.
  public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
    do throws(FunctionError) {
      self.init(
        try ExpressionNode.message(
          named: name, to: target.requiredNode, (parameters ?? []).map { Self.argument($0) }))
    } catch {
      fatalError("\(error)")
    }
  }

  private static func argument(_ argument: Any) -> ExpressionNode {
    (argument as? NSExpression ?? NSExpression(forConstantValue: argument)).requiredNode
  }

  /// Creates an expression for the union of two collections.
  public init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.union, left.requiredNode, right.requiredNode))
  }

  /// Creates an expression for the intersection of two collections.
  public init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.intersect, left.requiredNode, right.requiredNode))
  }

  /// Creates an expression for the members of the first collection that are not in the second.
  public init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.minus, left.requiredNode, right.requiredNode))
  }

  /// Creates an expression for the members of a collection for which a predicate holds.
  /// - Parameters:
  ///   - expression: the collection.
  ///   - variable: the name of the variable that stands for the member.
  ///   - predicate: an `NSPredicate`. One made of a block stops the program.
  public init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: Any
  ) {
    self.init(.subquery(expression.requiredNode, variable: variable, NSPredicate.requiredTree(predicate)))
  }

  /// Creates an expression for one of two expressions, depending on a predicate.
  /// - Parameters:
  ///   - predicate: an `NSPredicate`. One made of a block stops the program.
  ///   - trueExpression: the value if the predicate holds.
  ///   - falseExpression: the value if it does not.
  public init(
    forConditional predicate: Any, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    self.init(
      .conditional(
        NSPredicate.requiredTree(predicate), trueExpression.requiredNode, falseExpression.requiredNode))
  }

  /// Creates an expression whose value a block computes from the object and the arguments. It can only be evaluated in
  /// memory.
  public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
    let source = ExpressionBlock(block: block)
    self.init(
      .opaque(
        OpaqueExpression("BLOCK", arguments: (arguments ?? []).map { $0.requiredNode }, source: source) {
          root, values in
          PredicateResult(plain: source.block(root.plain, values.map { $0.plain ?? NSNull() }, nil))
        }))
  }

  /// Returns the expression for any key, which only Spotlight queries use.
  public static func expressionForAnyKey() -> NSExpression { .expression(with: .anyKey) }
}

/// A constant that a predicate cannot contain.
final class OpaqueConstant {
  let value: Any?
  init(value: Any?) { self.value = value }
}

/// The block of an expression.
final class ExpressionBlock {
  let block: (Any?, [Any], NSMutableDictionary?) -> Any
  init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any) { self.block = block }
}

extension NSPredicate {
  fileprivate static func requiredTree(_ predicate: Any) -> PredicateNode {
    guard let predicate = predicate as? NSPredicate else { fatalError("\(predicate) is not an NSPredicate.") }
    do {
      return try predicate.tree
    } catch {
      fatalError("\(error)")
    }
  }
}
