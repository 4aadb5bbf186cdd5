import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

@Suite struct NSSortDescriptorTests {
  @Test func `a sort descriptor has its key and direction`() throws {
    let descriptor = NSSortDescriptor(key: "region.name", ascending: false)
    #expect(descriptor.key == "region.name")
    #expect(!descriptor.ascending)
    #expect(
      try descriptor.fetchable == FetchableSort(["region", "name"], ascending: false, comparison: .binary))
    let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed == NSSortDescriptor(key: "region.name", ascending: true))
    #expect(descriptor != NSSortDescriptor(key: "region.name", ascending: true))
    #expect(throws: UnsupportedSortError.self) {
      try NSSortDescriptor(keyPath: \String.count, ascending: true).fetchable
    }
    #expect(try NSSortDescriptor(key: nil, ascending: true).fetchable.keyPath == [])
  }

  @Test func `objects are sorted by their values`() {
    let quakes: [Quake] = [
      Quake(["mag": .integer(5), "place": .string("b")]), Quake(["place": .string("z")]),
      Quake(["mag": .real(5.5), "place": .string("a")]), Quake(["mag": .integer(5), "place": .string("a")]),
    ]
    let descriptors = [NSSortDescriptor(key: "mag", ascending: false), NSSortDescriptor(key: "place", ascending: true)]
    let sorted = NSArray(array: quakes).sortedArray(using: descriptors) as? [Quake] ?? []
    #expect(sorted.map { quakes.firstIndex(of: $0) } == [2, 3, 0, 1])
  }

  @Test func `plain values and dictionaries are sorted`() {
    let descriptor = NSSortDescriptor(key: nil, ascending: true)
    #expect(descriptor.compare("B", to: "a") == .orderedAscending)
    #expect(descriptor.compare(3, to: 2.5) == .orderedDescending)
    #expect(
      NSSortDescriptor(key: "a", ascending: true).compare(["a": 1], to: [:] as [String: Any]) == .orderedDescending)
  }

  @Test func `a comparator compares values of every kind`() {
    let byNumber = NSSortDescriptor(key: "mag", ascending: false).comparator
    #expect(byNumber(3, 2.5) == .orderedDescending)
    #expect(byNumber(NSNumber(value: 1), NSNumber(value: 2)) == .orderedAscending)
    #expect(byNumber(NSNull(), -1) == .orderedAscending)
    #expect(byNumber(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 1)) == .orderedSame)
    #expect(byNumber((3 as Int?) as Any, (nil as Int?) as Any) == .orderedDescending)
    let byFileName = NSSortDescriptor(key: "place", ascending: true, selector: "localizedStandardCompare:").comparator
    #expect(byFileName("a10", "a9") == .orderedDescending)
    let byLength = NSSortDescriptor(keyPath: \NSString.length, ascending: false)
    #expect(byLength.comparator(1, 2) == .orderedAscending)
    #expect(byLength.keyPath == \NSString.length)
  }

  @Test func `a descriptor returns the comparator that it was created with`() {
    let descriptor = NSSortDescriptor(key: "mag", ascending: false) { left, right in
      (left as? Int ?? 0) < (right as? Int ?? 0) ? .orderedAscending : .orderedDescending
    }
    #expect(descriptor.comparator(1, 2) == .orderedAscending)
    let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed?.comparator(1, 2) == .orderedAscending)
  }

  @Test func `nil sorts first, and the order is total`() {
    let id = UUID()
    let ascending: [PredicateValue] = [
      .null, .real(.nan), .integer(.min), .real(-1.5), .integer(-1), .bool(false), .real(0.5), .bool(true),
      .integer(9_007_199_254_740_993), .real(9_007_199_254_740_994), .integer(.max), .real(.infinity), .string("B"),
      .string("a"), .string("é"), .string("\u{FF5E}"), .string("🌋"), .date(.distantPast), .date(.distantFuture),
      .data(Data()), .data(Data([1])), .uuid(id), .row(1), .row(2), .list([.integer(1)]), .list([.integer(1), .null]),
    ]
    for (index, value) in ascending.enumerated() {
      #expect(PredicateValue.order(value, value) == .orderedSame)
      for later in ascending[(index + 1)...] {
        #expect(PredicateValue.order(value, later) == .orderedAscending)
        #expect(PredicateValue.order(later, value) == .orderedDescending)
      }
    }
  }
}

/// Text comparisons.
@Suite struct SortComparisonTests {
  @Test func `selectors have Apple's names`() throws {
    let descriptor = NSSortDescriptor(key: "name", ascending: false, selector: Selector("localizedStandardCompare:"))
    #expect(try descriptor.fetchable.comparison == .localizedStandard)
    #expect(descriptor.selector == "localizedStandardCompare:")
    #expect(NSSortDescriptor(key: "name", ascending: true).selector == "compare:")
    #expect(NSSortDescriptor(key: "name", ascending: true, selector: nil).selector == "compare:")
    #expect(descriptor != NSSortDescriptor(key: "name", ascending: false))
    #expect((descriptor.reversedSortDescriptor as? NSSortDescriptor)?.selector == "localizedStandardCompare:")
  }

  @Test func `fetches refuse sort descriptors without a SQL form`() {
    let unknown = NSSortDescriptor(key: "name", ascending: true, selector: "compareByMood:")
    let refusal = #expect(throws: UnsupportedSortError.self) { try unknown.fetchable }
    #expect(refusal?.description == "unsupported NSSortDescriptor selector: compareByMood:")
    let block = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
    let other = #expect(throws: UnsupportedSortError.self) { try block.fetchable }
    #expect(other?.description == "unsupported NSSortDescriptor (comparator blocks are not supported)")
  }

  @Test func `comparators sort in memory`() {
    let byLength = NSSortDescriptor(key: "place", ascending: true) { left, right in
      let lengths = (((left as? String) ?? "").count, ((right as? String) ?? "").count)
      return lengths.0 < lengths.1 ? .orderedAscending : lengths.0 > lengths.1 ? .orderedDescending : .orderedSame
    }
    let quakes = ["ccc", "a", nil, "bb"].map { place in
      Quake(place.map { ["place": PredicateValue.string($0)] } ?? ["place": .null])
    }
    let sorted = NSArray(array: quakes).sortedArray(using: [byLength]) as? [Quake] ?? []
    #expect(sorted.map { quakes.firstIndex(of: $0) } == [2, 1, 3, 0])
  }

  @Test func `localizedStandardCompare sorts by numbers in text`() {
    let names = ["a10", "a2", "A1", "b", "Á3", "a1"].map { $0 as NSString }
    let descriptor = NSSortDescriptor(key: nil, ascending: true, selector: "localizedStandardCompare:")
    #expect(
      NSArray(array: names).sortedArray(using: [descriptor]) as? [String] == ["a1", "A1", "a2", "Á3", "a10", "b"])
  }

  /// Random texts from small alphabets.
  @Test(arguments: SortComparison.allCases)
  func `random texts compare as in Foundation`(_ comparison: SortComparison) {
    var random = SeededRandom()
    let alphabets = ["abABzZ 0129", "aA_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$1", "aA1 ßéıİÅå🌋\u{301}\u{30A}\n\0"]
    for alphabet in alphabets.map({ Array($0.unicodeScalars) }) {
      func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...5, using: &random) { text.append(alphabet.randomElement(using: &random)!) }
        return String(text)
      }
      for _ in 0..<2_000 {
        let (left, right) = (text(), text())
        #expect(
          comparison.compare(left, right) == comparison.foundationOrder(left, right),
          "\(left.debugDescription) and \(right.debugDescription)")
      }
    }
  }
}
