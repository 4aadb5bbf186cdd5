import Foundation

/// Converts objects that a program passes to `evaluate(with:)` and to sort descriptors.
extension PredicateResult {
  /// Converts a subject, a dictionary, a value, or a list of these.
  package init(plain object: Any?) {
    guard let object else {
      self = .value(.null)
      return
    }
    if let subject = object as? any PredicateSubject {
      self = .subject(subject.plainSubject)
    } else if let dictionary = Self.dictionary(object) {
      self = .subject(DictionarySubject(entries: dictionary))
    } else if let value = PredicateValue(argument: object), !value.holdsReference {
      self = .value(value)
    } else if let members = Self.members(object) {
      self = .members(members.map { PredicateResult(plain: $0) })
    } else if let value = PredicateValue(argument: object) {
      self = .value(value)
    } else {
      self.init(reflecting: object)
    }
  }

  /// Converts a value that the predicate language does not have: an enumeration becomes its raw value, and objects and
  /// structures keep their stored properties.
  private init(reflecting object: Any) {
    let mirror = Mirror(reflecting: object)
    switch mirror.displayStyle {
    case .optional: self.init(plain: mirror.children.first?.value)
    case .class, .struct, .tuple:
      let raw = mirror.displayStyle == .struct ? (object as? any RawRepresentable)?.rawValue : nil
      if let raw { self.init(plain: raw) } else { self = .subject(ReflectedSubject(object: object)) }
    case .enum: self.init(plain: (object as? any RawRepresentable)?.rawValue)
    default: self = .value(.null)
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

  func predicateResult(forKey key: String) -> PredicateResult { PredicateResult(plain: entries[key]) }

  var predicateIdentity: PredicateValue { .reference(PredicateReference(entries as NSDictionary)) }

  var predicateObject: Any { entries }
}
