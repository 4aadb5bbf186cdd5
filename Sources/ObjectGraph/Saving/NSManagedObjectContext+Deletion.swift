import Foundation
import StrataManagedModel
import StrataRowStore

/// Deletion, and its effect on the objects at the other ends of relationships.
/// See https://developer.apple.com/documentation/coredata/nsdeleterule
extension NSManagedObjectContext {
  func markDeleted(_ object: NSManagedObject) {
    checkQueue("delete(_:)")
    if object.life == .detached, object.registry === registry { return }
    guard object.context === self else { refuseDeletion(of: object) }
    // The merge that follows reports it as deleted.
    if object.flags.contains(.gone), object.life == .fault { return markGone(object) }
    // Apple's framework calls the hook each time that the program deletes the object.
    guard object.life != .deleted || object.flags.contains(.gone) else { return prepareForDeletion(of: object) }
    delete(object, needsRow: true)
  }

  /// Calls the hook, unless it is running and deletes the object itself.
  private func prepareForDeletion(of object: NSManagedObject) {
    guard !object.flags.contains(.preparingDeletion) else { return }
    object.flags.insert(.preparingDeletion)
    whileDeleting { object.prepareForDeletion() }
    object.flags.remove(.preparingDeletion)
  }

  /// - Parameter needsRow: whether to read the object's row if it was not read. An object deleted with its owner that
  ///   has no other relationships is deleted by its ID alone: a program that never saw its values does not care who
  ///   else changed them.
  fileprivate func delete(_ object: NSManagedObject, needsRow: Bool) {
    guard object.life != .deleted, !object.flags.contains(.preparingDeletion) else { return }
    prepareForDeletion(of: object)
    if needsRow || journal != nil {
      whileDeleting { object.materialize() }
      // An object whose row cannot be read is not deleted.
      if object.isUnread { return }
    } else if object.life == .fault {
      object.flags.insert(.deletedUnread)
    }
    journal?.note(object)
    object.life = .deleted
    tracker.track(object)
    tracker.addDeletion(object)
    noteEvent(object, flags: .deletedInEvent)
  }

  private func refuseDeletion(of object: NSManagedObject) -> Never {
    fatalError(
      object.life == .detached && (object.rowID == .none || object.rowID.isTemporary)
        ? "Cannot delete object that was never inserted."
        : "An NSManagedObjectContext cannot delete objects in other contexts.")
  }

  /// Applies the delete rules of every deleted object, including those deleted by a rule; each once, so that cycles
  /// end. If what a rule needs cannot be read, the rule is applied again later; nothing is saved before.
  func propagateDeletes() {
    var forgotten: [NSManagedObject] = []
    var postponed: [NSManagedObject] = []
    while !tracker.deletions.isEmpty {
      let round = tracker.takeDeletions().filter { $0.life == .deleted && !$0.flags.contains(.propagated) }
      round.forEachHeld { $0.flags.insert(.propagated) }
      whileDeleting {
        let held = readOtherEnds(of: round)
        round.forEachHeld { object in
          let count = failedReads
          object.propagateDelete()
          guard failedReads != count else { return }
          object.flags.remove(.propagated)
          postponed.append(object)
        }
        withExtendedLifetime(held) {}
      }
      forgotten += round.filter { $0.flags.isSuperset(of: [.neverSaved, .propagated]) }
    }
    for object in postponed { tracker.addDeletion(object) }
    if !forgotten.isEmpty { forget(forgotten) }
  }

  /// Makes the current event apply the delete rules of unsaved deletions again: a commit may have related other objects to
  /// the deleted ones since, and their references would lead nowhere. A parent applies the rules itself when a child saves.
  /// - Parameter relationships: the positions of the to-many relationships whose members may have changed.
  func applyDeleteRulesAgain(through relationships: Set<Int>) {
    guard parent == nil else { return }
    for object in tracker.tracked
    where object.life == .deleted && object.flags.isDisjoint(with: [.gone, .inaccessible]) {
      let isConcerned = object.layout.toMany.contains { property in
        relationships.contains(property.index) && property.relationship.deleteRule.reaches(property.inverse)
      }
      guard isConcerned, object.flags.contains(.propagated) else { continue }
      object.flags.remove(.propagated)
      tracker.addDeletion(object)
    }
  }

  /// Reads in bulk what the delete rules of many objects need: their relationships, and the rows that change.
  /// - Returns: the objects that change, which nothing else retains yet.
  private func readOtherEnds(of round: [NSManagedObject]) -> [NSManagedObject] {
    guard round.count > 1 || round.first?.layout.toMany.isEmpty == false else { return [] }
    var changing: [NSManagedObject] = []
    var falling: [NSManagedObject] = []
    var rest = round
    while let layout = rest.first?.layout {
      let objects = rest.filter { $0.layout === layout }
      rest = objects.count == rest.count ? [] : rest.filter { $0.layout !== layout }
      for (number, property) in layout.toMany.enumerated() {
        guard property.relationship.deleteRule.reaches(property.inverse) else { continue }
        readLinks(number, of: objects)
        let rule = property.relationship.deleteRule
        guard rule.needsRows(property.inverse) else { continue }
        let inverse = property.inverse
        objects.forEachHeld { object in
          object.forEachLinked(number, inBatches: false) { other, _ in
            if needsRow(of: other, whenItFallsBy: rule, inverse) {
              changing.append(other)
            } else {
              falling.append(other)
            }
          }
        }
      }
      for slot in layout.toOneSlots {
        let property = layout.slots[slot]
        guard property.relationship?.deleteRule.needsRows(property.inverse) == true else { continue }
        changing += objects.compactMap { $0.flags.contains(.deletedUnread) ? nil : $0.target(slot) }
      }
    }
    readRows(ofFaultsAmong: changing)
    // Their rows are read only if `prepareForDeletion` asks for them.
    readTogether(falling.filter { $0.prefetchCache == nil })
    return changing + falling
  }

