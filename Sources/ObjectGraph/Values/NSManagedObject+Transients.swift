import Foundation
import StrataManagedModel
import StrataRowStore

/// Values that no store has: an object keeps them until it is turned into a fault.
extension NSManagedObject {
  /// Gives the transient attributes of an object that was read their default values, as part of its committed row.
  @inline(never)
  func applyTransientDefaults(in context: NSManagedObjectContext) {
    applyDefaultObjects()
    guard let defaults = context.defaultRow(for: self), edits?.ownsRow != true else { return }
    let copy = row.copy()
    for slot in layout.transientDefaults
    where layout.kinds[slot] != .object && copy.page.isNil(row: copy.index, slot: slot) {
      copy.page.copySlot(slot, to: copy.index, from: defaults, row: 0)
    }
    use(copy.page, row: copy.index)
  }

  /// Gives transient attributes of undefined type their default values, unless they have a value.
  func applyDefaultObjects() {
    for slot in layout.transientDefaults where layout.kinds[slot] == .object {
      let edits = ownEdits()
      if edits.objects[slot] == nil { edits.objects[slot] = layout.slots[slot].defaultValue }
    }
  }

  /// Whether a transient property has no value, and had none when the object was read: stores do not provide one, so it
  /// is not required before the program sets it.
  func hasUnreadTransient(_ slot: Int) -> Bool {
    guard layout.slots[slot].isTransient, !flags.contains(.neverSaved) else { return false }
    if layout.kinds[slot] == .object { return edits?.objects[slot] == nil }
    guard let page, page.isNil(row: rowIndex, slot: slot) else { return false }
    return edits?.snapshot.map { $0.page.isNil(row: $0.index, slot: slot) } ?? true
  }

  /// Resolves transient relationships that changed before they were read: after the save, their members are known
  /// nowhere else.
  func keepTransientMembers() {
    for number in layout.transientToMany where edits?.links[number]?.isChanged == true { resolveLinks(number) }
  }

  /// Discards everything unsaved. Transient values return to those after the last save.
  func revertEdits() {
    let members = layout.transientToMany.compactMap { number in edits?.links[number]?.base.map { (number, $0) } }
    edits = nil
    for (number, base) in members { resolveLinks(toMany: number, base: base, stamp: stamped(number).stamp) }
    applyDefaultObjects()
  }

  /// Adopts the row that triggers left; returns false if it equals the saved one.
  func applyTriggeredRow(_ fresh: Row) -> Bool {
    guard life == .clean, let page else { return false }
    let isSame = layout.slots.indices.allSatisfy {
      layout.slots[$0].isTransient || page.isEqual(row: rowIndex, slot: $0, to: fresh.page, row: fresh.index)
    }
    guard !isSame || page.version(rowIndex) != fresh.version else { return false }
    let notice = beginNoticeOfAll()
    let fresh = fresh.keepingTransients(of: row)
    use(fresh.page, row: fresh.index)
    notice?.end()
    return true
  }
}

extension Row {
  /// The row without transient values; the row itself if it does not have any.
  var storedPart: Row {
    let own = layout.transientSlots.filter { layout.kinds[$0] != .object && !page.isNil(row: index, slot: $0) }
    guard !own.isEmpty else { return self }
    let copy = copy()
    for slot in own { copy.page.setNil(row: copy.index, slot: slot) }
    return copy
  }

  /// Returns a stored row with the transient values of another row of the object; the stored row itself without any.
  func keepingTransients(of old: Row) -> Row {
    let kept = layout.slots.indices.filter { layout.slots[$0].isTransient && !old.page.isNil(row: old.index, slot: $0) }
    guard !kept.isEmpty else { return self }
    let copy = copy()
    for slot in kept { copy.page.copySlot(slot, to: copy.index, from: old.page, row: old.index) }
    return copy
  }
}

extension NSManagedObjectContext {
  /// The values of the transient attributes of undefined type of a batch's objects, which the batch does not contain.
  func objectValues(of batch: ChangeBatch) -> [(object: RowID, values: [Int: Any])] {
    let ids = (batch.inserted + batch.updated.map(\.row)).filter { !$0.layout.objectSlots.isEmpty }.map(\.id)
    return ids.compactMap { id in
      guard let values = registry.object(id)?.edits?.objects, !values.isEmpty else { return nil }
      return (id, values)
    }
  }

  /// Adopts such values from a child.
  func applyValues(_ values: [(object: RowID, values: [Int: Any])]) {
    for (id, values) in values { object(id)?.ownEdits().objects.merge(values) { $1 } }
  }
}
