import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore

extension NSManagedObjectContext {
  /// The undo manager of the context. Default: nil, for no undo.
  ///
  /// Each `processPendingChanges()` registers one action for everything that changed since the last one, in a group of
  /// its own if none is open. To make a change that cannot be undone, call `processPendingChanges()`,
  /// `disableUndoRegistration()`, make the change, and call `processPendingChanges()` and `enableUndoRegistration()`.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()  // Otherwise undo() has no effect.
  /// quake.place = "Tonga"
  /// context.undo()
  /// context.redo()
  /// print(quake.place)  // Tonga
  /// ```
  public var undoManager: UndoManager? {
    get { journal?.manager }
    set {
      registerPendingUndo()
      journal?.manager.remove(client: ObjectIdentifier(self))
      journal = newValue.map(UndoJournal.init)
      newValue?.add(client: ObjectIdentifier(self)) { [reference = ContextReference(self)] in
        guard let context = reference.context else { return false }
        context.registerPendingUndo()
        return true
      }
    }
  }

  func undoEvent() {
    checkQueue("undo()")
    endEvent()
    undoManager?.undo()
  }

  func redoEvent() {
    checkQueue("redo()")
    endEvent()
    undoManager?.redo()
  }

  // MARK: Registering

  /// Registers the changes made since changes were last processed.
  func registerPendingUndo() {
    if journal?.isEmpty == false { endEvent() }
  }

  /// Registers one action for the event that ends.
  func registerUndo() {
    guard let journal, !journal.isEmpty else { return }
    let entries = journal.drain()
    let manager = journal.manager
    guard manager.isUndoRegistrationEnabled else { return }
    // An unsaved object that is gone is found by its last ID.
    let known = Dictionary(entries.map { ($0.object.rowID, $0.object) }) { first, _ in first }
    let changes = entries.compactMap { UndoableChange($0) { known[$0] ?? self.object($0) } }
    guard !changes.isEmpty else { return }
    let needsGroup = manager.groupingLevel == 0 && !manager.groupsByEvent
    if needsGroup { manager.beginUndoGrouping() }
    manager.registerUndo(withTarget: self) { $0.undo(changes) }
    if needsGroup { manager.endUndoGrouping() }
  }

  /// Removes this context's actions from the undo manager.
  func forgetUndo() {
    journal?.clear()
    journal?.manager.removeAllActions(withTarget: self)
  }

  /// Ends the event for the undo manager too, unless it still has changes to register.
  func endUndoEvent() {
    if let journal, journal.isEmpty { journal.manager.endEvent() }
  }

  // MARK: Undoing

  /// Reverts changes: first restores objects, then values and relationships, and finally removes inserted objects, when
  /// nothing leads to them any more. The changes made here are registered for redo.
  private func undo(_ changes: [UndoableChange]) {
    detachGone()
    let changed = notifier.notifyingAtEnd { revert(changes) }
    endEvent()
    unmarkUnchanged(changed)
  }

  /// - Returns: the objects whose earlier values were restored.
  private func revert(_ changes: [UndoableChange]) -> [NSManagedObject] {
    let lost = changes.filter { $0.kind == .deletion && bringBack($0) }
    let changed = changes.filter { $0.kind == .update && $0.object.context === self && $0.object.isPresent }
    for change in lost + changed { restore(change) }
    let born = changes.filter { $0.kind == .insertion && $0.object.context === self && $0.object.isPresent }
    withdraw(born.map(\.object))
    withoutChangeTracking {
      for change in lost { change.object.awake(fromSnapshotEvents: .undoDeletion) }
      for change in changed where change.object.life != .fault {
        change.object.awake(fromSnapshotEvents: .undoUpdate)
      }
    }
    return (lost + changed).map(\.object)
  }

  /// Restores a deleted object; returns whether that was possible. If its deletion was saved, it is inserted again.
  private func bringBack(_ change: UndoableChange) -> Bool {
    let object = change.object
    if object.life == .deleted, object.context === self, !object.flags.contains(.inaccessible) {
      object.materialize()
      if object.isUnread { return false }
      journal?.note(object)
      tracker.removeDeletion(object)
      object.life = object.flags.contains(.neverSaved) ? .inserted : .changed
      object.flags.remove([.propagated, .deletedInEvent])
      noteEvent(object, flags: .insertedInEvent)
      object.clearTargets()
      return true
    }
    guard object.life == .detached, let row = change.row else { return false }
    insert(object, again: row)
    return true
  }

