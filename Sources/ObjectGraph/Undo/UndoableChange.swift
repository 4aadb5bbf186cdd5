import Foundation
import StrataManagedModel
import StrataRowStore

/// The changes of one object in an event, as needed to undo them. Refers to other objects by reference, not by
/// ID: IDs change when a new object is saved, and when a deleted one is restored.
struct UndoableChange {
  enum Kind { case insertion, deletion, update }

  /// The members that a to-many relationship lost and gained.
  struct Links {
    let number: Int
    var removed: [NSManagedObject] = []
    var added: [NSManagedObject] = []
    /// The earlier members of an ordered relationship.
    var order: [NSManagedObject]?
  }

  let object: NSManagedObject
  let kind: Kind
  /// The earlier row; nil if no value changed.
  var row: Row?
  /// The attributes whose earlier values are in `row`.
  var attributes: [Int] = []
  var targets: [(slot: Int, object: NSManagedObject?)] = []
  var links: [Links] = []
  var objects: [(slot: Int, value: Any?)] = []

  /// Returns nil if the object is unchanged.
  init?(_ earlier: EarlierState, resolving resolve: (RowID) -> NSManagedObject?) {
    object = earlier.object
    switch (earlier.isPresent, object.isPresent) {
    case (false, false): return nil
    case (false, true): kind = .insertion
    case (true, false):
      kind = .deletion
      noteValues(earlier)
      noteTargets(resolve)
      noteLinks(earlier, resolve: resolve)
    case (true, true):
      kind = .update
      noteValues(earlier)
      noteTargets(resolve)
      noteLinks(earlier, resolve: resolve)
    }
    if kind == .update, attributes.isEmpty, targets.isEmpty, links.isEmpty, objects.isEmpty { return nil }
  }

  /// Records the earlier values of slots: all of a deleted object's, otherwise those that changed.
  private mutating func noteValues(_ earlier: EarlierState) {
    row = earlier.row
    if let row {
      for (slot, property) in object.layout.slots.enumerated()
      where property.kind != .object && (kind == .deletion || object.differs(from: row, slot)) {
        if property.kind == .toOne { targets.append((slot, nil)) } else { attributes.append(slot) }
      }
    }
    let later = object.edits?.objects ?? [:]
    for slot in Set(earlier.objects.keys).union(later.keys) where !isSame(earlier.objects[slot], later[slot]) {
      objects.append((slot, earlier.objects[slot]))
    }
    if kind == .deletion { objects = earlier.objects.map { ($0.key, $0.value) } }
  }

  private func isSame(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = left as? NSObject else { return left == nil && right == nil }
    return left.isEqual(right)
  }

  private mutating func noteTargets(_ resolve: (RowID) -> NSManagedObject?) {
    guard let row else { return }
    targets = targets.map { ($0.slot, resolve(row.page.reference(row: row.index, slot: $0.slot))) }
  }

  /// For a deleted object, records every member of every relationship: it may be restored after it was saved.
  private mutating func noteLinks(_ earlier: EarlierState, resolve: (RowID) -> NSManagedObject?) {
    for (number, property) in object.layout.toMany.enumerated() {
      let isOrdered = property.relationship.isOrdered
      let before = earlier.links.indices.contains(number) ? earlier.links[number] : nil
      guard let after = object.linkState(number, isKnown: kind == .deletion) else {
        continue
      }
      var change = Links(number: number)
      if kind == .update {
        guard let difference = after.difference(since: before) else { continue }
        change.removed = difference.removed.compactMap(resolve)
        change.added = difference.added.compactMap(resolve)
      } else {
        change.removed = after.earlierIDs(before).compactMap(resolve)
        change.added = after.difference(since: before)?.added.compactMap(resolve) ?? []
      }
      if isOrdered { change.order = after.earlierIDs(before).compactMap(resolve) }
      if !change.removed.isEmpty || !change.added.isEmpty || isOrdered { links.append(change) }
    }
  }
}

extension NSManagedObject {
  fileprivate func differs(from earlier: Row, _ slot: Int) -> Bool {
    guard let page else { return false }
    return !page.isEqual(row: rowIndex, slot: slot, to: earlier.page, row: earlier.index)
  }

  /// Returns the state of a relationship; with its members if requested, even for an unsaved object that has left its
  /// context.
  fileprivate func linkState(_ number: Int, isKnown: Bool) -> RelationshipState? {
    let changes = edits?.links[number]?.isChanged == true
    guard isKnown || changes else { return nil }
    let isOrdered = layout.toMany[number].relationship.isOrdered
    if isKnown || isOrdered, life != .detached { resolveLinks(number) }
    var state = edits?.links[number] ?? RelationshipState(isOrdered: isOrdered)
    if life == .detached, state.members == nil { state.resolve(base: [], stamp: stamped(number).stamp) }
    return state
  }
}
