import Foundation

/// Converts objects that a program passes to `evaluate(with:)` and to sort descriptors.
extension PredicateAnswer {
  /// Converts a subject, a dictionary, a value, or a list of these.
  package init(plain object: Any?) {
    guard let object else {
      self = .value(.null)
      return
    }
    if let subject = object as? any PredicateSubject {
      self = .subject(subject)
    } else if let dictionary = Self.dictionary(object) {
      self = .subject(DictionarySubject(entries: dictionary))
    } else if let value = PredicateValue(argument: object), !value.holdsReference {
      self = .value(value)
    } else if let members = Self.members(object) {
      self = .members(members.map { PredicateAnswer(plain: $0) })
    } else {
      self = .value(PredicateValue(argument: object) ?? .null)
    }
  }

  private static func dictionary(_ object: Any) -> [String: Any]? {
    if let dictionary = object as? [String: Any] { return dictionary }
    guard let dictionary = object as? [String: Any?] else { return nil }
    return dictionary.mapValues { $0 ?? NSNull() }
  }

  private static func members(_ object: Any) -> [Any]? {
    switch object {
    case let set as NSOrderedSet: set.array
    case let set as Set<AnyHashable>: set.map(\.base)
    case let array as [Any]: array
    default: nil
    }
  }
}

extension PredicateValue {
  fileprivate var holdsReference: Bool {
    switch self {
    case .reference: true
    case .list(let values): values.contains(where: \.holdsReference)
    default: false
    }
  }
}

/// A dictionary as a subject: absent keys are nil.
private struct DictionarySubject: PredicateSubject {
  let entries: [String: Any]

  func predicateAnswer(forKey key: String) -> PredicateAnswer { PredicateAnswer(plain: entries[key]) }

  var predicateIdentity: PredicateValue { .reference(PredicateReference(entries as NSDictionary)) }

  var predicateObject: Any { entries }
}
