import Foundation
import StrataManagedModel
import StrataRowStore

/// Deleting, and what it does to the objects at the other ends of relationships.
/// See https://developer.apple.com/documentation/coredata/nsdeleterule
extension NSManagedObjectContext {
  /// Marks an object for deletion. The next save deletes its row.
  ///
  /// An object that was never saved is removed once the delete rules have been applied. An object that is already
  /// deleted stays so.
  public func delete(_ object: NSManagedObject) {
    checkQueue()
    if object.life == .detached, object.registry === registry { return }
    guard object.context === self else { refuseDeletion(of: object) }
    delete(object, needsRow: true)
  }

  /// - Parameter needsRow: whether the object's row is read if nobody has read it. One that falls with its owner and has no
  ///   other is deleted by its id alone, as a program that never saw its values cannot mind who else changed them.
  fileprivate func delete(_ object: NSManagedObject, needsRow: Bool) {
    guard object.life != .deleted, !object.flags.contains(.preparingDeletion) else { return }
    object.flags.insert(.preparingDeletion)
    whileDeleting { object.prepareForDeletion() }
    object.flags.remove(.preparingDeletion)
    if needsRow || journal != nil {
      whileDeleting { object.materialize() }
    } else if object.life == .fault {
      object.flags.insert(.deletedUnread)
    }
    journal?.note(object)
    object.life = .deleted
    list(object)
    deletions.append(object)
    noteEvent(object, .deletedInEvent)
  }

  private func refuseDeletion(of object: NSManagedObject) -> Never {
    fatalError(
      object.life == .detached && (object.rowID == .none || object.rowID.isTemporary)
        ? "Cannot delete object that was never inserted."
        : "An NSManagedObjectContext cannot delete objects in other contexts.")
  }

  /// Carries out the delete rules of every deleted object, of those that fall with it too; each once, so that circles
  /// end.
  func propagateDeletes() {
    var forgotten: [NSManagedObject] = []
    while !deletions.isEmpty {
      let round = deletions.filter { $0.life == .deleted && !$0.flags.contains(.propagated) }
      deletions = []
      for object in round { object.flags.insert(.propagated) }
      whileDeleting {
        let held = readOtherEnds(of: round)
        for object in round { object.propagateDelete() }
        withExtendedLifetime(held) {}
      }
      forgotten += round.filter { $0.flags.contains(.neverSaved) }
    }
    if !forgotten.isEmpty { forget(forgotten) }
  }

  /// Reads what the delete rules of many objects need in sets: their relationships, and the rows that change.
  /// - Returns: the objects whose rows were read, which nobody else holds yet.
  private func readOtherEnds(of round: [NSManagedObject]) -> [NSManagedObject] {
    guard round.count > 1 || round.first?.layout.toMany.isEmpty == false else { return [] }
    var changing: [NSManagedObject] = []
    for (_, objects) in Dictionary(grouping: round, by: \.layout.number) {
      let layout = objects[0].layout
      for (number, property) in layout.toMany.enumerated() {
        guard property.relationship.deleteRule.reaches(property.inverse) else { continue }
        readLinks(number, of: objects)
        let rule = property.relationship.deleteRule
        guard rule.needsRows(property.inverse) else { continue }
        for object in objects {
          changing += object.linkedObjects(number).filter { needsRow(of: $0, whenItFallsBy: rule, property.inverse) }
        }
      }
      for slot in layout.toOneSlots {
        let property = layout.slots[slot]
        guard property.relationship?.deleteRule.needsRows(property.inverse) == true else { continue }
        changing += objects.compactMap { $0.flags.contains(.deletedUnread) ? nil : $0.target(slot) }
      }
    }
    readRows(ofFaultsAmong: changing)
    return changing
  }

  /// Whether more than its id must be known of an object that a rule deletes or changes: it is told to those that its own
  /// to-one relationships lead to. Where that is its deleted owner alone, nobody is to be told.
  fileprivate func needsRow(
    of object: NSManagedObject, whenItFallsBy rule: NSDeleteRule, _ inverse: InversePlace
  ) -> Bool {
    guard rule == .cascadeDeleteRule, journal == nil, case .slot(let owner) = inverse else { return true }
    return object.layout.toOneSlots.contains { slot in
      let property = object.layout.slots[slot]
      return slot != owner && property.relationship?.deleteRule.reaches(property.inverse) == true
    }
  }

