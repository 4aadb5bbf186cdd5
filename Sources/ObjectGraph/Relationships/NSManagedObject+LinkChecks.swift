import Foundation
import StrataManagedModel
import StrataRowStore

/// What may be given to a relationship. Anything else stops the program with the text of Apple's exception.
extension NSManagedObject {
  func checkedTarget(_ value: Any?, _ slot: Int) -> NSManagedObject? {
    guard let value else { return nil }
    guard let target = value as? NSManagedObject else {
      if isNone(value) { return nil }
      refuse(value, layout.slots[slot].name, "to-one relationship", layout.slots[slot].relationship?.destinationEntity)
    }
    checkTarget(target, slot)
    return target
  }

  func checkTarget(_ target: NSManagedObject, _ slot: Int) {
    let relationship = layout.slots[slot].relationship
    guard accepts(target, relationship) else {
      refuse(target, layout.slots[slot].name, "to-one relationship", relationship?.destinationEntity)
    }
    if registry !== target.registry || context == nil || target.context == nil {
      requireSameContext(target, layout.slots[slot].name)
    }
  }

  func checkedTargets(_ value: Any?, _ number: Int) -> [NSManagedObject] {
    guard let value else { return [] }
    guard let members = members(of: value, layout.toMany[number].relationship.isOrdered) else {
      if isNone(value) { return [] }
      let isOrdered = layout.toMany[number].relationship.isOrdered
      refuse(value, layout.toMany[number].name, "to-many relationship", isOrdered ? "NSOrderedSet" : "NSSet")
    }
    return members.map { checkedMember($0, number) }
  }

  /// A live set is no `NSSet` of Foundation's own kind, which a cast to `Set` would take for an empty one.
  private func members(of value: Any, _ isOrdered: Bool) -> [Any]? {
    if isOrdered { return (value as? NSOrderedSet)?.array }
    if let set = value as? LiveSet { return set.allObjects }
    if let set = value as? Set<NSManagedObject> { return Array(set) }
    return (value as? NSSet)?.allObjects
  }

  func checkedMember(_ member: Any, _ number: Int) -> NSManagedObject {
    let property = layout.toMany[number]
    guard let object = member as? NSManagedObject, accepts(object, property.relationship) else {
      refuse(member, property.name, "to-many relationship", property.relationship.destinationEntity)
    }
    requireSameContext(object, property.name)
    return object
  }

  private func accepts(_ object: NSManagedObject, _ relationship: NSRelationshipDescription?) -> Bool {
    guard let wanted = relationship?.destinationEntity else { return false }
    return object.entity === wanted || object.entity.isKindOf(entity: wanted)
  }

  private func refuse(_ value: Any, _ name: String, _ kind: String, _ entity: NSEntityDescription?) -> Never {
    refuse(value, name, kind, entity?.managedObjectClassName ?? "NSManagedObject")
  }

  private func refuse(_ value: Any, _ name: String, _ kind: String, _ desired: String) -> Never {
    fatalError(
      "Unacceptable type of value for \(kind): property = \"\(name)\"; desired type = \(desired); "
        + "given type = \(type(of: value)); value = \(value).")
  }

  private func requireSameContext(_ other: NSManagedObject, _ name: String) {
    guard context !== other.context else { return }
    fatalError(
      "Illegal attempt to establish a relationship '\(name)' between objects in different contexts "
        + "(source = \(self), destination = \(other))")
  }
}
