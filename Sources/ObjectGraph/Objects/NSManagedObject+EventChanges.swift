import Foundation
import StrataManagedModel
import StrataRowStore

/// An unsaved object as it was when the current event began.
struct EventStart {
  /// nil if the object still used the committed row.
  var row: Row?
  /// The members of the relationships that had changed and were known, by relationship number.
  var links: [Int: [RowID]]
}

extension NSManagedObject {
  /// Records the state of an object with unsaved changes when a new event begins.
  @inline(never)
  func startEvent(_ edits: ObjectEdits) {
    var links: [Int: [RowID]] = [:]
    for (number, state) in edits.links.enumerated() where state?.isChanged == true {
      links[number] = state?.members?.ids
    }
    guard edits.ownsRow || !links.isEmpty else { return }
    edits.eventStart = EventStart(row: edits.ownsRow ? row.copy() : nil, links: links)
  }

  /// Returns the *old* values of properties that changed since the last `NSManagedObjectContextObjectsDidChange`, or,
  /// while it is being posted, that it reports.
  ///
  /// Values are by property name, with `NSNull` for nil. For an object that was inserted since, every property it now
  /// has is included.
  ///
  /// Apple's pages contradict each other: one mentions new values, the Objective-C reference and the header old ones.
  /// This follows the header. See
  /// <https://developer.apple.com/documentation/coredata/nsmanagedobject/changedvaluesforcurrentevent()>
  public func changedValuesForCurrentEvent() -> [String: Any] {
    guard life.isPending || isTouchedFault else { return [:] }
    if flags.contains(.inEvent) {
      return changedValues(since: edits?.eventStart, isNew: flags.contains(.insertedInEvent))
    }
    guard let reported = context?.notifier.reported, let isNew = reported.isNew(self) else { return [:] }
    return changedValues(since: reported.event.starts[ObjectIdentifier(self)], isNew: isNew)
  }

  /// - Parameter start: the object at the beginning of the event; nil if it had no changes then.
  private func changedValues(since start: EventStart?, isNew: Bool) -> [String: Any] {
    var values: [String: Any] = [:]
    if let page {
      let row = isNew ? nil : start?.row ?? edits?.snapshot
      for slot in layout.slots.indices where layout.slots[slot].kind != .object {
        if let row {
          guard !page.isEqual(row: rowIndex, slot: slot, to: row.page, row: row.index) else { continue }
          note(slot, in: &values) { value($0, in: row) }
        } else if isNew, !page.isNil(row: rowIndex, slot: slot) {
          values[layout.slots[slot].ownerName] = NSNull()
        }
      }
    }
    for number in layout.toMany.indices where edits?.links[number]?.isChanged == true {
      let now = linkedIDs(number)
      let then = isNew ? [] : start?.links[number] ?? edits?.links[number]?.base ?? []
      if now != then { values[layout.toMany[number].name] = collection(then, toMany: number) }
    }
    return values
  }

  /// Returns the value of a slot in another row of the object.
  func value(_ slot: Int, in row: Row) -> Any? {
    switch layout.slots[slot].kind {
    case .toOne: related(row.page.reference(row: row.index, slot: slot))
    case .transformable:
      row.page.isNil(row: row.index, slot: slot)
        ? nil : TransformedValue.decode(row.page.bytes(row: row.index, slot: slot), of: layout.slots[slot])
    default: publicValue(of: row, slot: slot)
    }
  }

  /// Returns objects in the form in which a to-many relationship is read.
  func collection(_ ids: [RowID], toMany number: Int) -> Any {
    let objects = ids.compactMap(related)
    return layout.toMany[number].relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
  }
}
