import Foundation
import StrataCoreDataErrors
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
    context.tellingAtEnd {
      let notice = object.willTellAll()
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
    case .mergeByPropertyStoreTrumpMergePolicyType: object.yield(to: row, everything: false)
    case .rollbackMergePolicyType: object.yield(to: row, everything: true)
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
      object.adopt(row.page, row: row.index)
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
      for other in context.listed { other.dropReferences(to: [object.rowID]) }
      context.depart(object)
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

  /// Adopts a newer row, and discards own changes: all of them, or those of properties that the newer row changed too.
  func yield(to fresh: Row, everything: Bool) {
    if let snapshot = edits?.snapshot, edits?.ownsRow == true {
      for slot in layout.slots.indices where !layout.slots[slot].isTransient {
        let own = row
        guard !own.page.isEqual(row: own.index, slot: slot, to: snapshot.page, row: snapshot.index) else { continue }
        guard everything || !fresh.page.isEqual(row: fresh.index, slot: slot, to: snapshot.page, row: snapshot.index)
        else { continue }
        restore(slot, from: fresh)
      }
    }
    if everything { revertLinks() }
    rebase(onto: fresh)
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

  /// Reverts changes of relationships that this object writes to the store. Members that write it themselves, by a
  /// to-one relationship, keep their values.
  private func revertLinks() {
    guard let context, let links = edits?.links else { return }
    for (number, state) in links.enumerated() {
      guard let state, state.isChanged else { continue }
      if case .slot = layout.toMany[number].inverse { continue }
      let (removed, added) = state.difference
      for id in added { context.object(id).map { unlink($0, toMany: number) } }
      for id in removed { context.object(id).map { link($0, toMany: number) } }
      edits?.links[number] = nil
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
