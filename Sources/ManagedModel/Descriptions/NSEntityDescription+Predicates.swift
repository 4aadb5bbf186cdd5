import StrataPredicates

/// Entities in predicates: `entity == %@`, `entity.name BEGINSWITH 'A'`.
extension NSEntityDescription: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "name": .value(name.map(PredicateValue.string) ?? .null)
    case "managedObjectClassName": .value(.string(managedObjectClassName))
    case "isAbstract", "abstract": .value(.bool(isAbstract))
    case "superentity": superentity.map { .subject($0) } ?? .value(.null)
    case "userInfo": PredicateResult(plain: userInfo)
    default: .unknownKey
    }
  }

  /// The name, by which stores identify an entity.
  package var predicateIdentity: PredicateValue { .string(name ?? "") }

  package var predicateObject: Any { self }

  package func represents(_ value: PredicateValue) -> Bool {
    switch value {
    case .string(let name): self.name == name
    case .reference(let reference): isEqual(reference.object)
    default: false
    }
  }
}

/// The entity of a row in predicates, with the same keys.
extension EntityLayout: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "name": .value(.string(name))
    case "managedObjectClassName": .value(className.map(PredicateValue.string) ?? .null)
    case "isAbstract", "abstract": .value(.bool(isAbstract))
    case "superentity": parent.map { .subject($0) } ?? .value(.null)
    case "userInfo": PredicateResult(plain: userInfo)
    default: .unknownKey
    }
  }

  /// The name, by which stores identify an entity.
  package var predicateIdentity: PredicateValue { .string(name) }

  package func represents(_ value: PredicateValue) -> Bool {
    switch value {
    case .string(let name): self.name == name
    case .reference(let reference): (reference.object as? NSEntityDescription)?.layout === self
    default: false
    }
  }

  /// Returns the entity's value for a key that is not one of its properties.
  package func predicateResult(forOwnKey key: String) -> PredicateResult {
    key == "entity" ? .subject(self) : .unknownKey
  }
}

/// Properties in predicates: `$FETCHED_PROPERTY.userInfo.place` in the request of a fetched property.
extension NSPropertyDescription: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "name": .value(.string(name))
    case "userInfo":
      // Keys with the same text, such as 1 and "1", are the same to a predicate.
      PredicateResult(
        plain: Dictionary(
          (userInfo ?? [:]).map { ("\($0.key.base)", $0.value) }, uniquingKeysWith: { first, _ in first }))
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}
