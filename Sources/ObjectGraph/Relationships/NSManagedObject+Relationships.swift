import Foundation
import StrataManagedModel
import StrataRowStore

/// To-one relationships, and what both ends of any relationship do for each other: they follow each other at once.
extension NSManagedObject {
  /// The object at the other end of a to-one relationship.
  func target(_ slot: Int) -> NSManagedObject? {
    materialize(slot)
    guard let page else { return nil }
    return related(page.reference(Int(rowIndex), slot))
  }

  /// Points a to-one relationship to another object, and keeps both inverses right.
  func setTarget(_ target: NSManagedObject?, _ slot: Int) {
    let notice = willTell(slot)
    defer { notice?.end() }
    willEdit()
    if let target { meet(target) }
    let old = page?.reference(Int(rowIndex), slot) ?? .none
    let new = target?.rowID ?? .none
    guard old != new else { return }
    let row = writableRow()
    row.page.setReference(new, row.index, slot)
    guard maintainsInverses else { return }
    let inverse = layout.slots[slot].inverse
    if let loser = related(old) { loser.inverseLost(self, inverse) }
    if let target { target.inverseGained(self, inverse) }
  }

  /// Whether a change of one end changes the other: not by primitive setters, and not while an object awakes.
  var maintainsInverses: Bool { context?.tracksChanges ?? true }

  func inverseGained(_ other: NSManagedObject, _ place: InversePlace) {
    switch place {
    case .none: break
    case .toMany(let number): gain(other, number)
    case .slot(let slot):
      let notice = willTell(slot)
      defer { notice?.end() }
      willEdit()
      meet(other)
      let old = page?.reference(Int(rowIndex), slot) ?? .none
      guard old != other.rowID else { return }
      let row = writableRow()
      row.page.setReference(other.rowID, row.index, slot)
      if let loser = related(old) { loser.inverseLost(self, layout.slots[slot].inverse) }
    }
  }

  func inverseLost(_ other: NSManagedObject, _ place: InversePlace) {
    switch place {
    case .none: break
    case .toMany(let number): lose(other, number)
    case .slot(let slot):
      willEdit()
      guard let page, page.reference(Int(rowIndex), slot) == other.rowID else { return }
      let notice = willTell(slot)
      let row = writableRow()
      row.page.setNil(row.index, slot)
      notice?.end()
    }
  }

  // MARK: Objects by their ids

  /// The object with an id at the other end of a relationship.
  @inline(__always)
  func related(_ id: RowID) -> NSManagedObject? {
    if let strays = edits?.strays, let stray = strays[id] { return stray }
    return readAhead == nil ? context?.member(id) : relatedObject(id)
  }

  /// Remembers an object that no context can find: neither of the two was inserted yet.
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
    edits.strays = (edits.strays ?? [:]).merging([other.rowID: other]) { _, new in new }
  }

  /// Like `willEdit`, but does not read a fault: its row is read when it is saved.
  func willTouch() {
    if ConcurrencyDebug.isOn { checkQueue(-1) }
    guard life == .fault else { return willEdit() }
    guard let context, context.tracksChanges else { return }
    context.journal?.note(self)
    context.list(self)
    context.noteEvent(self, [])
  }
}
