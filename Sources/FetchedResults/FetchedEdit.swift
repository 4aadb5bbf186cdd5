import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A change of an arrangement: objects that leave their positions, and objects that arrive at one.
struct FetchedEdit {
  /// An object that is inserted, or that is repositioned after a change.
  struct Arrival {
    let object: NSManagedObject
    let position: SortPosition
    let name: String
    /// The index before; nil if inserted.
    let old: Int?
    /// The number of untouched objects before it.
    var gap = 0
    /// The index after.
    var number = 0
    /// The index of its section after.
    var section = 0
    /// Orders arrivals of one gap by section: twice the number of untouched sections before, plus one inside such a
    /// section.
    var rank = 0
  }

  /// The ascending indexes of objects that leave their positions, for good or to arrive elsewhere.
  let removed: [Int]
  /// In sort order.
  private(set) var arrivals: [Arrival]
  /// All sections after the edit.
  private(set) var sections: [FetchedSection]
  /// For each section after the edit, the index before, if it has untouched objects.
  private(set) var untouched: [Int?]

  /// - Parameters:
  ///   - removed: indexes of objects that leave their positions.
  ///   - arrivals: in any order.
  init(of arrangement: FetchedArrangement, removed: [Int], arrivals: [Arrival]) {
    self.removed = removed.sorted()
    let order = arrangement.order
    self.arrivals = arrivals.sorted {
      order.isBefore($0.position, leftID: $0.object.rowID, $1.position, rightID: $1.object.rowID)
    }
    (sections, untouched) = ([], [])
    let rest = restOfSections(of: arrangement)
    arrange(in: arrangement, rest)
    var gap = 0
    for index in self.arrivals.indices {
      // Permanent IDs may have reordered objects that are equal otherwise.
      gap = max(gap, self.arrivals[index].gap)
      self.arrivals[index].gap = gap
      self.arrivals[index].number = gap + index
    }
  }

  /// The sections with untouched objects.
  private struct Rest {
    /// As ranges of untouched objects.
    var sections: [FetchedSection] = []
    var old: [Int] = []
    /// Indexes by the index before.
    var numbers: [Int: Int] = [:]

    /// Returns the number of sections that end at or before a gap.
    func count(before gap: Int) -> Int {
      var (low, high) = (0, sections.count)
      while low < high {
        let middle = (low + high) / 2
        if sections[middle].end <= gap { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private func restOfSections(of arrangement: FetchedArrangement) -> Rest {
    var rest = Rest()
    var start = 0
    var left = removed[...]
    for (number, section) in arrangement.sections.enumerated() {
      let count = section.count - left.prefix { $0 < section.end }.count
      left = left.drop { $0 < section.end }
      guard count > 0 || !arrangement.isSectioned else { continue }
      rest.numbers[number] = rest.sections.count
      rest.old.append(number)
      rest.sections.append(FetchedSection(name: section.name, start: start, count: count))
      start += count
    }
    return rest
  }

  /// Converts an index among all objects to the index among untouched objects of the first one not before it.
  private func gap(_ number: Int) -> Int { number - Self.count(of: removed, below: number) }

  static func count(of sorted: [Int], below number: Int) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Determines the gap and the section of each arrival. Names determine the section, the sort order the position in
  /// it; a new section never splits another one, even if the sort order asks for it.
  private mutating func arrange(in arrangement: FetchedArrangement, _ rest: Rest) {
    var new: [(name: String, rank: Int, gap: Int)] = []
    var newNumbers: [String: Int] = [:]
    var firsts: [Int] = []
    for index in arrivals.indices {
      let arrival = arrivals[index]
      if let old = arrangement.section(named: arrival.name), let number = rest.numbers[old] {
        let range = arrangement.sections[old].range
        let position = arrangement.firstNumber(notBefore: arrival.position, arrival.object.rowID, in: range)
        (arrivals[index].gap, arrivals[index].rank) = (gap(position), 2 * number + 1)
        firsts.append(0)
      } else if let number = newNumbers[arrival.name] {
        (arrivals[index].gap, arrivals[index].rank) = (new[number].gap, new[number].rank)
        firsts.append(number)
      } else {
        let all = arrangement.objects.indices
        var gap = gap(arrangement.firstNumber(notBefore: arrival.position, arrival.object.rowID, in: all))
        var before = rest.count(before: gap)
        if before < rest.sections.count, rest.sections[before].start < gap {
          gap = rest.sections[before].end
          before += 1
        }
        newNumbers[arrival.name] = new.count
        firsts.append(new.count)
        new.append((arrival.name, 2 * before, gap))
        (arrivals[index].gap, arrivals[index].rank) = (gap, 2 * before)
      }
    }
    if arrangement.isSectioned { sortByRank(firsts) }
    mergeSections(rest, new)
  }

  private mutating func sortByRank(_ firsts: [Int]) {
    let sorted = arrivals.indices.sorted { left, right in
      (arrivals[left].rank, firsts[left], left) < (arrivals[right].rank, firsts[right], right)
    }
    arrivals = sorted.map { arrivals[$0] }
  }

  private mutating func mergeSections(_ rest: Rest, _ new: [(name: String, rank: Int, gap: Int)]) {
    var next = 0
    // New sections in one gap are already in the order of their first objects.
    let new = new.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    for (number, section) in rest.sections.enumerated() {
      while next < new.count, new[next].rank <= 2 * number {
        append(FetchedSection(name: new[next].name, start: 0, count: 0), movedFrom: nil)
        next += 1
      }
      append(section, movedFrom: rest.old[number])
    }
    for section in new[next...] { append(FetchedSection(name: section.name, start: 0, count: 0), movedFrom: nil) }
    count()
  }

  private mutating func append(_ section: FetchedSection, movedFrom old: Int?) {
    sections.append(section)
    untouched.append(old)
  }

  /// Adds the arrivals, which are in section order.
  private mutating func count() {
    var number = 0
    for index in arrivals.indices {
      while sections[number].name != arrivals[index].name { number += 1 }
      arrivals[index].section = number
      sections[number].count += 1
    }
    var start = 0
    for index in sections.indices {
      sections[index].start = start
      start += sections[index].count
    }
  }
}
