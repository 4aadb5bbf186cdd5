import Foundation
import StrataPredicates

/// Mappings in expressions: `$entityMapping.name`, `$propertyMapping.userInfo.place`.
extension NSEntityMapping: PredicateSubject {
  package func predicateAnswer(forKey key: String) -> PredicateAnswer {
    switch key {
    case "name": PredicateAnswer(plain: name)
    case "sourceEntityName": PredicateAnswer(plain: sourceEntityName)
    case "destinationEntityName": PredicateAnswer(plain: destinationEntityName)
    case "mappingType": .value(.integer(Int64(mappingType.rawValue)))
    case "userInfo": PredicateAnswer(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

extension NSPropertyMapping: PredicateSubject {
  package func predicateAnswer(forKey key: String) -> PredicateAnswer {
    switch key {
    case "name": PredicateAnswer(plain: name)
    case "userInfo": PredicateAnswer(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

extension PredicateAnswer {
  /// The program's own user info, by the text of its keys.
  package init(notes userInfo: [AnyHashable: Any]?) {
    let entries = (userInfo ?? [:]).map { ("\($0.key.base)", $0.value) }
    self.init(plain: Dictionary(entries, uniquingKeysWith: { first, _ in first }))
  }
}
