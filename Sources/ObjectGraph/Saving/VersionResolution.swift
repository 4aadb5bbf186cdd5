import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataRowStore

/// One object that others have saved too, and what a policy makes of it.
struct VersionResolution {
  let object: NSManagedObject
  let type: NSMergePolicyType
  private let stored: Row?

  /// A conflict that a program made itself does not know the row: it is read.
  /// - Throws: the store's error if the row cannot be read, which is not to be taken for a row that is gone.
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
    case (.deleted, let row?): resolveDeletion(row, context)
    // Both sides want the row gone, and it is.
    case (.deleted, nil): object.flags.insert(.inaccessible)
    case (_, let row?): merge(row, context)
    case (_, nil): resolveLoss(context)
    }
  }

  // MARK: The row is there

  private func merge(_ row: Row, _ context: NSManagedObjectContext) {
    object.materialize()
    if object.life == .inserted { object.life = .changed }
    switch type {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType: object.rebase(onto: row)
    case .mergeByPropertyStoreTrumpMergePolicyType: object.yield(to: row, everything: false)
    case .rollbackMergePolicyType: object.yield(to: row, everything: true)
    case .overwriteMergePolicyType: object.overwrite(row)
    }
    context.noteEvent(object, object.hasPersistentChangedValues ? [] : .refreshedInEvent)
  }

  /// A policy that keeps the object's changes deletes; one that keeps the store's brings the object back.
  private func resolveDeletion(_ row: Row, _ context: NSManagedObjectContext) {
    switch type {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: object.ownEdits().snapshot = row
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      object.flags.remove([.propagated, .deletedInEvent])
      object.adopt(row.page, row.index)
      object.edits = nil
      object.life = .clean
      context.noteEvent(object, .refreshedInEvent)
    }
  }

  // MARK: The row is gone

  /// A policy that keeps the object's changes writes the row again; else the object goes too.
  private func resolveLoss(_ context: NSManagedObjectContext) {
    let keeps = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    guard keeps, object.life == .changed else {
      for other in context.listed { other.dropReferences(to: [object.rowID]) }
      context.depart(object)
      return
    }
    let row = object.writableRow()
    row.page.setVersion(0, row.index)
    object.edits?.snapshot = nil
    object.life = .inserted
    context.noteEvent(object, [])
  }
}

extension NSManagedObject {
  /// The object's row as its source has it now; nil if it is gone.
  func readRow() throws -> Row? { try storeErrors { try context?.requireSource().rows(with: [rowID]).rows.first } }

  /// Takes a newer row, and gives up own changes: all of them, or those of properties that the newer row changed too.
  func yield(to fresh: Row, everything: Bool) {
    if let snapshot = edits?.snapshot, edits?.ownsRow == true {
      for slot in layout.slots.indices where !layout.slots[slot].isTransient {
        let own = row
        guard !own.page.isEqual(own.index, slot, to: snapshot.page, snapshot.index) else { continue }
        guard everything || !fresh.page.isEqual(fresh.index, slot, to: snapshot.page, snapshot.index) else { continue }
        restore(slot, from: fresh)
      }
    }
    if everything { takeBackLinks() }
    rebase(onto: fresh)
  }

  /// Gives a slot the value of another row, and keeps the inverse right.
  func restore(_ slot: Int, from other: Row) {
    if layout.slots[slot].kind == .toOne {
      setTarget(context?.object(other.page.reference(other.index, slot)), slot)
    } else {
      let own = writableRow()
      own.page.copySlot(slot, to: own.index, from: other.page, other.index)
    }
  }

  /// Undoes what happened to relationships that this object has to tell the store of. Members that say it themselves,
  /// by a to-one relationship, keep what they say.
  private func takeBackLinks() {
    guard let context, let links = edits?.links else { return }
    for (number, state) in links.enumerated() {
      guard let state, state.isChanged else { continue }
      if case .slot = layout.toMany[number].inverse { continue }
      let (removed, added) = state.difference
      for id in added { context.object(id).map { unlink($0, number) } }
      for id in removed { context.object(id).map { link($0, number) } }
      edits?.links[number] = nil
    }
  }

  /// Keeps every value, to be written over those of a newer row.
  func overwrite(_ fresh: Row) {
    willEdit()
    let own = writableRow()
    own.page.setVersion(fresh.version, own.index)
    edits?.snapshot = fresh
  }
}
