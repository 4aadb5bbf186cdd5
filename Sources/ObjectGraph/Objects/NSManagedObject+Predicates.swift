import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// An object as a predicate reads it: the values of `value(forKey:)`, unboxed.
extension NSManagedObject: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    if let slot = layout.slot(named: key) {
      materialize(slot)
      if layout.slots[slot].kind == .toOne { return target(slot).map { .subject($0) } ?? .value(.null) }
      if layout.slots[slot].kind == .object { return PredicateResult(plain: edits?.objects[slot]) }
      return page == nil ? .value(.null) : row.predicateResult(slot)
    }
    if let number = layout.toMany(named: key) { return .members(linkedObjects(number).map { .subject($0) }) }
    if let composite = layout.composite(named: key) {
      materialize(composite.slots.first ?? -1)
      return PredicateResult(plain: compositeValue(composite))
    }
    return computedValue(forKey: key).map(PredicateResult.init(plain:)) ?? ownAnswer(forKey: key)
  }

  /// Returns the value of a key that is not a property.
  private func ownAnswer(forKey key: String) -> PredicateResult {
    switch key {
    case "objectID": .subject(self)
    case "hasChanges", "isInserted", "inserted", "isUpdated", "updated", "isDeleted", "deleted", "isFault", "fault":
      PredicateResult(plain: ownValue(forKey: key))
    case "entity": .subject(entity)
    default: .unknownKey
    }
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
