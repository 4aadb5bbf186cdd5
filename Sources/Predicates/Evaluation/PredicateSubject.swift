/// Something that a predicate can be asked about: a managed object, a row, a dictionary.
///
/// A conforming structure of at most three words, or a class, is handed around without a box.
package protocol PredicateSubject {
  /// What stands under one key; `.unknownKey` if there is no such property, never for a property that is nil.
  func predicateAnswer(forKey key: String) -> PredicateAnswer

  /// The constant that means this subject: `.reference` or `.row`.
  var predicateIdentity: PredicateValue { get }

  /// What a program is handed that asks for the subject.
  var predicateObject: Any { get }

  /// The value that the subject is where more is asked than its identity: that of a transformable attribute. Default: nil.
  var predicateContents: PredicateAnswer? { get }

  /// Whether a constant means this subject: `.reference` to it or to its id, or its `.row`.
  func represents(_ value: PredicateValue) -> Bool

  /// Whether a path, which begins with a key of the subject, is to-many and not worked out to one value by a collection
  /// operator. Asked where a relationship on the way is nil.
  func leadsToMany(_ path: ArraySlice<String>) -> Bool
}

extension PredicateSubject {
  package var predicateObject: Any { self }

  package var predicateContents: PredicateAnswer? { nil }

  package func represents(_ value: PredicateValue) -> Bool { predicateIdentity == value }

  package func leadsToMany(_ path: ArraySlice<String>) -> Bool { false }
}

/// What a subject has under a key, and what each side of a comparison comes down to.
package enum PredicateAnswer {
  /// An attribute, `.null` if it is nil. A nil to-one relationship is `.value(.null)` too.
  case value(PredicateValue)
  /// The object of a to-one relationship.
  case subject(any PredicateSubject)
  /// The objects of a to-many relationship, or the values found behind one.
  case members([PredicateAnswer])
  case unknownKey
}

/// Why a predicate has no answer for a subject.
package enum PredicateEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `missing` is the key of the path that the subject does not know.
  case unknownKey(missing: String, keyPath: [String])
  case unboundVariable(String)
  case needsQuantifier(keyPath: String)
  case needsCollection(ComparisonNode.Operator)
  case needsRange
  case invalidPattern(String, reason: String)
  /// An expression that nothing can come of, and why.
  case noAnswer(String, reason: String)

  package var description: String {
    switch self {
    case .unknownKey(let missing, let path):
      "The key path \"\(path.joined(separator: "."))\" cannot be followed: there is no property \"\(missing)\"."
    case .unboundVariable(let name):
      "The variable $\(name) has no value: give it one with withSubstitutionVariables(_:)."
    case .needsQuantifier(let text):
      "The comparison \(text) is about a to-many key path: say ANY, ALL or NONE before it."
    case .needsCollection(let comparison):
      "\(comparison.text) needs a list, a to-many key path, or a text for a text on its right side."
    case .needsRange:
      "BETWEEN needs a list of two on its right side."
    case .invalidPattern(let pattern, let reason):
      "MATCHES cannot use the pattern \"\(pattern)\": \(reason)"
    case .noAnswer(let expression, let reason):
      "The expression \(expression) has no value: \(reason)"
    }
  }
}
