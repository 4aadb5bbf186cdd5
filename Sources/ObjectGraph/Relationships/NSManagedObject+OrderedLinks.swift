import Foundation
import StrataManagedModel
import StrataRowStore

/// Ordered to-many relationships: places count from 0.
extension NSManagedObject {
  /// Puts an object at a place; one that is a member already stays where it is, as in an `NSMutableOrderedSet`.
  func insertLink(_ other: NSManagedObject, at place: Int, _ number: Int) {
    requirePlace(place, below: linkCount(number) + 1, number)
    guard !isLinked(other, number) else { return willTouch() }
    let notice = willTell(toMany: number, .insertion, other, at: place)
    defer { notice?.end() }
    willTouch()
    meet(other)
    changeLinks(number) { $0.insert(other.rowID, at: place) }
    follow(number) { $0.put(other, at: place) }
    if maintainsInverses { other.inverseGained(self, layout.toMany[number].inverse) }
  }

  func removeLink(at place: Int, _ number: Int) {
    let ids = linkedIDs(number)
    requirePlace(place, below: ids.count, number)
    if let other = related(ids[place]) { unlink(other, number) }
  }

  /// Puts objects so that each ends up at its place, the lowest place first.
  func insertLinks(_ others: [NSManagedObject], at places: IndexSet, _ number: Int) {
    requireEqual(others.count, places.count)
    for (other, place) in zip(others, places) { insertLink(other, at: place, number) }
  }

  func removeLinks(at places: IndexSet, _ number: Int) {
    var objects = linkedObjects(number)
    if let last = places.last { requirePlace(last, below: objects.count, number) }
    for place in places.reversed() { objects.remove(at: place) }
    arrangeLinks(number, as: objects)
  }

  func replaceLinks(at places: IndexSet, with others: [NSManagedObject], _ number: Int) {
    requireEqual(others.count, places.count)
    var objects = linkedObjects(number)
    for (other, place) in zip(others, places) {
      requirePlace(place, below: objects.count, number)
      objects[place] = other
    }
    arrangeLinks(number, as: objects)
  }

  /// Moves members next to each other, in their order, so that the first of them is at `place`.
  func moveLinks(at places: IndexSet, to place: Int, _ number: Int) {
    var objects = linkedObjects(number)
    if let last = places.last { requirePlace(last, below: objects.count, number) }
    let moved = places.map { objects[$0] }
    for place in places.reversed() { objects.remove(at: place) }
    requirePlace(place, below: objects.count + 1, number)
    objects.insert(contentsOf: moved, at: place)
    arrangeLinks(number, as: objects)
  }

  /// Makes `objects` the members, in this order; of one that is named twice the first place counts.
  func arrangeLinks(_ number: Int, as objects: [NSManagedObject]) {
    let notice = willTell(toMany: number)
    defer { notice?.end() }
    let old = linkedObjects(number)
    var new: [NSManagedObject] = []
    var known = Set<ObjectIdentifier>()
    for object in objects where known.insert(ObjectIdentifier(object)).inserted { new.append(object) }
    let before = Set(old.map { ObjectIdentifier($0) })
    let inverse = layout.toMany[number].inverse
    context?.readRows(ofFaultsAmong: old + new, ifNeededBy: inverse)
    willTouch()
    for object in new { meet(object) }
    changeLinks(number) { $0.replace(with: new.map(\.rowID)) }
    follow(number) { $0.reload() }
    guard maintainsInverses else { return }
    for object in old where !known.contains(ObjectIdentifier(object)) { object.inverseLost(self, inverse) }
    for object in new where !before.contains(ObjectIdentifier(object)) { object.inverseGained(self, inverse) }
  }

  private func requirePlace(_ place: Int, below end: Int, _ number: Int) {
    guard place < 0 || place >= end else { return }
    fatalError(
      "*** index \(place) beyond bounds [0 .. \(end - 1)] of the ordered relationship '\(layout.toMany[number].name)'")
  }

  private func requireEqual(_ count: Int, _ places: Int) {
    guard count != places else { return }
    fatalError("*** count of array (\(count)) differs from count of index set (\(places))")
  }
}
