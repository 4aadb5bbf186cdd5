import Foundation
import StrataManagedModel
import StrataRowStore

/// Resolves a conflict of one object that others have saved too, by a policy.
struct VersionResolution {
  let object: NSManagedObject
  let type: NSMergePolicyType
  private let stored: Row?

  /// Reads the row if a conflict created by the program does not have it.
  /// - Throws: the store's error if the row cannot be read, which does not mean that it is gone.
  init(of conflict: NSMergeConflict, by type: NSMergePolicyType) throws {
    object = conflict.sourceObject
    self.type = type
    let isGone = conflict.newVersionNumber == 0
    stored = try conflict.stored ?? (isGone ? nil : object.readRow())
  }

  func resolve() {
    guard let context = object.context else { return }
    context.notifier.notifyingAtEnd {
      let notice = object.beginNoticeOfAll()
      defer { notice?.end() }
      resolve(in: context)
    }
  }

  private func resolve(in context: NSManagedObjectContext) {
    switch (object.life, stored) {
    case (.deleted, let row?): resolveDeletion(row, in: context)
    // Both sides deleted the row.
    case (.deleted, nil): object.flags.insert(.inaccessible)
    case (_, let row?): merge(row, in: context)
    case (_, nil): resolveLoss(context)
    }
  }

  // MARK: The row exists

  private func merge(_ row: Row, in context: NSManagedObjectContext) {
    object.materialize()
    if object.life == .inserted { object.life = .changed }
    switch type {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType: object.rebase(onto: row)
    case .mergeByPropertyStoreTrumpMergePolicyType: object.yield(to: row)
    case .rollbackMergePolicyType: object.rollBack(to: row)
    case .overwriteMergePolicyType: object.overwrite(row)
    }
    context.noteEvent(object, flags: object.hasPersistentChangedValues ? [] : .refreshedInEvent)
  }

  /// A policy that keeps the object's changes deletes the row; one that keeps the store's restores the object.
  private func resolveDeletion(_ row: Row, in context: NSManagedObjectContext) {
    switch type {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: object.ownEdits().snapshot = row
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      object.flags.remove([.propagated, .deletedInEvent])
      object.use(row.page, row: row.index)
      object.edits = nil
      object.life = .clean
      context.noteEvent(object, flags: .refreshedInEvent)
    }
  }

  // MARK: The row is gone

  /// A policy that keeps the object's changes inserts the row again; otherwise the object is deleted too.
  private func resolveLoss(_ context: NSManagedObjectContext) {
    let keeps = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    guard keeps, object.life == .changed else {
      for other in context.tracker.tracked { other.dropReferences(to: [object.rowID]) }
      context.markGone(object)
      return
    }
    let row = object.writableRow()
    row.page.setVersion(0, row: row.index)
    object.edits?.snapshot = nil
    object.life = .inserted
    context.noteEvent(object, flags: [])
  }
}

extension NSManagedObject {
  /// Returns the object's current row in its source; nil if it is gone.
  func readRow() throws -> Row? { try storeErrors { try context?.requireSource().rows(with: [rowID]).rows.first } }

  /// Adopts a newer row, and discards own changes of properties that the newer row changed too.
  func yield(to fresh: Row) {
    restoreSlots(from: fresh) { slot, snapshot in
      !fresh.page.isEqual(row: fresh.index, slot: slot, to: snapshot.page, row: snapshot.index)
    }
    rebase(onto: fresh)
  }

  /// Adopts a newer row, and discards all own changes.
  func rollBack(to fresh: Row) {
    let isEqual = committedRow.map { committed in
      layout.slots.indices.allSatisfy {
        layout.slots[$0].isTransient
          || fresh.page.isEqual(row: fresh.index, slot: $0, to: committed.page, row: committed.index)
      }
    }
    restoreSlots(from: fresh) { _, _ in true }
    revertLinks(keepingPairs: isEqual == true)
    rebase(onto: fresh)
  }

  /// Discards all changes.
  func rollBack() {
    guard let snapshot = edits?.snapshot else { return }
    restoreSlots(from: snapshot) { _, _ in true }
    revertLinks(keepingPairs: false)
    rebase(onto: snapshot)
  }

  /// Restores changed slots from another row.
  private func restoreSlots(from fresh: Row, where isWanted: (_ slot: Int, _ snapshot: Row) -> Bool) {
    guard let snapshot = edits?.snapshot, edits?.ownsRow == true else { return }
    for slot in layout.slots.indices where !layout.slots[slot].isTransient {
      let own = row
      let isChanged = !own.page.isEqual(row: own.index, slot: slot, to: snapshot.page, row: snapshot.index)
      if isChanged, isWanted(slot, snapshot) { restore(slot, from: fresh) }
    }
  }

  /// Sets a slot to its value in another row, and updates the inverse.
  func restore(_ slot: Int, from other: Row) {
    if layout.slots[slot].kind == .toOne {
      setTarget(context?.object(other.page.reference(row: other.index, slot: slot)), slot: slot)
    } else {
      let own = writableRow()
      own.page.copySlot(slot, to: own.index, from: other.page, row: other.index)
    }
  }

  /// Reverts changes of to-many relationships, except for those whose inverse is to-one: there, the members store the value
  /// and keep it.
  /// - Parameter keepsPairs: whether changes of many-to-many relationships stay, because others changed no value of this
  ///   object. Those of objects that are saved as new or deleted always stay.
  private func revertLinks(keepingPairs keepsPairs: Bool) {
    guard let context, let links = edits?.links else { return }
    for (number, state) in links.enumerated() {
      guard let state, state.isChanged else { continue }
      let inverse = layout.toMany[number].inverse
      if case .slot = inverse { continue }
      var hasPairs = false
      if case .toMany = inverse { hasPairs = true }
      var (removed, added) = state.difference
      // Members that only moved.
      let moved = Set(removed).intersection(added)
      removed.removeAll(where: moved.contains)
      added.removeAll(where: moved.contains)
      let stays = { (id: RowID) in
        hasPairs && (keepsPairs || [.inserted, .deleted].contains(context.object(id)?.life))
      }
      for id in added where !stays(id) { context.object(id).map { unlink($0, toMany: number) } }
      for id in removed where !stays(id) { context.object(id).map { link($0, toMany: number) } }
      edits?.links[number] = nil
      for id in removed where stays(id) { changeLinks(toMany: number) { $0.remove(id) } }
      for id in added where stays(id) { changeLinks(toMany: number) { $0.add(id) } }
    }
  }

  /// Keeps every value, to overwrite those of a newer row.
  func overwrite(_ fresh: Row) {
    willEdit()
    let own = writableRow()
    own.page.setVersion(fresh.version, row: own.index)
    edits?.snapshot = fresh
  }
}
