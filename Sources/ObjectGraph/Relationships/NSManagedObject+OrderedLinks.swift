import Foundation
import StrataManagedModel
import StrataRowStore

/// Ordered to-many relationships; indexes start at 0.
extension NSManagedObject {
  /// Inserts an object at an index; an existing member stays where it is, as in an `NSMutableOrderedSet`.
  func insertLink(_ other: NSManagedObject, at index: Int, toMany number: Int) {
    let failures = registry.failedReads
    let count = linkCount(number)
    guard registry.failedReads == failures else { return }
    requireIndex(index, below: count + 1, toMany: number)
    guard !isLinked(to: other, toMany: number) else { return willTouch() }
    guard canChangeLink(to: other, toMany: number, since: failures) else { return }
    let notice = beginNotice(toMany: number, kind: .insertion, member: other, at: index)
    defer { notice?.end() }
    willTouch()
    meet(other)
    changeLinks(toMany: number) { $0.insert(other.rowID, at: index) }
    follow(toMany: number) { $0.put(other, at: index) }
    if maintainsInverses { other.inverseGained(self, at: layout.toMany[number].inverse) }
  }

  func removeLink(at index: Int, _ number: Int) {
    guard let members = readableLinks(number) else { return }
    requireIndex(index, below: members.count, toMany: number)
    unlink(members[index], toMany: number)
  }

  /// Inserts objects so that each ends up at its index, the lowest index first.
  func insertLinks(_ others: [NSManagedObject], at indexes: IndexSet, toMany number: Int) {
    requireEqual(others.count, indexes.count)
    for (other, index) in zip(others, indexes) { insertLink(other, at: index, toMany: number) }
  }

  func removeLinks(at indexes: IndexSet, _ number: Int) {
    guard var objects = readableLinks(number) else { return }
    if let last = indexes.last { requireIndex(last, below: objects.count, toMany: number) }
    for index in indexes.reversed() { objects.remove(at: index) }
    arrangeLinks(number, as: objects)
  }

  func replaceLinks(at indexes: IndexSet, with others: [NSManagedObject], _ number: Int) {
    requireEqual(others.count, indexes.count)
    guard var objects = readableLinks(number) else { return }
    for (other, index) in zip(others, indexes) {
      requireIndex(index, below: objects.count, toMany: number)
      objects[index] = other
    }
    arrangeLinks(number, as: objects)
  }

  /// Moves members next to each other, in their order, so that the first of them is at `place`.
  func moveLinks(at indexes: IndexSet, to index: Int, _ number: Int) {
    guard var objects = readableLinks(number) else { return }
    if let last = indexes.last { requireIndex(last, below: objects.count, toMany: number) }
    let moved = indexes.map { objects[$0] }
    for index in indexes.reversed() { objects.remove(at: index) }
    requireIndex(index, below: objects.count + 1, toMany: number)
    objects.insert(contentsOf: moved, at: index)
    arrangeLinks(number, as: objects)
  }

  /// Makes `objects` the members, in this order; of duplicates the first counts.
  func arrangeLinks(_ number: Int, as objects: [NSManagedObject]) {
    let notice = beginNotice(toMany: number)
    defer { notice?.end() }
    let failures = registry.failedReads
    let old = linkedObjects(number)
    var new: [NSManagedObject] = []
    var known = Set<ObjectIdentifier>()
    for object in objects where known.insert(ObjectIdentifier(object)).inserted { new.append(object) }
    let before = Set(old.map { ObjectIdentifier($0) })
    let inverse = layout.toMany[number].inverse
    context?.readRows(ofFaultsAmong: old + new, ifNeededBy: inverse)
    func isChanging(_ object: NSManagedObject) -> Bool {
      known.contains(ObjectIdentifier(object)) != before.contains(ObjectIdentifier(object))
    }
    guard canReplaceLinks(number, changing: (old + new).filter(isChanging), since: failures) else { return }
    willTouch()
    for object in new { meet(object) }
    // The new order is compared with the members that were read without a state of their own.
    resolveLinks(number)
    changeLinks(toMany: number) { $0.replace(with: new.map(\.rowID)) }
    follow(toMany: number) { $0.reload() }
    guard maintainsInverses else { return }
    for object in old where !known.contains(ObjectIdentifier(object)) { object.inverseLost(self, at: inverse) }
    for object in new where !before.contains(ObjectIdentifier(object)) { object.inverseGained(self, at: inverse) }
  }

  private func requireIndex(_ index: Int, below end: Int, toMany number: Int) {
    guard index < 0 || index >= end else { return }
    fatalError(
      "*** index \(index) beyond bounds [0 .. \(end - 1)] of the ordered relationship '\(layout.toMany[number].name)'")
  }

  private func requireEqual(_ count: Int, _ indexes: Int) {
    guard count != indexes else { return }
    fatalError("*** count of array (\(count)) differs from count of index set (\(indexes))")
  }
}
