import Foundation
import StrataManagedModel
import StrataRowStore

/// Resolves a conflict over unique values among objects: one of them keeps the values.
///
/// Relationships to the objects that give way are handed over to the survivor, so none dangles.
struct ConstraintResolution {
  let names: [String]
  let type: NSMergePolicyType
  let context: NSManagedObjectContext?
  /// The object whose row had the values before.
  private let stored: NSManagedObject?
  /// Saved objects that were changed to the values.
  private let updated: [NSManagedObject]
  /// New objects, oldest first.
  private let inserted: [NSManagedObject]

  init(of conflict: NSConstraintConflict, by type: NSMergePolicyType) {
    let names = conflict.constraint
    self.type = type
    self.names = names
    if let database = conflict.databaseObject, let stored = conflict.stored { database.useStoredValues(with: stored) }
    let group = conflict.conflictingObjects + (conflict.databaseObject.map { [$0] } ?? [])
    let saved = group.filter { $0.context != nil && $0.life != .inserted }
    context = group.first?.context
    stored = saved.first { !$0.hasChanged(names) }
    updated = saved.filter { $0.hasChanged(names) }
    inserted = group.filter { $0.context != nil && $0.life == .inserted }
  }

  func resolve() {
    switch type {
    case .errorMergePolicyType: return
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: keepOldest()
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: keepNewest()
    }
  }

  /// The values stay with their first owner: the row, or the first of several new objects.
  private func keepOldest() {
    guard let survivor = stored ?? updated.first ?? inserted.first else { return }
    for object in updated where object !== survivor {
      if type == .rollbackMergePolicyType { object.rollBack() } else { object.restoreCommitted(names) }
    }
    for new in inserted where new !== survivor { new.giveWay(to: survivor, values: .none) }
  }

  /// The unsaved values win, but an existing row stays the row: its identity survives. If a saved object was given the
  /// values of another, that other one is deleted.
  private func keepNewest() {
    guard let survivor = updated.first ?? stored ?? inserted.first else { return }
    for object in updated.dropFirst() { object.restoreCommitted(names) }
    if let stored, stored !== survivor {
      stored.handOver(to: survivor)
      context?.markDeleted(stored)
    }
    let values: Taken = type == .overwriteMergePolicyType ? .all : .present
    for new in inserted where new !== survivor { new.giveWay(to: survivor, values: values) }
  }

  /// Which values of an object that gives way are copied to the survivor.
  enum Taken { case none, present, all }
}

extension NSManagedObject {
  /// Whether the value of one of the properties differs from the committed one.
  fileprivate func hasChanged(_ names: [String]) -> Bool {
    guard life == .changed, let page, let snapshot = edits?.snapshot else { return false }
    return names.compactMap(layout.slot(named:)).contains {
      !page.isEqual(row: rowIndex, slot: $0, to: snapshot.page, row: snapshot.index)
    }
  }

  fileprivate func useStoredValues(with stored: Row) {
    materialize()
    if life != .deleted, committedRow?.version != stored.version { rebase(onto: stored) }
  }

  /// Reverts changes of some properties.
  fileprivate func restoreCommitted(_ names: [String]) {
    guard let snapshot = edits?.snapshot else { return }
    for slot in names.compactMap(layout.slot(named:)) { restore(slot, from: snapshot) }
    context?.noteEvent(self, flags: [])
  }

  /// Leaves the context in favor of another object, which gets the relationships that lead here.
  fileprivate func giveWay(to survivor: NSManagedObject, values: ConstraintResolution.Taken) {
    guard let context else { return }
    if values == .none { flags.insert(.inaccessible) } else { survivor.copyValues(values, from: self) }
    handOver(to: survivor)
    var change = IDChanges(capacity: 1)
    change.set(rowID, to: survivor.rowID)
    for object in context.tracker.tracked { object.replaceIDs(change) }
    context.markGone(self)
  }

  /// Copies the values of properties that both objects have.
  private func copyValues(_ values: ConstraintResolution.Taken, from other: NSManagedObject) {
    guard let common = layout.commonAncestor(with: other.layout) else { return }
    for slot in common.slots.indices where !common.slots[slot].isTransient {
      let theirs = other.row
      guard values == .all || !theirs.page.isNil(row: theirs.index, slot: slot) else { continue }
      willEdit()
      guard !row.page.isEqual(row: row.index, slot: slot, to: theirs.page, row: theirs.index) else { continue }
      restore(slot, from: theirs)
    }
  }

  /// Moves the members of shared relationships to another object, and empties the others.
  fileprivate func handOver(to survivor: NSManagedObject) {
    let common = layout.commonAncestor(with: survivor.layout)
    for number in layout.toMany.indices {
      for member in linkedObjects(number) {
        unlink(member, toMany: number)
        if let common, number < common.toMany.count { survivor.link(member, toMany: number) }
      }
    }
    for slot in layout.slots.indices where layout.slots[slot].kind == .toOne && target(slot) != nil {
      setTarget(nil, slot: slot)
    }
  }
}

extension EntityLayout {
  /// Returns the layout of the nearest common ancestor entity.
  fileprivate func commonAncestor(with other: EntityLayout) -> EntityLayout? {
    lineage.first { other.isKind(of: $0) }
  }
}
