import Foundation
import StrataManagedModel
import StrataRowStore

/// To-one relationships, and how both ends of any relationship update each other immediately.
extension NSManagedObject {
  /// Returns the object at the other end of a to-one relationship.
  func target(_ slot: Int) -> NSManagedObject? {
    materialize(slot)
    guard let page else { return nil }
    return related(page.reference(row: rowIndex, slot: slot))
  }

  /// Sets a to-one relationship, and updates both inverses.
  func setTarget(_ target: NSManagedObject?, slot: Int) {
    let notice = beginNotice(slot)
    defer { notice?.end() }
    willEdit()
    if let target { meet(target) }
    let old = page?.reference(row: rowIndex, slot: slot) ?? .none
    let new = target?.rowID ?? .none
    guard old != new, !isUnread, canChangeTarget(slot, from: old, to: target) else { return }
    let row = writableRow()
    row.page.setReference(new, row: row.index, slot: slot)
    guard maintainsInverses else { return }
    let inverse = layout.slots[slot].inverse
    if let loser = related(old) { loser.inverseLost(self, at: inverse) }
    if let target { target.inverseGained(self, at: inverse) }
  }

  /// Whether a change of one end updates the other: not by primitive setters, and not while an object awakes.
  var maintainsInverses: Bool { context?.tracker.isRecording ?? true }

  func inverseGained(_ other: NSManagedObject, at location: InverseLocation) {
    switch location {
    case .none: break
    case .toMany(let number): gain(other, toMany: number)
    case .slot(let slot):
      let notice = beginNotice(slot)
      defer { notice?.end() }
      willEdit()
      meet(other)
      let old = page?.reference(row: rowIndex, slot: slot) ?? .none
      guard old != other.rowID, !isUnread else { return }
      let row = writableRow()
      row.page.setReference(other.rowID, row: row.index, slot: slot)
      if let loser = related(old) { loser.inverseLost(self, at: layout.slots[slot].inverse) }
    }
  }

  func inverseLost(_ other: NSManagedObject, at location: InverseLocation) {
    switch location {
    case .none: break
    case .toMany(let number): lose(other, toMany: number)
    case .slot(let slot):
      willEdit()
      guard let page, page.reference(row: rowIndex, slot: slot) == other.rowID else { return }
      let notice = beginNotice(slot)
      let row = writableRow()
      row.page.setNil(row: row.index, slot: slot)
      notice?.end()
    }
  }

  // MARK: Objects by their IDs

  /// Returns the object with an ID at the other end of a relationship.
  @inline(__always)
  func related(_ id: RowID) -> NSManagedObject? {
    if let heldEdits, let target = heldEdits._withUnsafeGuaranteedRef({ $0.detachedTargets?[id] }) { return target }
    return prefetchCache == nil ? context?.member(id) : relatedObject(id)
  }

  /// Keeps an object that no context can find, because neither of the two was inserted yet.
  @inline(__always)
  func meet(_ other: NSManagedObject) {
    guard context == nil else { return }
    remember(other)
  }

  @inline(never)
  private func remember(_ other: NSManagedObject) {
    for object in [self, other] where object.rowID == .none {
      object.rowID = .temporary(entity: object.layout.number)
    }
    let edits = ownEdits()
    edits.detachedTargets = (edits.detachedTargets ?? [:]).merging([other.rowID: other]) { _, new in new }
  }

  /// Like `willEdit`, but does not fire a fault: its row is read when it is saved.
  func willTouch() {
    if ConcurrencyDebug.isOn { checkQueue(-1) }
    guard life == .fault else { return willEdit() }
    guard let context, context.tracker.isRecording else { return }
    context.journal?.note(self)
    context.tracker.track(self)
    context.noteEvent(self, flags: [])
  }
}
