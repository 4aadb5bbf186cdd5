import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// How an arrangement is to change: what leaves its place, and what comes to one.
struct FetchedEdit {
  /// An object that comes in, or that comes back to a place after it changed.
  struct Arrival {
    let object: NSManagedObject
    let place: SortedPlace
    let name: String
    /// Its number before; nil if it comes in.
    let old: Int?
    /// How many objects that stay untouched come before it.
    var gap = 0
    /// Its number after.
    var number = 0
    /// The number of its section after.
    var section = 0
    /// What sorts arrivals in one gap by sections: twice the number of untouched sections before, and one more in such a
    /// section.
    var rank = 0
  }

  /// The numbers, ascending, of objects that leave their places: for good, or to come back as arrivals.
  let removed: [Int]
  /// In their order.
  private(set) var arrivals: [Arrival]
  /// All sections after.
  private(set) var sections: [FetchedSection]
  /// For each section after, its number before, if it has objects that stayed untouched.
  private(set) var untouched: [Int?]

  /// - Parameters:
  ///   - removed: numbers of objects that leave their places.
  ///   - arrivals: in any order.
  init(of arrangement: FetchedArrangement, removed: [Int], arrivals: [Arrival]) {
    self.removed = removed.sorted()
    let order = arrangement.order
    self.arrivals = arrivals.sorted { order.isBefore($0.place, $0.object.rowID, $1.place, $1.object.rowID) }
    (sections, untouched) = ([], [])
    let rest = restOfSections(of: arrangement)
    arrange(in: arrangement, rest)
    var gap = 0
    for index in self.arrivals.indices {
      // Ids that became permanent may have changed the order of objects that are equal otherwise.
      gap = max(gap, self.arrivals[index].gap)
      self.arrivals[index].gap = gap
      self.arrivals[index].number = gap + index
    }
  }

  /// Sections with objects that stay untouched.
  private struct Rest {
    /// In numbers of untouched objects.
    var sections: [FetchedSection] = []
    var old: [Int] = []
    /// By the number before.
    var numbers: [Int: Int] = [:]

    /// How many sections end at or before a gap.
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

  /// The number among untouched objects of the first one that is not before a number among all.
  private func gap(_ number: Int) -> Int { number - Self.count(of: removed, below: number) }

  static func count(of sorted: [Int], below number: Int) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Finds for each arrival its gap and its section. Names decide about sections, and the order about places in them; a new
  /// section never splits another one, even if the order would have it so.
  private mutating func arrange(in arrangement: FetchedArrangement, _ rest: Rest) {
    var new: [(name: String, rank: Int, gap: Int)] = []
    var newNumbers: [String: Int] = [:]
    var firsts: [Int] = []
    for index in arrivals.indices {
      let arrival = arrivals[index]
      if let old = arrangement.section(named: arrival.name), let number = rest.numbers[old] {
        let range = arrangement.sections[old].range
        let place = arrangement.firstNumber(notBefore: arrival.place, arrival.object.rowID, in: range)
        (arrivals[index].gap, arrivals[index].rank) = (gap(place), 2 * number + 1)
        firsts.append(0)
      } else if let number = newNumbers[arrival.name] {
        (arrivals[index].gap, arrivals[index].rank) = (new[number].gap, new[number].rank)
        firsts.append(number)
      } else {
        let all = arrangement.objects.indices
        var gap = gap(arrangement.firstNumber(notBefore: arrival.place, arrival.object.rowID, in: all))
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
    // Sections that come to lie in one gap are in the order of their first objects already.
    let new = new.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    for (number, section) in rest.sections.enumerated() {
      while next < new.count, new[next].rank <= 2 * number {
        append(FetchedSection(name: new[next].name, start: 0, count: 0), nil)
        next += 1
      }
      append(section, rest.old[number])
    }
    for section in new[next...] { append(FetchedSection(name: section.name, start: 0, count: 0), nil) }
    count()
  }

  private mutating func append(_ section: FetchedSection, _ old: Int?) {
    sections.append(section)
    untouched.append(old)
  }

  /// Counts the arrivals in, which lie in the order of the sections.
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
