import StrataFoundationGaps
import StrataRowStore

/// The state of an event's objects before it. A context keeps a journal only while it has an undo manager.
final class UndoJournal {
  let manager: UndoManager
  private(set) var entries: [EarlierState] = []
  private var indexes: [ObjectIdentifier: Int] = [:]

  init(for manager: UndoManager) { self.manager = manager }

  var isEmpty: Bool { entries.isEmpty }

  /// Records an object that is about to change, once per event. The row of a fault is recorded when it has been read.
  func note(_ object: NSManagedObject) {
    if let index = indexes[ObjectIdentifier(object)] {
      if entries[index].row == nil, entries[index].isPresent { entries[index].row = object.rowToNote }
    } else {
      note(object, state: EarlierState(of: object))
    }
  }

  /// Records an object that a child context inserted.
  func noteBirth(of object: NSManagedObject) {
    guard indexes[ObjectIdentifier(object)] == nil else { return }
    note(object, state: EarlierState(object: object, isPresent: false))
  }

  private func note(_ object: NSManagedObject, state: EarlierState) {
    indexes[ObjectIdentifier(object)] = entries.count
    entries.append(state)
  }

  /// Ends the event, and returns its records.
  func drain() -> [EarlierState] {
    defer { clear() }
    return entries
  }

  func clear() {
    // The deinitializer of an object may change others, which adds entries.
    let before = entries
    (entries, indexes) = ([], [:])
    withExtendedLifetime(before) {}
  }
}

/// An object before the event.
struct EarlierState {
  let object: NSManagedObject
  /// Whether the object was in the context and not deleted.
  var isPresent: Bool
  /// nil if the object was a fault.
  var row: Row?
  var links: [RelationshipState?] = []
  var objects: [Int: Any] = [:]

  init(object: NSManagedObject, isPresent: Bool) {
    self.object = object
    self.isPresent = isPresent
  }

  init(of object: NSManagedObject) {
    self.init(object: object, isPresent: object.isPresent)
    guard isPresent else { return }
    row = object.rowToNote
    // Changes of outdated members become events, which the changes of this event follow.
    object.expireOutdatedLinks()
    links = object.heldEdits.map { $0._withUnsafeGuaranteedRef { Array($0.links) } } ?? []
    objects = object.heldEdits?._withUnsafeGuaranteedRef { $0.objects } ?? [:]
  }
}

extension NSManagedObject {
  /// Whether the object is in its context, and still will be after the next save.
  var isPresent: Bool { life != .detached && life != .deleted }

  /// The current row; a copy if it is changed in place.
  fileprivate var rowToNote: Row? {
    guard let page, life != .fault else { return nil }
    let row = Row(page: page, index: rowIndex)
    return ownsRow ? row.copy() : row
  }
}
