import Foundation

// Foundation's own compound predicates on Linux print FALSEPREDICATE, equal every other compound and the constant false,
// and copy to a predicate that never holds. Programs create them with Foundation's initializers, and this module does not
// change Foundation's classes. So the framework reads the type and the parts of such a predicate, and does not use its
// description, equality and copies.

extension NSPredicate {
  /// A predicate; for one from `#Predicate`, its equivalent format predicate, as on Apple's systems.
  static func spelledOut(_ object: Any?) -> NSPredicate? {
    if let predicate = object as? SwiftPredicate { return predicate.spelledOut }
    return object as? NSPredicate
  }

  /// Apple's `predicateFormat`.
  package var formatText: String {
    switch self {
    case let predicate as any TreePredicate: predicate.node.text(.format)
    case let compound as NSCompoundPredicate: compound.joinedText
    default: (try? tree)?.text(.format) ?? "BLOCKPREDICATE"
    }
  }
}

extension NSCompoundPredicate {
  fileprivate var joinedText: String {
    switch compoundPredicateType {
    case .not: "NOT " + (subpredicates.first?.operandText ?? "")
    case .and: subpredicates.isEmpty ? "TRUEPREDICATE" : joined(by: " AND ")
    case .or: subpredicates.isEmpty ? "FALSEPREDICATE" : joined(by: " OR ")
    }
  }

  private func joined(by word: String) -> String {
    subpredicates.count == 1 ? subpredicates[0].formatText : subpredicates.map(\.operandText).joined(separator: word)
  }

  /// Whether an object is a compound of equal predicates.
  func isSameCompound(as object: Any?) -> Bool {
    guard let other = NSPredicate.spelledOut(object) as? NSCompoundPredicate else { return false }
    return self === other
      || compoundPredicateType == other.compoundPredicateType
        && subpredicates.elementsEqual(other.subpredicates) { $0.isSame(as: $1) }
  }

  var compoundHash: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    for part in subpredicates { hasher.combine(part.contentHash) }
    return hasher.finalize()
  }
}

extension NSPredicate {
  /// Whether two predicates are equal or both nil, also if Foundation created them.
  package static func areSame(_ one: NSPredicate?, _ other: NSPredicate?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isSame(as: other)
  }

  /// Whether two predicates are equal, also if Foundation created them.
  package func isSame(as other: NSPredicate) -> Bool {
    if let compound = self as? NSCompoundPredicate { return compound.isSameCompound(as: other) }
    // Foundation considers every compound equal to the constant false.
    return !(NSPredicate.spelledOut(other) is NSCompoundPredicate) && (isEqual(other) || other.isEqual(self))
  }

  /// A hash value that is the same for equal predicates, also if Foundation created them.
  package var contentHash: Int {
    if let compound = self as? NSCompoundPredicate { return compound.compoundHash }
    // Equal constants have equal trees.
    guard type(of: self) == NSPredicate.self else { return hash }
    return (try? tree)?.hashValue ?? ObjectIdentifier(self).hashValue
  }
}

extension NSPredicate {
  /// The text as part of a compound: Apple puts every compound in brackets there, also NOT and one with a single part.
  fileprivate var operandText: String {
    guard let compound = self as? NSCompoundPredicate, !compound.subpredicates.isEmpty else { return formatText }
    return "(\(formatText))"
  }
}
