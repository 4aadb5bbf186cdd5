import Foundation

/// The kinds of expression, from the simplest on.
/// See https://developer.apple.com/documentation/foundation/nsexpression
extension NSCopying where Self: NSExpression {
  private init(_ node: ExpressionNode, constant: Any?? = nil) {
    self.init(replacedBy: TreeExpression.expression(node, constant: constant))
  }

  /// Always the same value. An object that is no value of a predicate is answered by memory alone.
  public init(forConstantValue obj: Any?) {
    if let value = PredicateValue(argument: obj) {
      self.init(.value(value), constant: .some(obj))
    } else {
      let constant = OpaqueConstant(value: obj)
      self.init(
        .opaque(
          OpaqueExpression(String(describing: obj ?? "nil"), source: constant) { _, _ in
            PredicateAnswer(plain: constant.value)
          }), constant: .some(obj))
    }
  }

  /// `SELF`.
  public static func expressionForEvaluatedObject() -> NSExpression { .expression(with: .evaluatedObject) }

  /// `$name`: what the bindings of an evaluation or a subquery have under the name.
  public init(forVariable string: String) { self.init(.variable(string)) }

  /// What is found at a key path: `region.name`, `quakes.@count`.
  public init(forKeyPath keyPath: String) {
    let elements = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !elements.contains("") else { fatalError("\"\(keyPath)\" is no key path.") }
    self.init(["self", "SELF"].contains(keyPath) ? .evaluatedObject : .keyPath(elements))
  }

  /// `{a, b}`: the values of several expressions, or constants, as a list.
  public init(forAggregate subexpressions: [Any]) {
    self.init(.list(subexpressions.map { Self.argument($0) }))
  }

  /// A function with its arguments, which are expressions; other values are taken as constants.
  ///
  /// A name that is none of Foundation's functions, or the wrong number of arguments, stops the program.
  public init(forFunction name: String, arguments parameters: [Any]) {
    do throws(FunctionError) {
      self.init(try ExpressionNode.function(named: name, parameters.map { Self.argument($0) }))
    } catch {
      fatalError("\(error)")
    }
  }

  /// A message to the value of an expression: `FUNCTION(target, "name", …)`.
  ///
  /// There are no selectors on Linux: known are the functions of `init(forFunction:arguments:)` and a few messages to
  /// texts, dates and lists. Any other stops the program.
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

  /// The members that are in one collection or the other.
  public init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.union, left.requiredNode, right.requiredNode))
  }

  /// The members that are in both collections.
  public init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.intersect, left.requiredNode, right.requiredNode))
  }

  /// The members of the first collection that are not in the second.
  public init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(.setOperation(.minus, left.requiredNode, right.requiredNode))
  }

  /// The members of a collection for which a predicate holds while the variable stands for them.
  /// - Parameter predicate: an `NSPredicate` with a tree; one made of a block stops the program.
  public init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: Any
  ) {
    self.init(.subquery(expression.requiredNode, variable: variable, NSPredicate.requiredTree(predicate)))
  }

  /// One of two expressions, as the predicate decides.
  /// - Parameter predicate: an `NSPredicate` with a tree; one made of a block stops the program.
  public init(
    forConditional predicate: Any, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    self.init(
      .conditional(
        NSPredicate.requiredTree(predicate), trueExpression.requiredNode, falseExpression.requiredNode))
  }

  /// What a block answers for the object and the values of the arguments. Only memory can evaluate it.
  public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
    let source = ExpressionBlock(block: block)
    self.init(
      .opaque(
        OpaqueExpression("BLOCK", arguments: (arguments ?? []).map { $0.requiredNode }, source: source) {
          root, values in
          PredicateAnswer(plain: source.block(root.plain, values.map { $0.plain ?? NSNull() }, nil))
        }))
  }

  /// Any key, which only searches of the system know.
  public static func expressionForAnyKey() -> NSExpression { .expression(with: .anyKey) }
}

/// A constant that a predicate cannot hold.
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
    guard let predicate = predicate as? NSPredicate else { fatalError("\(predicate) is no NSPredicate.") }
    do {
      return try predicate.tree
    } catch {
      fatalError("\(error)")
    }
  }
}
