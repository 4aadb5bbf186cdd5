import StrataPredicates

/// Properties in predicates: `$FETCHED_PROPERTY.userInfo.place` in the request of a fetched property.
extension NSPropertyDescription: PredicateSubject {
  package func predicateAnswer(forKey key: String) -> PredicateAnswer {
    switch key {
    case "name": .value(.string(name))
    case "userInfo":
      // Keys with the same text, such as 1 and "1", are the same to a predicate.
      PredicateAnswer(
        plain: Dictionary(
          (userInfo ?? [:]).map { ("\($0.key.base)", $0.value) }, uniquingKeysWith: { first, _ in first }))
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}
