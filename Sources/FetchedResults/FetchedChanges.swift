import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// An edit as reported to a delegate: as few changes as possible, each section and each object once.
struct FetchedChanges {
  struct ObjectChange {
    let object: NSManagedObject
    let type: NSFetchedResultsChangeType
    /// The index among all objects before; nil if inserted.
    var old: Int?
    /// The index among all objects after; nil if deleted.
    var new: Int?
  }

  /// Indexes before the edit, descending.
  private(set) var deletedSections: [Int] = []
  /// Indexes after the edit, ascending.
  private(set) var insertedSections: [Int] = []
  /// Deletions from the end, insertions from the start, moves, updates.
  private(set) var objects: [ObjectChange] = []

  /// - Parameter arrangement: the arrangement before the edit.
  init(_ edit: FetchedEdit, of arrangement: FetchedArrangement) {
    let survivors = Self.survivors(edit, of: arrangement)
    let surviving = Set(survivors.compactMap(\.self))
    deletedSections = arrangement.sections.indices.reversed().filter { !surviving.contains($0) }
    insertedSections = survivors.indices.filter { survivors[$0] == nil }
    sortObjects(edit, of: arrangement, survivors: survivors)
  }

  /// Returns, for each section after the edit, the corresponding section before. A section without untouched objects is
  /// the same if it has the same name and did not move past another one.
  private static func survivors(_ edit: FetchedEdit, of arrangement: FetchedArrangement) -> [Int?] {
    var survivors = edit.untouched
    let anchors = edit.untouched.compactMap(\.self)
    var gap = 0
    var candidates: [StayingOrder.Item] = []
    for (number, section) in edit.sections.enumerated() {
      if survivors[number] != nil {
        gap += 1
      } else if let old = arrangement.section(named: section.name) {
        candidates.append(
          .init(index: number, old: old, oldGap: FetchedEdit.count(of: anchors, below: old), gap: gap))
      }
    }
    for item in StayingOrder.staying(candidates) { survivors[item.index] = item.old }
    return survivors
  }

  private mutating func sortObjects(
    _ edit: FetchedEdit, of arrangement: FetchedArrangement, survivors: [Int?]
  ) {
    var isBack: Set<Int> = []
    var candidates: [StayingOrder.Item] = []
    for (index, arrival) in edit.arrivals.enumerated() {
      guard let old = arrival.old else { continue }
      isBack.insert(old)
      guard survivors[arrival.section] == arrangement.sections.number(of: old) else { continue }
      let oldGap = old - FetchedEdit.count(of: edit.removed, below: old)
      candidates.append(.init(index: index, old: old, oldGap: oldGap, gap: arrival.gap))
    }
    let staying = Set(StayingOrder.staying(candidates).map(\.index))
    for number in edit.removed.reversed() where !isBack.contains(number) {
      objects.append(ObjectChange(object: arrangement.objects[number], type: .delete, old: number))
    }
    var moved: [ObjectChange] = []
    var updated: [ObjectChange] = []
    for (index, arrival) in edit.arrivals.enumerated() {
      if arrival.old == nil {
        objects.append(ObjectChange(object: arrival.object, type: .insert, new: arrival.number))
      } else if staying.contains(index) {
        updated.append(.init(object: arrival.object, type: .update, old: arrival.old, new: arrival.number))
      } else {
        moved.append(.init(object: arrival.object, type: .move, old: arrival.old, new: arrival.number))
      }
    }
    objects += moved + updated
  }
}

/// Determines which items stay in place among others that do not move.
enum StayingOrder {
  struct Item {
    /// Identifies the item to the caller.
    let index: Int
    let old: Int
    /// The number of fixed items before it, before and after.
    let oldGap: Int
    let gap: Int
  }

  /// Returns as many items as can stay: those in their former gap, and within it the longest run in the old order.
  /// - Parameter items: the items in their new order.
  static func staying(_ items: [Item]) -> [Item] {
    var staying: [Item] = []
    var same = items.filter { $0.oldGap == $0.gap }[...]
    while let first = same.first {
      let group = same.prefix { $0.gap == first.gap }
      same = same.dropFirst(group.count)
      staying += group.count == 1 ? Array(group) : maximumRun(Array(group))
    }
    return staying
  }

  /// Returns the longest subsequence with ascending old indexes, by patience sorting.
  private static func maximumRun(_ items: [Item]) -> [Item] {
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: items.count)
    for index in items.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if items[ends[middle]].old < items[index].old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [Item] = []
    var index = ends.last ?? -1
    while index >= 0 {
      run.append(items[index])
      index = previous[index]
    }
    return run.reversed()
  }
}
