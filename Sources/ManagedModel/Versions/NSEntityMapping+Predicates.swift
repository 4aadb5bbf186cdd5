import Foundation
import StrataPredicates

/// Mappings in expressions: `$entityMapping.name`, `$propertyMapping.userInfo.place`.
extension NSEntityMapping: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "name": PredicateResult(plain: name)
    case "sourceEntityName": PredicateResult(plain: sourceEntityName)
    case "destinationEntityName": PredicateResult(plain: destinationEntityName)
    case "mappingType": .value(.integer(Int64(mappingType.rawValue)))
    case "userInfo": PredicateResult(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

extension NSPropertyMapping: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "name": PredicateResult(plain: name)
    case "userInfo": PredicateResult(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

extension PredicateResult {
  /// The program's own user info, by the text of its keys.
  package init(notes userInfo: [AnyHashable: Any]?) {
    let entries = (userInfo ?? [:]).map { ("\($0.key.base)", $0.value) }
    self.init(plain: Dictionary(entries, uniquingKeysWith: { first, _ in first }))
  }
}
