import Foundation

/// A predicate without a tree, such as one created from a block.
package struct UnreadablePredicateError: Error, CustomStringConvertible {
  package let predicate: String
  /// The part without a tree; nil if it is the whole.
  package var reason: String?

  package var description: String {
    if let reason { return "\(reason) The predicate is \(predicate)" }
    return "The predicate \(predicate) is made of a block or of a class of its own, which a store cannot read: "
      + "use NSPredicate(format:), NSPredicate(value:), #Predicate and NSCompoundPredicate."
  }
}

extension NSPredicate {
  /// A predicate for a tree.
  package static func predicate(with tree: PredicateNode) -> NSPredicate {
    switch tree {
    case .constant(let value): ConstantTreePredicate(value)
    case .comparison: ComparisonTreePredicate.predicate(tree)
    case .and(let nodes): CompoundTreePredicate(tree, type: .and, of: nodes)
    case .or(let nodes): CompoundTreePredicate(tree, type: .or, of: nodes)
    case .not(let node): CompoundTreePredicate(tree, type: .not, of: [node])
    }
  }

  /// The tree of a predicate from a format, of a constant, or of a compound of such.
  /// - Throws: `UnreadablePredicateError` for a block and for an unknown class.
  package var tree: PredicateNode {
    get throws {
      // The classes that conform to TreePredicate: a cast to a final class costs a tenth of one to a protocol, of which
      // the first searches all conformances of the program.
      if let node = ComparisonTreePredicate.node(of: self) { return node }
      switch self {
      case let predicate as CompoundTreePredicate: return predicate.node
      case let predicate as ConstantTreePredicate: return predicate.node
      case let predicate as SwiftPredicate: return try predicate.node
      case let compound as NSCompoundPredicate: return try compound.compoundTree
      default:
        guard type(of: self) == NSPredicate.self else { throw unreadable }
        if isEqual(NSPredicate(value: true)) { return .constant(true) }
        if isEqual(NSPredicate(value: false)) { return .constant(false) }
        throw unreadable
      }
    }
  }

  fileprivate var unreadable: UnreadablePredicateError {
    UnreadablePredicateError(predicate: String(describing: type(of: self)))
  }
}

extension NSCompoundPredicate {
  fileprivate var compoundTree: PredicateNode {
    get throws {
      let nodes = try subpredicates.map { try $0.tree }
      switch compoundPredicateType {
      case .and: return nodes.count == 1 ? nodes[0] : .and(nodes)
      case .or: return nodes.count == 1 ? nodes[0] : .or(nodes)
      case .not:
        guard let node = nodes.first else { throw unreadable }
        return .not(node)
      }
    }
  }
}
