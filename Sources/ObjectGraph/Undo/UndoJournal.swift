import StrataFoundationGaps
import StrataRowStore

/// What the objects of an event were before it. A context keeps a journal only while it has an undo manager.
final class UndoJournal {
  let manager: UndoManager
  private(set) var entries: [EarlierState] = []
  private var places: [ObjectIdentifier: Int] = [:]

  init(for manager: UndoManager) { self.manager = manager }

  var isEmpty: Bool { entries.isEmpty }

  /// Notes an object that is about to change, once an event. The row of a fault is noted when it has been read.
  func note(_ object: NSManagedObject) {
    if let place = places[ObjectIdentifier(object)] {
      if entries[place].row == nil, entries[place].isPresent { entries[place].row = object.rowToNote }
    } else {
      note(object, EarlierState(of: object))
    }
  }

  /// Notes an object that a child context inserted.
  func noteBirth(of object: NSManagedObject) {
    guard places[ObjectIdentifier(object)] == nil else { return }
    note(object, EarlierState(object: object, isPresent: false))
  }

  private func note(_ object: NSManagedObject, _ state: EarlierState) {
    places[ObjectIdentifier(object)] = entries.count
    entries.append(state)
  }

  /// The notes of the event, which ends here.
  func take() -> [EarlierState] {
    defer { clear() }
    return entries
  }

  func clear() {
    entries.removeAll()
    places.removeAll()
  }
}

/// An object as it was before the event.
struct EarlierState {
  let object: NSManagedObject
  /// Whether it was an object of the context that no save was to delete.
  var isPresent: Bool
  /// nil while the object was a fault.
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
    links = object.edits.map { Array($0.links) } ?? []
    objects = object.edits?.objects ?? [:]
  }
}

extension NSManagedObject {
  /// Whether the object belongs to its context, and will after the next save.
  var isPresent: Bool { life != .detached && life != .deleted }

  /// The row as it is now; a copy of one that is changed in place.
  fileprivate var rowToNote: Row? {
    guard let page, life != .fault else { return nil }
    let row = Row(page: page, index: Int(rowIndex))
    return edits?.ownsRow == true ? row.copy() : row
  }
}