  /// Whether the row of an object that a rule deletes or changes is needed: the targets of its own to-one relationships
  /// must be updated. If the only one is its deleted owner, none has to be.
  fileprivate func needsRow(
    of object: NSManagedObject, whenItFallsBy rule: NSDeleteRule, _ inverse: InverseLocation
  ) -> Bool {
    guard rule == .cascadeDeleteRule, journal == nil, case .slot(let owner) = inverse else { return true }
    return object.layout.toOneSlots.contains { slot in
      let property = object.layout.slots[slot]
      return slot != owner && property.relationship?.deleteRule.reaches(property.inverse) == true
    }
  }

  /// Removes objects that were inserted and deleted before a save. The event reports them as deleted, even if it did not
  /// report them as inserted.
  func forget(_ objects: [NSManagedObject]) {
    let ids = Set(objects.map(\.rowID))
    let mayDangle = Set(objects.map(\.layout.number)).contains { model.mayDangle(to: model.layout(number: $0)) }
    tracker.untrackKeepingDeletions(objects)
    for object in objects { markGone(object) }
    // The store must not refer to a row that never existed.
    if mayDangle { for object in tracker.tracked { object.dropReferences(to: ids) } }
  }
}

extension NSDeleteRule {
  /// Whether the rule changes the other end.
  fileprivate func reaches(_ inverse: InverseLocation) -> Bool {
    switch self {
    case .cascadeDeleteRule: true
    case .nullifyDeleteRule: inverse != .none
    case .denyDeleteRule, .noActionDeleteRule: false
    }
  }

  /// Whether rows at the other end change or are deleted.
  fileprivate func needsRows(_ inverse: InverseLocation) -> Bool {
    if self == .nullifyDeleteRule, case .slot = inverse { return true }
    return self == .cascadeDeleteRule
  }
}

extension NSManagedObject {
  /// Applies the delete rules to the objects at the other ends.
  fileprivate func propagateDelete() {
    for slot in layout.toOneSlots where !flags.contains(.deletedUnread) {
      let inverse = layout.slots[slot].inverse
      guard let rule = layout.slots[slot].relationship?.deleteRule, rule.reaches(inverse) else { continue }
      if let target = target(slot) { propagateDelete(to: target, rule: rule, inverse: inverse) }
    }
    for number in layout.toMany.indices {
      let (rule, inverse) = (layout.toMany[number].relationship.deleteRule, layout.toMany[number].inverse)
      guard rule.reaches(inverse) else { continue }
      linkedObjects(number).forEachHeld { propagateDelete(to: $0, rule: rule, inverse: inverse) }
    }
  }

  private func propagateDelete(to target: NSManagedObject, rule: NSDeleteRule, inverse: InverseLocation) {
    guard target.life != .detached else { return }
    // The deny rule of a deleted target is checked against its remaining members.
    guard target.life != .deleted || (rule == .nullifyDeleteRule && target.denies(at: inverse)) else { return }
    guard rule == .cascadeDeleteRule else { return target.inverseLost(self, at: inverse) }
    guard let context else { return }
    context.delete(target, needsRow: context.needsRow(of: target, whenItFallsBy: rule, inverse))
  }

  /// Whether an end of a relationship refuses the deletion of this object.
  private func denies(at location: InverseLocation) -> Bool {
    switch location {
    case .none: false
    case .slot(let slot): layout.slots[slot].relationship?.deleteRule == .denyDeleteRule
    case .toMany(let number): layout.toMany[number].relationship.deleteRule == .denyDeleteRule
    }
  }

  /// Removes dangling IDs from the object's own unsaved row and relationships.
  func dropReferences(to ids: Set<RowID>) {
    // A fault can have members too that were added without reading it.
    guard let edits, life == .inserted || life == .changed || life == .fault else { return }
    let notice = leads(to: ids) ? beginNoticeOfAll() : nil
    defer { notice?.end() }
    // Undoing the deletion restores what leads to the object.
    context?.journal?.note(self)
    if edits.ownsRow, let page {
      for slot in layout.slots.indices where layout.slots[slot].kind == .toOne {
        if ids.contains(page.reference(row: rowIndex, slot: slot)) { page.setNil(row: rowIndex, slot: slot) }
      }
    }
    for number in edits.links.indices where edits.links[number]?.forget(ids) == true {
      follow(toMany: number) { $0.reload() }
    }
  }
}

extension NSManagedObjectModel {
  /// Whether deleting an object of an entity can leave dangling references: a relationship leads to it without an
  /// inverse, or with an inverse that does nothing.
  fileprivate func mayDangle(to destination: EntityLayout) -> Bool {
    layouts.contains { layout in
      (layout.slots.compactMap(\.relationship) + layout.toMany.map(\.relationship)).contains {
        $0.leads(to: destination) && $0.inverse?.deleteRule != .nullifyDeleteRule
      }
    }
  }
}

extension NSManagedObjectContext {
  func whileDeleting(_ body: () -> Void) {
    let before = tracker.isDeleting
    tracker.isDeleting = true
    body()
    tracker.isDeleting = before
  }
}