  /// Inserts an object that was in the context before, with its earlier attributes.
  private func insert(_ object: NSManagedObject, again row: Row) {
    journal?.note(object)
    let liveOrders = object.edits?.liveOrders
    object.edits = nil
    object.ownEdits().liveOrders = liveOrders
    enter(object, as: canReuse(object.rowID) ? object.rowID : .temporary(entity: object.layout.number))
    let page = tracker.unsavedRows.page(for: object.layout)
    object.use(page, row: page.append(copyOf: row.page, row.index))
    page.setID(object.rowID, row: object.rowIndex)
    page.setVersion(0, row: object.rowIndex)
    for (slot, property) in object.layout.slots.enumerated() where property.kind == .toOne {
      page.setNil(row: object.rowIndex, slot: slot)
    }
    object.ownEdits().ownsRow = true
    // It has no members until they are linked again: those that still lead to it are not read.
    for number in object.layout.toMany.indices {
      object.resolveLinks(toMany: number, base: [], stamp: object.stamped(number).stamp)
    }
    tracker.track(object)
    noteEvent(object, flags: .insertedInEvent)
  }

  /// Whether an object can be inserted again with the ID that it had: no row has the ID, and no parent is about to delete
  /// the object with the ID, as after a child saved that deletion.
  private func canReuse(_ id: RowID) -> Bool {
    id.isTemporary && (source as? ParentSource)?.isDeleted(id) != true
  }

  /// Restores earlier values and relationships, on both ends, without custom accessors.
  private func restore(_ change: UndoableChange) {
    let object = change.object
    let notices = (change.attributes + change.objects.map(\.slot)).compactMap(object.beginNotice)
    defer { for notice in notices { notice.end() } }
    if let earlier = change.row, !change.attributes.isEmpty {
      object.willEdit()
      let row = object.writableRow()
      for slot in change.attributes { row.page.copySlot(slot, to: row.index, from: earlier.page, row: earlier.index) }
    }
    for (slot, value) in change.objects {
      object.willEdit()
      if !object.isUnread { object.ownEdits().objects[slot] = value }
    }
    for (slot, target) in change.targets { object.setTarget(present(target), slot: slot) }
    for links in change.links { restore(links, of: object) }
  }

  private func restore(_ links: UndoableChange.Links, of object: NSManagedObject) {
    for other in links.added where present(other) != nil { object.unlink(other, toMany: links.number) }
    for other in links.removed where present(other) != nil { object.link(other, toMany: links.number) }
    guard let order = links.order else { return }
    let now = object.linkedObjects(links.number)
    let earlier = order.filter { now.contains($0) }
    // Members that others added in the meantime come after the rest.
    let sorted = earlier + now.filter { !earlier.contains($0) }
    if sorted != now { object.arrangeLinks(links.number, as: sorted) }
  }

  private func present(_ object: NSManagedObject?) -> NSManagedObject? {
    guard let object, object.context === self, object.isPresent else { return nil }
    return object
  }

  /// Reverts insertions. Delete rules are not applied: nothing that existed before may be deleted.
  private func withdraw(_ objects: [NSManagedObject]) {
    for object in objects {
      // A redo inserts the object again with its values.
      object.materialize()
      guard object.isPresent else { continue }
      withoutChangeTracking { object.awake(fromSnapshotEvents: .undoInsertion) }
      journal?.note(object)
      object.leaveInverses()
      object.life = .deleted
      object.flags.insert(.propagated)
      tracker.track(object)
      noteEvent(object, flags: .deletedInEvent)
    }
    let unsaved = objects.filter { $0.flags.contains(.neverSaved) }
    if !unsaved.isEmpty { forget(unsaved) }
  }

  /// Unmarks objects that equal their stored state again.
  private func unmarkUnchanged(_ objects: [NSManagedObject]) {
    tracker.untrackKeepingDeletions(objects.filter { $0.context === self && $0.cancelChanges() })
  }
}

extension NSManagedObject {
  /// Clears the to-one relationships whose other ends were updated by the deletion, so that restoring them updates both
  /// ends again.
  fileprivate func clearTargets() {
    for slot in layout.toOneSlots where layout.slots[slot].inverse != .none {
      let row = writableRow()
      row.page.setNil(row: row.index, slot: slot)
    }
  }

  /// Removes the object from the relationships that lead to it.
  fileprivate func leaveInverses() {
    for (slot, property) in layout.slots.enumerated() where property.kind == .toOne {
      target(slot)?.inverseLost(self, at: property.inverse)
    }
    for (number, property) in layout.toMany.enumerated() where property.inverse != .none {
      for target in linkedObjects(number) { target.inverseLost(self, at: property.inverse) }
    }
  }

  /// Discards changes without effect; returns whether that was possible.
  fileprivate func cancelChanges() -> Bool {
    guard life == .changed || life == .fault, flags.contains(.tracked), let edits, edits.objects.isEmpty,
      edits.links.allSatisfy({ $0?.comesToNothing ?? true }), changedSlots().isEmpty
    else { return false }
    for number in edits.links.indices { edits.links[number]?.dropChanges() }
    if let snapshot = edits.snapshot { use(snapshot.page, row: snapshot.index) }
    edits.snapshot = nil
    edits.ownsRow = false
    if life == .changed { life = .clean }
    return true
  }
}
