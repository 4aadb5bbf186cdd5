import Foundation
import StrataManagedModel
import StrataRowStore

/// Checks of values assigned to relationships. An invalid value stops the program with the text of Apple's exception.
extension NSManagedObject {
  func checkedTarget(_ value: Any?, slot: Int) -> NSManagedObject? {
    guard let value else { return nil }
    guard let target = value as? NSManagedObject else {
      if isNone(value) { return nil }
      refuse(
        value, for: layout.slots[slot].name, kind: "to-one relationship",
        desired: layout.slots[slot].relationship)
    }
    checkTarget(target, slot: slot)
    return target
  }

  func checkTarget(_ target: NSManagedObject, slot: Int) {
    let relationship = layout.slots[slot].relationship
    guard accepts(target, relationship) else {
      refuse(target, for: layout.slots[slot].name, kind: "to-one relationship", desired: relationship)
    }
    if registry !== target.registry || context == nil || target.context == nil {
      requireSameContext(target, relationship: layout.slots[slot].name)
    }
  }

  func checkedTargets(_ value: Any?, toMany number: Int) -> [NSManagedObject] {
    guard let value else { return [] }
    guard let members = members(of: value, layout.toMany[number].relationship.isOrdered) else {
      if isNone(value) { return [] }
      let isOrdered = layout.toMany[number].relationship.isOrdered
      refuse(
        value, for: layout.toMany[number].name, kind: "to-many relationship",
        desired: isOrdered ? "NSOrderedSet" : "NSSet")
    }
    return members.map { checkedMember($0, toMany: number) }
  }

  /// A live set is not one of Foundation's own classes, so a cast to `Set` would yield an empty one.
  private func members(of value: Any, _ isOrdered: Bool) -> [Any]? {
    if isOrdered { return (value as? NSOrderedSet)?.array }
    if let set = value as? LiveSet { return set.allObjects }
    if let set = value as? Set<NSManagedObject> { return Array(set) }
    return (value as? NSSet)?.allObjects
  }

  func checkedMember(_ member: Any, toMany number: Int) -> NSManagedObject {
    let property = layout.toMany[number]
    guard let object = member as? NSManagedObject, accepts(object, property.relationship) else {
      refuse(member, for: property.name, kind: "to-many relationship", desired: property.relationship)
    }
    requireSameContext(object, relationship: property.name)
    return object
  }

  private func accepts(_ object: NSManagedObject, _ relationship: RelationshipLayout?) -> Bool {
    relationship?.leads(to: object.layout) == true
  }

  private func refuse(_ value: Any, for name: String, kind: String, desired relationship: RelationshipLayout?) -> Never
  {
    refuse(value, for: name, kind: kind, desired: relationship?.destination.className ?? "NSManagedObject")
  }

  private func refuse(_ value: Any, for name: String, kind: String, desired: String) -> Never {
    fatalError(
      "Unacceptable type of value for \(kind): property = \"\(name)\"; desired type = \(desired); "
        + "given type = \(type(of: value)); value = \(value).")
  }

  private func requireSameContext(_ other: NSManagedObject, relationship name: String) {
    guard context !== other.context else { return }
    fatalError(
      "Illegal attempt to establish a relationship '\(name)' between objects in different contexts "
        + "(source = \(self), destination = \(other))")
  }
}
