import Foundation
import ManagedModel
import RowStore

/// Relationships: both ends follow each other at once, without reading an object that is a fault.
extension NSManagedObject {
  // MARK: To-one

  /// The object at the other end of a to-one relationship.
  func target(_ slot: Int) -> NSManagedObject? {
    materialize(slot)
    guard let page else { return nil }
    return context?.object(page.reference(Int(rowIndex), slot))
  }

  /// Points a to-one relationship to another object, and keeps both inverses right.
  func setTarget(_ target: NSManagedObject?, _ slot: Int) {
    willEdit()
    let old = page?.reference(Int(rowIndex), slot) ?? .none
    let new = target?.rowID ?? .none
    guard old != new else { return }
    let row = writableRow()
    row.page.setReference(new, row.index, slot)
    guard let context, context.tracksChanges else { return }
    let inverse = layout.slots[slot].inverse
    if let loser = context.object(old) { loser.inverseLost(self, inverse) }
    if let target { target.inverseGained(self, inverse) }
  }

  func inverseGained(_ other: NSManagedObject, _ place: InversePlace) {
    switch place {
    case .none: break
    case .toMany(let number): record(.added(other.rowID), number)
    case .slot(let slot):
      willEdit()
      let old = page?.reference(Int(rowIndex), slot) ?? .none
      guard old != other.rowID else { return }
      let row = writableRow()
      row.page.setReference(other.rowID, row.index, slot)
      if let loser = context?.object(old) { loser.inverseLost(self, layout.slots[slot].inverse) }
    }
  }

  func inverseLost(_ other: NSManagedObject, _ place: InversePlace) {
    switch place {
    case .none: break
    case .toMany(let number): record(.removed(other.rowID), number)
    case .slot(let slot):
      willEdit()
      guard let page, page.reference(Int(rowIndex), slot) == other.rowID else { return }
      let row = writableRow()
      row.page.setNil(row.index, slot)
    }
  }

  // MARK: To-many

  /// The ids at the other end of a to-many relationship.
  func linkedIDs(_ number: Int) -> [RowID] {
    if let members = edits?.links[number]?.members { return members }
    guard let context else { return [] }
    var base: [RowID] = []
    if !marks.contains(.neverSaved) {
      do {
        base = try context.requireSource().related(to: rowID, relationship: number)
      } catch {
        fatalError("CoreData could not read '\(layout.toMany[number].name)' of '\(objectID)': \(error)")
      }
    }
    let edits = ownEdits()
    var state = edits.links[number] ?? LinkState()
    let members = state.resolve(base: base)
    edits.links[number] = state
    return members
  }

  /// The objects at the other end of a to-many relationship.
  func linkedObjects(_ number: Int) -> [NSManagedObject] {
    guard let context else { return [] }
    return linkedIDs(number).compactMap(context.object)
  }

  func linkedCollection(_ number: Int) -> Any {
    layout.toMany[number].relationship.isOrdered
      ? NSOrderedSet(array: linkedObjects(number)) : NSSet(array: linkedObjects(number))
  }

  /// Adds an object to a to-many relationship.
  func link(_ other: NSManagedObject, _ number: Int) {
    guard !linkedIDs(number).contains(other.rowID) else { return willTouch() }
    record(.added(other.rowID), number)
    other.inverseGained(self, layout.toMany[number].inverse)
  }

  /// Takes an object out of a to-many relationship.
  func unlink(_ other: NSManagedObject, _ number: Int) {
    guard linkedIDs(number).contains(other.rowID) else { return willTouch() }
    record(.removed(other.rowID), number)
    other.inverseLost(self, layout.toMany[number].inverse)
  }

  /// Makes `objects` the members of a to-many relationship.
  func replaceLinks(_ number: Int, with objects: [NSManagedObject]) {
    let new = Set(objects.map(\.rowID))
    for old in linkedObjects(number) where !new.contains(old.rowID) { unlink(old, number) }
    for object in objects { link(object, number) }
    guard layout.toMany[number].relationship.isOrdered else { return }
    record(.replaced(objects.map(\.rowID)), number)
  }

  /// Remembers what happened to a to-many relationship, and that a save has to do with it.
  func record(_ event: LinkEvent, _ number: Int) {
    willTouch()
    let edits = ownEdits()
    if edits.links[number] == nil { edits.links[number] = LinkState() }
    edits.links[number]?.record(event)
  }

  /// Like `willEdit`, but does not read a fault: its row is read when it is saved.
  private func willTouch() {
    guard life == .fault else { return willEdit() }
    guard let context, context.tracksChanges else { return }
    context.list(self)
    context.noteEvent(self, [])
  }

  /// Whether the object is a fault one of whose to-many relationships changed.
  var isTouchedFault: Bool { life == .fault && marks.contains(.listed) && hasLinkChanges }

  var hasLinkChanges: Bool { edits?.links.contains { $0?.isChanged == true } ?? false }

  // MARK: What may be given

  func checkedTarget(_ value: Any?, _ slot: Int) -> NSManagedObject? {
    guard let value else { return nil }
    let property = layout.slots[slot]
    guard let target = value as? NSManagedObject,
      property.relationship?.destinationEntity.map({ target.entity.isKindOf(entity: $0) }) == true
    else {
      fatalError(
        "Unacceptable type of value for to-one relationship: property = \"\(property.name)\"; desired type = "
          + "\(property.relationship?.destinationEntity?.name ?? "NSManagedObject"); "
          + "given type = \(type(of: value)); value = \(value).")
    }
    requireSameContext(target, property.name)
    return target
  }

  func checkedTargets(_ value: Any?, _ number: Int) -> [NSManagedObject] {
    let property = layout.toMany[number]
    let members: [Any]
    switch value {
    case nil: members = []
    case let set as Set<NSManagedObject> where !property.relationship.isOrdered: members = Array(set)
    case let set as NSSet where !property.relationship.isOrdered: members = set.allObjects
    case let set as NSOrderedSet where property.relationship.isOrdered: members = set.array
    default:
      fatalError(
        "Unacceptable type of value for to-many relationship: property = \"\(property.name)\"; desired type = "
          + "\(property.relationship.isOrdered ? "NSOrderedSet" : "NSSet"); "
          + "given type = \(value.map { "\(type(of: $0))" } ?? "nil"); value = \(value ?? "nil").")
    }
    return members.map { checkedMember($0, number) }
  }

  func checkedMember(_ member: Any, _ number: Int) -> NSManagedObject {
    let property = layout.toMany[number]
    guard let object = member as? NSManagedObject,
      property.relationship.destinationEntity.map({ object.entity.isKindOf(entity: $0) }) == true
    else {
      fatalError(
        "Unacceptable type of value for to-many relationship: property = \"\(property.name)\"; desired type = "
          + "\(property.relationship.destinationEntity?.name ?? "NSManagedObject"); "
          + "given type = \(type(of: member)); value = \(member).")
    }
    requireSameContext(object, property.name)
    return object
  }

  func requireSameContext(_ other: NSManagedObject, _ name: String) {
    guard context !== other.context else { return }
    fatalError(
      "Illegal attempt to establish a relationship '\(name)' between objects in different contexts "
        + "(source = \(self), destination = \(other))")
  }
}
