import Foundation
import StrataRuntime

// See `ComparisonTreePredicate` for why this look-up is needed.
private func _lookUp(_: NSExpression.Type) {}

/// An `NSExpression` backed by a tree.
package protocol NodeExpression: NSExpression {
  var expressionNode: ExpressionNode { get }
}

/// The class of all expressions created by the initializers of `NSExpression`.
///
/// Archives name this class, because Foundation's own has no coding on Linux. They are read by
/// `unarchivedObject(ofClasses: [NSExpression.self], from:)`; the method for one class wants a class that has coding.
package final class TreeExpression: NSExpression, NodeExpression, BridgedSubclass, NSSecureCoding {
  package final var contents: AnyObject?

  private final class Contents {
    let node: ExpressionNode
    /// The constant as given; `.some(nil)` is the constant nil.
    let constant: Any??

    init(_ node: ExpressionNode, constant: Any?? = nil) {
      self.node = node
      self.constant = constant
    }
  }

  static func expression(_ node: ExpressionNode, constant: Any?? = nil) -> TreeExpression {
    made(of: Contents(node, constant: constant))
  }

  // Only `expression(_:constant:)` creates instances.
  private var tree: Contents { unsafeDowncast(contents.unsafelyUnwrapped, to: Contents.self) }

  package var expressionNode: ExpressionNode { tree.node }

  var constant: Any?? { tree.constant }

  override package var description: String {
    // The language has one word for nil; NSNull, which represents it, has another description.
    if case .some(.some(let constant)) = constant, constant is NSNull { return "<null>" }
    return expressionNode.text(.format)
  }

  // Immutable, so a copy is the expression itself.
  override package func copy(with zone: NSZone? = nil) -> Any { self }

  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? TreeExpression else { return false }
    return self === other || expressionNode.normalized == other.expressionNode.normalized
  }

  override package var hash: Int { expressionNode.normalized.hashValue }

  package static var supportsSecureCoding: Bool { true }

  /// Archives the expression as its text. One made of a block, or with an object in it, stops the program.
  package func encode(with coder: NSCoder) {
    let text = expressionNode.description
    guard let read = try? PredicateParser.expression(text), read == expressionNode else {
      return coder.failWithError(
        CocoaError(
          .coderInvalidValue,
          userInfo: [NSLocalizedDescriptionKey: "The expression \(self) has no text, so no archive can hold it."]))
    }
    coder.encode(NSString(string: text), forKey: archivedTextKey)
  }
}

// As with predicates, only a protocol's initializer can return an instance that was created elsewhere.
extension NodeExpression {
  package init?(coder: NSCoder) {
    let text = coder.decodeObject(of: NSString.self, forKey: archivedTextKey).map { $0 as String } ?? ""
    guard let node = try? PredicateParser.expression(text) else { return nil }
    self.init(replacedBy: TreeExpression.expression(node))
  }
}

/// The key of an expression's text in an archive.
private let archivedTextKey = "expressionFormat"

extension PredicateValue {
  /// The constant of a constant expression: the bounds of BETWEEN are often given as a list of expressions. Called from
  /// files that must not name the class, because the compiler would look up its superclass too early there.
  static func constant(ofExpression object: NSObject) -> PredicateValue? {
    guard case .value(let value)? = (object as? TreeExpression)?.expressionNode else { return nil }
    return value
  }
}

/// An expression of an unknown class, which has no tree.
package struct UnreadableExpressionError: Error, CustomStringConvertible {
  package let expression: String

  package var description: String {
    "The expression \(expression) is of a custom class, which cannot be evaluated: use the initializers of "
      + "NSExpression."
  }
}

extension NSCopying where Self: NSExpression {
  /// The expression's tree.
  /// - Throws: `UnreadableExpressionError` for an unknown class.
  package var node: ExpressionNode {
    get throws(UnreadableExpressionError) {
      guard let expression = self as? any NodeExpression else {
        throw UnreadableExpressionError(expression: String(describing: type(of: self)))
      }
      return expression.expressionNode
    }
  }

  /// An expression for a tree.
  package static func expression(with node: ExpressionNode) -> NSExpression { TreeExpression.expression(node) }

  /// The tree, for callers that cannot throw; traps if the expression has no tree.
  var requiredNode: ExpressionNode {
    do throws(UnreadableExpressionError) {
      return try node
    } catch {
      fatalError("\(error)")
    }
  }
}
