import Foundation

// Looked up first as the superclass of a class, the name goes round in a circle in compiler 6.3, depending on which files
// it compiles together. So it is looked up here, and nothing elsewhere has to know the superclass.
private func _lookUp(_: NSComparisonPredicate.Type) {}

/// A comparison.
package final class ComparisonTreePredicate: NSComparisonPredicate, TreePredicate, BridgedSubclass {
  // Set once, when the predicate is made: access to it need not be checked.
  @exclusivity(unchecked) package final var contents: AnyObject?

  private final class Contents {
    let node: PredicateNode
    let usesNow: Bool

    init(_ node: PredicateNode, _ usesNow: Bool) {
      self.node = node
      self.usesNow = usesNow
    }
  }

  static func predicate(_ node: PredicateNode) -> NSPredicate {
    _ = FoundationPredicates.mended
    return made(of: Contents(node, node.usesNow))
  }

  /// The tree of a predicate that is one of these. Elsewhere the compiler may not know the superclass, and takes the cast
  /// for one that always fails.
  static func node(of predicate: NSPredicate) -> PredicateNode? { (predicate as? ComparisonTreePredicate)?.node }

  /// The comparison with variables replaced by values, which are no `now()`.
  func bound(_ variables: [String: Any]) throws(PredicateEvaluationError) -> NSPredicate {
    Self.made(of: Contents(try node.substituting(arguments: variables), usesNow))
  }

  // `predicate(_:)` and `bound(_:)` alone make one.
  private var held: Contents { unsafeDowncast(contents.unsafelyUnwrapped, to: Contents.self) }

  package var node: PredicateNode { held.node }
  package var usesNow: Bool { held.usesNow }

  override package var predicateFormat: String { node.text(.format) }
  override package var description: String { node.text(.format) }
  override package var classForCoder: AnyClass { NSComparisonPredicate.self }
  override package func copy(with zone: NSZone? = nil) -> Any { self }
  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = NSPredicate.spelledOut(object) as? ComparisonTreePredicate else { return false }
    return self === other || node == other.node || node.levelled == other.node.levelled
  }
  override package var hash: Int { node.levelled.hashValue }

  override package func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    answer(for: object, bindings)
  }
}
