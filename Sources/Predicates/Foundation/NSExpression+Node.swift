import Foundation

// As with the superclass of `ComparisonTreePredicate`.
private func _lookUp(_: NSExpression.Type) {}

/// An `NSExpression` that is a tree.
package protocol NodeExpression: NSExpression {
  var expressionNode: ExpressionNode { get }
}

/// The expression that the initialisers of `NSExpression` make.
package final class TreeExpression: NSExpression, NodeExpression, BridgedSubclass {
  package final var contents: AnyObject?

  private final class Contents {
    let node: ExpressionNode
    /// A constant as it was handed over; `.some(nil)` is the constant nil.
    let constant: Any??

    init(_ node: ExpressionNode, constant: Any?? = nil) {
      self.node = node
      self.constant = constant
    }
  }

  static func expression(_ node: ExpressionNode, constant: Any?? = nil) -> TreeExpression {
    made(of: Contents(node, constant: constant))
  }

  // `expression(_:constant:)` is the only place that makes one.
  private var tree: Contents { unsafeDowncast(contents.unsafelyUnwrapped, to: Contents.self) }

  package var expressionNode: ExpressionNode { tree.node }

  var constant: Any?? { tree.constant }

  override package var description: String { expressionNode.text(.format) }

  // The tree never changes, so a copy is the expression itself.
  override package func copy(with zone: NSZone? = nil) -> Any { self }

  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? TreeExpression else { return false }
    return self === other || expressionNode.levelled == other.expressionNode.levelled
  }

  override package var hash: Int { expressionNode.levelled.hashValue }
}

extension PredicateValue {
  /// The constant that an object is an expression of: the bounds of BETWEEN are often given as expressions in a list.
  /// Asked by files that do not name the class, whose superclass the compiler would look up too early there.
  static func constant(ofExpression object: NSObject) -> PredicateValue? {
    guard case .value(let value)? = (object as? TreeExpression)?.expressionNode else { return nil }
    return value
  }
}

/// An expression that has no tree: one of a class of its own.
package struct UnreadableExpressionError: Error, CustomStringConvertible {
  package let expression: String

  package var description: String {
    "The expression \(expression) is of a class of its own, which nothing can evaluate: use the initialisers of "
      + "NSExpression."
  }
}

extension NSCopying where Self: NSExpression {
  /// The tree of the expression.
  /// - Throws: `UnreadableExpressionError` for a class that is not known.
  package var node: ExpressionNode {
    get throws(UnreadableExpressionError) {
      guard let expression = self as? any NodeExpression else {
        throw UnreadableExpressionError(expression: String(describing: type(of: self)))
      }
      return expression.expressionNode
    }
  }

  /// An expression with a tree of its own making.
  package static func expression(with node: ExpressionNode) -> NSExpression { TreeExpression.expression(node) }

  /// The tree, for those who cannot throw.
  var requiredNode: ExpressionNode {
    do throws(UnreadableExpressionError) {
      return try node
    } catch {
      fatalError("\(error)")
    }
  }
}
