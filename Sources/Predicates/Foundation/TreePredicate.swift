import Foundation

/// A predicate backed by a tree: what `NSPredicate(format:)` creates, in the class that Apple's creates.
package protocol TreePredicate: NSPredicate {
  var node: PredicateNode { get }
  /// Whether the tree contains `now()`.
  var usesNow: Bool { get }
}

extension TreePredicate {
  func result(for object: Any?, _ bindings: [String: Any]?) -> Bool {
    do throws(PredicateEvaluationError) {
      return try checkedResult(for: object, bindings)
    } catch {
      fatalError("Unable to evaluate the predicate \"\(node)\": \(error)")
    }
  }

  func checkedResult(for object: Any?, _ bindings: [String: Any]?) throws(PredicateEvaluationError) -> Bool {
    var bound = if let bindings { try node.substituting(arguments: bindings) } else { node }
    if usesNow { bound = bound.fixingNow(at: Date()) }
    return try bound.evaluate(on: PredicateResult(plain: object))
  }
}

/// `TRUEPREDICATE` and `FALSEPREDICATE` from a format string.
package final class ConstantTreePredicate: NSPredicate, TreePredicate {
  package let node: PredicateNode
  package var usesNow: Bool { false }

  init(_ value: Bool) {
    node = .constant(value)
    super.init(value: value)
  }

  override package var description: String { node.text(.format) }
  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = NSPredicate.spelledOut(object), let otherTree = try? other.tree else { return false }
    return otherTree == node && !(other is NSCompoundPredicate)
  }
  override package var hash: Int { node.hashValue }

  override package var classForCoder: AnyClass { NSPredicate.self }

  // Immutable, so a copy is the predicate itself.
  override package func copy(with zone: NSZone? = nil) -> Any { self }
}

/// AND, OR and NOT.
package final class CompoundTreePredicate: NSCompoundPredicate, TreePredicate {
  package let node: PredicateNode
  package let usesNow: Bool

  init(_ node: PredicateNode, type: LogicalType, of parts: [PredicateNode]) {
    self.node = node
    usesNow = node.usesNow
    super.init(type: type, subpredicates: parts.map { NSPredicate.predicate(with: $0) })
  }

  override package var predicateFormat: String { node.text(.format) }
  override package var description: String { node.text(.format) }
  override package var classForCoder: AnyClass { NSCompoundPredicate.self }
  override package func copy(with zone: NSZone? = nil) -> Any { self }
  override package func isEqual(_ object: Any?) -> Bool { isSameCompound(as: object) }
  override package var hash: Int { compoundHash }

  override package func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    result(for: object, bindings)
  }
}
