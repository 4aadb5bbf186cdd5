import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The objects of a fetched results controller in their order, and in sections.
///
/// Objects are found by what they were sorted by when they got their places, so that a list with objects that have changed
/// since is still in order.
struct FetchedArrangement {
  let order: FetchedOrder
  let isSectioned: Bool
  private(set) var objects: [NSManagedObject]
  private(set) var sections: [FetchedSection]
  /// The places of all objects; empty until they are needed.
  private var places: [ObjectIdentifier: SortedPlace] = [:]
  /// The numbers of the sections by name.
  private var numbers: [String: Int]

  init(_ objects: [NSManagedObject], sections: [FetchedSection], isSectioned: Bool, order: FetchedOrder) {
    self.order = order
    self.isSectioned = isSectioned
    self.objects = objects
    self.sections = sections
    numbers = Self.numbers(of: sections)
  }

  private static func numbers(of sections: [FetchedSection]) -> [String: Int] {
    Dictionary(sections.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Whether it is known what the objects are sorted by.
  var hasPlaces: Bool { places.count == objects.count }

  /// Remembers what the objects are sorted by.
  mutating func learnPlaces() {
    places.reserveCapacity(objects.count)
    for object in objects { places[ObjectIdentifier(object)] = order.place(of: object) }
  }

  // MARK: Finding

  func contains(_ object: NSManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

  /// The number of an object among all; nil if it is none of them.
  func number(of object: NSManagedObject) -> Int? {
    guard let place = places[ObjectIdentifier(object)] else { return nil }
    let number = firstNumber(notBefore: place, object.rowID, in: objects.indices)
    if number < objects.count, objects[number] === object { return number }
    // Ids that became permanent have changed the order of objects that are equal otherwise.
    return objects.firstIndex { $0 === object }
  }

  func section(named name: String) -> Int? { numbers[name] }

  /// The first object in a range that does not come before a place.
  func firstNumber(notBefore place: SortedPlace, _ id: RowID, in range: Range<Int>) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let object = objects[middle]
      guard let other = places[ObjectIdentifier(object)] else { fatalError("A fetched object has no place: \(object)") }
      if order.isBefore(other, object.rowID, place, id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing

  /// Takes an edit over that was made for this arrangement.
  mutating func apply(_ edit: FetchedEdit) {
    for number in edit.removed { places[ObjectIdentifier(objects[number])] = nil }
    for arrival in edit.arrivals { places[ObjectIdentifier(arrival.object)] = arrival.place }
    // Moving what lies behind is faster than copying all as long as there are few places.
    if edit.removed.count + edit.arrivals.count <= 16 {
      for number in edit.removed.reversed() { objects.remove(at: number) }
      for arrival in edit.arrivals { objects.insert(arrival.object, at: arrival.number) }
    } else {
      objects = merged(edit)
    }
    sections = edit.sections
    numbers = Self.numbers(of: sections)
  }

  private func merged(_ edit: FetchedEdit) -> [NSManagedObject] {
    var merged: [NSManagedObject] = []
    merged.reserveCapacity(objects.count - edit.removed.count + edit.arrivals.count)
    var (next, gap) = (0, 0)
    var removed = edit.removed[...]
    /// Copies so many objects that stay.
    func copy(_ count: Int) {
      var left = count
      while left > 0 || removed.first == next {
        if removed.first == next {
          removed.removeFirst()
          next += 1
          continue
        }
        let run = min(left, (removed.first ?? objects.count) - next)
        merged.append(contentsOf: objects[next..<next + run])
        next += run
        left -= run
      }
    }
    for arrival in edit.arrivals {
      copy(arrival.gap - gap)
      gap = arrival.gap
      merged.append(arrival.object)
    }
    copy(objects.count - edit.removed.count - gap)
    return merged
  }
}
