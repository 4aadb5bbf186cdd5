import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// The ordered and sectioned objects of a fetched results controller.
///
/// Objects are found by the values they were sorted by when they were positioned, so that the list stays in order even
/// if objects have changed since.
struct FetchedArrangement {
  let order: FetchedOrder
  let isSectioned: Bool
  private(set) var objects: [NSManagedObject]
  private(set) var sections: [FetchedSection]
  /// The sort positions of all objects; empty until needed.
  private var positions: [ObjectIdentifier: SortPosition] = [:]
  /// The indexes of the sections by name.
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

  /// Whether the sort positions are known.
  var hasPositions: Bool { positions.count == objects.count }

  /// Records the values that the objects are sorted by.
  mutating func learnPositions() {
    positions.reserveCapacity(objects.count)
    for object in objects { positions[ObjectIdentifier(object)] = order.position(of: object) }
  }

  /// Forgets positions that were learned from values that could not be read.
  mutating func forgetPositions() { positions = [:] }

  // MARK: Finding

  func contains(_ object: NSManagedObject) -> Bool { positions[ObjectIdentifier(object)] != nil }

  /// Returns the index of an object among all; nil if it is not in the list.
  func number(of object: NSManagedObject) -> Int? {
    guard hasPositions else { return objects.firstIndex { $0 === object } }
    guard let position = positions[ObjectIdentifier(object)] else { return nil }
    let number = firstNumber(notBefore: position, object.rowID, in: objects.indices)
    if number < objects.count, objects[number] === object { return number }
    // Permanent IDs have reordered objects that are equal otherwise.
    return objects.firstIndex { $0 === object }
  }

  func section(named name: String) -> Int? { numbers[name] }

  /// Returns the index of the first object in a range that does not precede a sort position.
  func firstNumber(notBefore position: SortPosition, _ id: RowID, in range: Range<Int>) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let object = objects[middle]
      guard let other = positions[ObjectIdentifier(object)] else {
        fatalError("A fetched object has no place: \(object)")
      }
      if order.isBefore(other, leftID: object.rowID, position, rightID: id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing

  /// Applies an edit made for this arrangement.
  mutating func apply(_ edit: FetchedEdit) {
    for number in edit.removed { positions[ObjectIdentifier(objects[number])] = nil }
    for arrival in edit.arrivals { positions[ObjectIdentifier(arrival.object)] = arrival.position }
    // For a few changes, moving the rest of the array is faster than copying it.
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
    /// Copies a number of unmoved objects.
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
