import Foundation

/// The sort descriptor that `NSSortDescriptor(key:ascending:)` makes.
package final class KeySortDescriptor: NSSortDescriptor {
  package let name: String?
  package let path: [String]

  package init(name: String?, ascending: Bool) {
    self.name = name
    path = name?.split(separator: ".").map(String.init) ?? []
    // Foundation's class wants a Swift key path; comparing goes by the name instead.
    super.init(keyPath: \String.self, ascending: ascending)
  }

  override package func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order = PredicateValue.order(value(of: object1), value(of: object2))
    return ascending ? order : PredicateValue.reversed(order)
  }

  private func value(of object: Any) -> PredicateValue {
    do throws(PredicateEvaluationError) {
      return try PredicateAnswer(plain: object).sortValue(at: path)
    } catch {
      fatalError("Unable to sort by \"\(name ?? "SELF")\": \(error)")
    }
  }

  override package var reversedSortDescriptor: Any { KeySortDescriptor(name: name, ascending: !ascending) }

  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    return other.name == name && other.ascending == ascending
  }

  override package var hash: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(ascending)
    return hasher.finalize()
  }

  override package var description: String { "(\(name ?? "SELF"), \(ascending ? "ascending" : "descending"))" }
}

extension PredicateAnswer {
  /// The value that a sort by a key path looks at; an object counts as its identity.
  package func sortValue(at path: [String]) throws(PredicateEvaluationError) -> PredicateValue {
    switch try answer(at: path) {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity
    case .members, .unknownKey: throw .needsQuantifier(keyPath: path.joined(separator: "."))
    }
  }
}

/// Lets an initializer of an extension return a subclass; a class's own initializer cannot replace `self`.
private protocol KeySorting {}

extension NSSortDescriptor: KeySorting {}

extension KeySorting {
  fileprivate init(replacedBy descriptor: NSSortDescriptor) {
    // The initializer is called on NSSortDescriptor, of which the key's descriptor is a subclass.
    self = descriptor as! Self
  }
}

extension NSSortDescriptor {
  /// A sort by the values under a key path such as `"region.name"`; by the objects themselves if the key is nil.
  ///
  /// Ascending order is nil first, numbers by value, text by its UTF-8 bytes, dates by time.
  public convenience init(key: String?, ascending: Bool) {
    self.init(replacedBy: KeySortDescriptor(name: key, ascending: ascending))
  }

  /// The key path that a descriptor of `init(key:ascending:)` sorts by; nil for all others.
  public var key: String? { (self as? KeySortDescriptor)?.name }

  /// What a fetch can sort by; nil for a descriptor made of a Swift key path or a comparator. An empty key path means
  /// the objects themselves.
  package var sortKey: (keyPath: [String], ascending: Bool)? {
    (self as? KeySortDescriptor).map { ($0.path, $0.ascending) }
  }
}
