import Foundation
import ManagedModel
import Predicates
import RowStore

/// What a predicate sees of an object: the values that `value(forKey:)` answers, without boxes.
extension NSManagedObject: PredicateSubject {
  package func predicateAnswer(forKey key: String) -> PredicateAnswer {
    if let slot = layout.slot(named: key) {
      materialize(slot)
      if layout.slots[slot].kind == .toOne { return target(slot).map { .subject($0) } ?? .value(.null) }
      if layout.slots[slot].kind == .object { return PredicateAnswer(plain: edits?.objects[slot]) }
      return .value(page == nil ? .null : row.predicateValue(slot))
    }
    if let number = layout.toMany(named: key) { return .members(linkedObjects(number).map { .subject($0) }) }
    if let composite = layout.composite(named: key) {
      materialize(composite.slots.first ?? -1)
      return PredicateAnswer(plain: compositeValue(composite))
    }
    return .unknownKey
  }

  package func leadsToMany(_ path: ArraySlice<String>) -> Bool { layout.leadsToMany(path) }

  package var predicateIdentity: PredicateValue { .row(rowID.bits) }

  package func represents(_ value: PredicateValue) -> Bool {
    switch value {
    case .row(let bits): bits == rowID.bits
    case .reference(let reference): reference.object === self || objectID.isEqual(reference.object)
    default: false
    }
  }
}
