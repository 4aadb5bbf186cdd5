import Foundation
import ManagedModel
import RowStore

extension NSManagedObjectContext {
  /// Reads an object anew: with `mergeChanges` its unsaved changes are put on top, without it they are lost and the
  /// object becomes a fault.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    checkQueue()
    guard object.context === self, object.life != .inserted else { return }
    if flag {
      refresh([object])
    } else {
      unlist(object)
      object.turnIntoFault()
    }
    noteEvent(object, .refreshedInEvent)
  }

  /// Reads every object that the context knows anew, and keeps unsaved changes.
  public func refreshAllObjects() {
    checkQueue()
    let objects = registry.objects().filter { $0.life != .inserted }
    refresh(objects)
    for object in objects { noteEvent(object, .refreshedInEvent) }
  }

  /// Reads the rows of objects in one go. Faults forget the row that they came with; objects whose rows are gone keep
  /// what they have until a save or a fault finds out. If the rows cannot be read now, objects without changes become
  /// faults, which read again when they are asked; the others keep their changes, and a save tests their versions.
  func refresh(_ objects: [NSManagedObject]) {
    registerPendingUndo()
    for object in objects where object.life == .fault {
      object.page = nil
      object.forgetUnchangedLinks()
    }
    let known = objects.filter { $0.life == .clean || $0.life == .changed || $0.life == .deleted }
    guard !known.isEmpty else { return }
    guard let rows = try? requireSource().rows(with: known.map(\.rowID)) else {
      for object in known where object.life == .clean { object.turnIntoFault() }
      return
    }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)) else { return }
      object.rebase(onto: Row(page: page, index: index))
      withoutChangeTracking { object.awake(fromSnapshotEvents: .refresh) }
    }
  }

  /// Forgets every unsaved change.
  public func rollback() {
    checkQueue()
    processPendingChanges()
    let pending = listed
    listed = []
    checked = []
    deletions = []
    scratch.removeAll()
    for object in pending {
      object.marks.remove([.listed, .propagated])
      object.revert()
      if object.life == .clean { withoutChangeTracking { object.awake(fromSnapshotEvents: .rollback) } }
      // What was new is gone, for whoever was told of it.
      noteEvent(object, object.life == .detached ? .deletedInEvent : .refreshedInEvent)
    }
    processPendingChanges()
    forgetUndo()
  }

  /// Forgets every object and change; objects that the program still holds are of no more use.
  public func reset() {
    checkQueue()
    let objects = registry.objects()
    let ids = objects.map(\.objectID)
    listed = []
    checked = []
    event = []
    deletions = []
    scratch.removeAll()
    retiredIDs.forget()
    for object in objects { object.detach() }
    forgetUndo()
    advanceGeneration()
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: ids])
  }

  func unlist(_ object: NSManagedObject) {
    guard object.marks.contains(.listed) else { return }
    object.marks.remove(.listed)
    listed.removeAll { $0 === object }
    deletions.removeAll { $0 === object }
  }
}

extension NSManagedObject {
  /// Takes a newer row as what the store has, with this object's unsaved changes on top.
  func rebase(onto fresh: Row) {
    guard let edits, let snapshot = edits.snapshot, edits.ownsRow else {
      let fresh = keepingTransients(fresh)
      adopt(fresh.page, fresh.index)
      edits?.snapshot = nil
      forgetUnchangedLinks()
      return
    }
    let own = row
    for slot in layout.slots.indices
    where !layout.slots[slot].isTransient
      && own.page.isEqual(own.index, slot, to: snapshot.page, snapshot.index)
    {
      own.page.copySlot(slot, to: own.index, from: fresh.page, fresh.index)
    }
    own.page.setVersion(fresh.version, own.index)
    edits.snapshot = fresh
    forgetUnchangedLinks()
  }

  /// A row as the store has it, with this object's transient values: those of the row itself if it has none.
  private func keepingTransients(_ fresh: Row) -> Row {
    guard let page else { return fresh }
    let kept = layout.slots.indices.filter { layout.slots[$0].isTransient && !page.isNil(Int(rowIndex), $0) }
    guard !kept.isEmpty else { return fresh }
    let copy = fresh.copy()
    for slot in kept { copy.page.copySlot(slot, to: copy.index, from: page, Int(rowIndex)) }
    return copy
  }

  /// To-many relationships are asked for again; changes to them stay.
  func forgetUnchangedLinks() {
    readAhead = nil
    guard let edits else { return }
    edits.fetched = nil
    for number in edits.links.indices {
      if edits.links[number]?.isChanged == true {
        edits.links[number]?.forgetMembers()
      } else {
        edits.links[number] = nil
      }
    }
    if !edits.ownsRow, edits.objects.isEmpty, edits.links.allSatisfy({ $0 == nil }) { self.edits = nil }
  }

  /// Goes back to what was last read or saved.
  func revert() {
    switch life {
    case .inserted: detach()
    case .deleted where marks.contains(.neverSaved): detach()
    case .changed, .deleted:
      if let snapshot = edits?.snapshot { adopt(snapshot.page, snapshot.index) }
      edits = nil
      life = page == nil || marks.contains(.inaccessible) ? .fault : .clean
      if life == .fault { page = nil }
      marks.remove([.inaccessible, .deletedUnread])
    case .fault: edits = nil
    case .detached, .clean: break
    }
  }
}
