/// An object that predicates can be evaluated on: a managed object, a row, a dictionary.
///
/// Conforming classes, and structures of at most three words, fit an existential without a box.
package protocol PredicateSubject {
  /// The value for a key; `.unknownKey` if there is no such property, never for a property that is nil.
  func predicateResult(forKey key: String) -> PredicateResult

  /// The constant that refers to this subject: `.reference` or `.row`.
  var predicateIdentity: PredicateValue { get }

  /// The subject as an object for the program.
  var predicateObject: Any { get }

  /// The subject that a program's own predicate sees, instead of a fetch. Default: the same.
  var plainSubject: any PredicateSubject { get }

  /// The value behind the subject, if it has more than an identity: that of a transformable attribute. Default: nil.
  var predicateContents: PredicateResult? { get }

  /// Whether a constant refers to this subject: `.reference` to it or its ID, or its `.row`.
  func represents(_ value: PredicateValue) -> Bool

  /// Whether a path from this subject is to-many and not reduced to one value by a collection operator. Called if a
  /// relationship on the path is nil.
  func leadsToMany(_ path: ArraySlice<String>) -> Bool
}

extension PredicateSubject {
  package var predicateObject: Any { self }

  package var plainSubject: any PredicateSubject { self }

  package var predicateContents: PredicateResult? { nil }

  package func represents(_ value: PredicateValue) -> Bool { predicateIdentity == value }

  package func leadsToMany(_ path: ArraySlice<String>) -> Bool { false }
}

/// A subject's value for a key, and the result of evaluating one side of a comparison.
package enum PredicateResult {
  /// An attribute; `.null` if nil. A nil to-one relationship is `.value(.null)` too.
  case value(PredicateValue)
  /// The object of a to-one relationship.
  case subject(any PredicateSubject)
  /// The objects of a to-many relationship, or the values reached through one.
  case members([PredicateResult])
  case unknownKey
}

/// The reason a predicate could not be evaluated on a subject.
package enum PredicateEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `missing` is the key in the path that the subject does not know.
  case unknownKey(missing: String, keyPath: [String])
  /// A key that a plain object does not have; the object is named by its class and address.
  case undefinedKey(String, of: String)
  case unboundVariable(String)
  case needsQuantifier(keyPath: String)
  case needsCollection(ComparisonNode.Operator)
  case needsRange
  case invalidPattern(String)
  /// A pattern that can match a text in too many ways to try them all.
  case slowPattern(String)
  /// An expression that cannot be evaluated, and why.
  case noResult(String, reason: String)

  package var description: String {
    switch self {
    case .unknownKey(let missing, let path):
      "The key path \"\(path.joined(separator: "."))\" cannot be followed: the property \"\(missing)\" does not exist."
    case .undefinedKey(let key, let object):
      "[\(object) valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key)."
    case .unboundVariable(let name):
      "The variable $\(name) has no value: give it one with withSubstitutionVariables(_:)."
    case .needsQuantifier(let text):
      "The comparison \(text) uses a to-many key path: put ANY, ALL or NONE before it."
    case .needsCollection(let comparison):
      "\(comparison.text) needs a list, a to-many key path, or a text for a text on its right side."
    case .needsRange:
      "BETWEEN needs a list of two on its right side."
    case .invalidPattern(let pattern):
      "MATCHES cannot use the pattern \"\(pattern)\": it is not a valid regular expression."
    case .slowPattern(let pattern):
      "MATCHES gives up on the pattern \"\(pattern)\" after too many steps: repetitions within repetitions, as in "
        + "(a+)+, can match a text in too many ways."
    case .noResult(let expression, let reason):
      "The expression \(expression) has no value: \(reason)"
    }
  }
}
