import Foundation
import StrataRuntime

// Swift 6.3 reports a circular reference if this name is first looked up as a superclass, depending on which files it
// compiles together. So it is looked up here, and no other file needs to know the superclass.
private func _lookUp(_: NSComparisonPredicate.Type) {}

/// A comparison.
package final class ComparisonTreePredicate: NSComparisonPredicate, TreePredicate, BridgedSubclass {
  // Set once, at creation, so access need not be checked for exclusivity.
  @exclusivity(unchecked) package final var contents: AnyObject?

  private final class Contents {
    let node: PredicateNode
    let usesNow: Bool

    init(_ node: PredicateNode, usesNow: Bool) {
      self.node = node
      self.usesNow = usesNow
    }
  }

  static func predicate(_ node: PredicateNode) -> NSPredicate { made(of: Contents(node, usesNow: node.usesNow)) }

  /// The tree of a predicate of this class. In other files the compiler may not know the superclass, and would treat
  /// the cast as always failing.
  static func node(of predicate: NSPredicate) -> PredicateNode? { (predicate as? ComparisonTreePredicate)?.node }

  /// The comparison with variables replaced by values; `now()` is not affected.
  func bound(_ variables: [String: Any]) throws(PredicateEvaluationError) -> NSPredicate {
    Self.made(of: Contents(try node.substituting(arguments: variables), usesNow: usesNow))
  }

  // Only `predicate(_:)` and `bound(_:)` create instances.
  private var held: Contents { unsafeDowncast(contents.unsafelyUnwrapped, to: Contents.self) }

  package var node: PredicateNode { held.node }
  package var usesNow: Bool { held.usesNow }

  override package var predicateFormat: String { node.text(.format) }
  override package var description: String { node.text(.format) }
  override package var classForCoder: AnyClass { NSComparisonPredicate.self }
  override package func copy(with zone: NSZone? = nil) -> Any { self }
  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = NSPredicate.spelledOut(object) as? ComparisonTreePredicate else { return false }
    return self === other || node == other.node || node.normalized == other.node.normalized
  }
  override package var hash: Int { node.normalized.hashValue }

  override package func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    result(for: object, bindings)
  }
}