  /// Objects that were inserted and deleted before they were saved leave no trace, unless the program was told of them.
  func forget(_ objects: [NSManagedObject]) {
    let ids = Set(objects.map(\.rowID))
    let mayDangle = Set(objects.map(\.layout.number)).contains { model.mayDangle(to: model.layout(number: $0).entity) }
    for object in objects {
      // All are unlisted at once.
      object.flags.remove(.listed)
      if object.flags.contains(.insertedInEvent) { object.detach() } else { depart(object) }
    }
    listed.removeAll { !$0.flags.contains(.listed) }
    event.removeAll { $0.life == .detached && ids.contains($0.rowID) }
    // A row that was never there must not be named in the store.
    if mayDangle { for object in listed { object.dropReferences(to: ids) } }
  }
}

extension NSDeleteRule {
  /// Whether the rule does anything at the other end.
  fileprivate func reaches(_ inverse: InversePlace) -> Bool {
    switch self {
    case .cascadeDeleteRule: true
    case .nullifyDeleteRule: inverse != .none
    case .denyDeleteRule, .noActionDeleteRule: false
    }
  }

  /// Whether rows at the other end change or go.
  fileprivate func needsRows(_ inverse: InversePlace) -> Bool {
    if self == .nullifyDeleteRule, case .slot = inverse { return true }
    return self == .cascadeDeleteRule
  }
}

extension NSManagedObject {
  /// Does to the objects at the other ends what the delete rules say.
  fileprivate func propagateDelete() {
    for slot in layout.toOneSlots where !flags.contains(.deletedUnread) {
      let inverse = layout.slots[slot].inverse
      guard let rule = layout.slots[slot].relationship?.deleteRule, rule.reaches(inverse) else { continue }
      if let target = target(slot) { propagateDelete(to: target, rule, inverse) }
    }
    for (number, property) in layout.toMany.enumerated() {
      let rule = property.relationship.deleteRule
      guard rule.reaches(property.inverse) else { continue }
      for target in linkedObjects(number) { propagateDelete(to: target, rule, property.inverse) }
    }
  }

  private func propagateDelete(to target: NSManagedObject, _ rule: NSDeleteRule, _ inverse: InversePlace) {
    guard target.life != .deleted, target.life != .detached else { return }
    guard rule == .cascadeDeleteRule else { return target.inverseLost(self, inverse) }
    guard let context else { return }
    context.delete(target, needsRow: context.needsRow(of: target, whenItFallsBy: rule, inverse))
  }

  /// Takes ids that lead nowhere out of the object's own unsaved row and relationships.
  func dropReferences(to ids: Set<RowID>) {
    guard let edits, life == .inserted || life == .changed else { return }
    let notice = willTellAll()
    defer { notice?.end() }
    if edits.ownsRow, let page {
      for slot in layout.slots.indices where layout.slots[slot].kind == .toOne {
        if ids.contains(page.reference(Int(rowIndex), slot)) { page.setNil(Int(rowIndex), slot) }
      }
    }
    for number in edits.links.indices where edits.links[number] != nil {
      for id in ids { edits.links[number]?.remove(id) }
    }
  }
}

extension NSManagedObjectModel {
  /// Whether an object of an entity can go without every other end noticing: a relationship leads to it that has no
  /// inverse, or whose inverse does nothing.
  fileprivate func mayDangle(to entity: NSEntityDescription) -> Bool {
    layouts.contains { layout in
      layout.entity.ownProperties.contains { property in
        guard let relationship = property as? NSRelationshipDescription,
          let destination = relationship.destinationEntity, entity.isKindOf(entity: destination)
        else { return false }
        return (relationship.inverseRelationship?.deleteRule ?? .noActionDeleteRule) != .nullifyDeleteRule
      }
    }
  }
}

extension NSManagedObjectContext {
  func whileDeleting(_ body: () -> Void) {
    let before = isDeleting
    isDeleting = true
    body()
    isDeleting = before
  }
}
