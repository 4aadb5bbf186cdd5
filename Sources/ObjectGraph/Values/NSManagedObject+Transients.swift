import Foundation
import StrataManagedModel
import StrataRowStore

/// Values that no store has: they are an object's for as long as it is no fault.
extension NSManagedObject {
  /// Gives transient attributes of an object that was read their default values, as part of the row that it goes back to.
  @inline(never)
  func takeTransientDefaults(in context: NSManagedObjectContext) {
    takeDefaultObjects()
    guard let template = context.template(for: self), edits?.ownsRow != true else { return }
    let copy = row.copy()
    for slot in layout.transientDefaults where layout.kinds[slot] != .object && copy.page.isNil(copy.index, slot) {
      copy.page.copySlot(slot, to: copy.index, from: template, 0)
    }
    adopt(copy.page, copy.index)
  }

  /// Gives transient attributes of undefined type their default values, unless they have others.
  func takeDefaultObjects() {
    for slot in layout.transientDefaults where layout.kinds[slot] == .object {
      let edits = ownEdits()
      if edits.objects[slot] == nil { edits.objects[slot] = layout.slots[slot].defaultValue }
    }
  }

  /// Whether a transient property of an object that was read has no value, and had none when it was read: no store could
  /// say one, so none is required before the program sets it.
  func hasUnreadTransient(_ slot: Int) -> Bool {
    guard layout.slots[slot].isTransient, !flags.contains(.neverSaved) else { return false }
    if layout.kinds[slot] == .object { return edits?.objects[slot] == nil }
    guard let page, page.isNil(Int(rowIndex), slot) else { return false }
    return edits?.snapshot.map { $0.page.isNil($0.index, slot) } ?? true
  }

  /// Makes the members of transient relationships known that changed before anybody asked for them: nobody else knows them
  /// once the changes are saved.
  func keepTransientMembers() {
    for number in layout.transientToMany where edits?.links[number]?.isChanged == true { resolveLinks(number) }
  }

  /// Forgets all that is not saved. What nobody else knows goes back to what it was after the last save.
  func revertEdits() {
    let members = layout.transientToMany.compactMap { number in edits?.links[number]?.base.map { (number, $0) } }
    edits = nil
    for (number, base) in members { resolveLinks(number, base) }
    takeDefaultObjects()
  }

  /// Takes the row that triggers left of the one that was saved; false if it is the same.
  func takeTriggeredRow(_ fresh: Row) -> Bool {
    guard life == .clean, let page else { return false }
    let isSame = layout.slots.indices.allSatisfy {
      layout.slots[$0].isTransient || page.isEqual(Int(rowIndex), $0, to: fresh.page, fresh.index)
    }
    guard !isSame || page.version(Int(rowIndex)) != fresh.version else { return false }
    let notice = willTellAll()
    let fresh = fresh.keepingTransients(of: row)
    adopt(fresh.page, fresh.index)
    notice?.end()
    return true
  }
}

extension Row {
  /// The row without what no store has: itself if it has nothing of that kind.
  var storedPart: Row {
    let own = layout.transientSlots.filter { layout.kinds[$0] != .object && !page.isNil(index, $0) }
    guard !own.isEmpty else { return self }
    let copy = copy()
    for slot in own { copy.page.setNil(copy.index, slot) }
    return copy
  }

  /// A row as the store has it, with the transient values of another row of the object: itself if that has none.
  func keepingTransients(of old: Row) -> Row {
    let kept = layout.slots.indices.filter { layout.slots[$0].isTransient && !old.page.isNil(old.index, $0) }
    guard !kept.isEmpty else { return self }
    let copy = copy()
    for slot in kept { copy.page.copySlot(slot, to: copy.index, from: old.page, old.index) }
    return copy
  }
}

extension NSManagedObjectContext {
  /// The values of transient attributes of undefined type of the objects of a batch, which the batch does not have.
  func objectValues(of batch: ChangeBatch) -> [(object: RowID, values: [Int: Any])] {
    let ids = (batch.inserted + batch.updated.map(\.row)).filter { !$0.layout.objectSlots.isEmpty }.map(\.id)
    return ids.compactMap { id in
      guard let values = registry.object(id)?.edits?.objects, !values.isEmpty else { return nil }
      return (id, values)
    }
  }

  /// Takes such values over from a child.
  func take(_ values: [(object: RowID, values: [Int: Any])]) {
    for (id, values) in values { object(id)?.ownEdits().objects.merge(values) { $1 } }
  }
}
