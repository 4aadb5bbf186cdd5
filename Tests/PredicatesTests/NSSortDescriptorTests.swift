import Foundation
import Predicates
import Testing

@Suite struct NSSortDescriptorTests {
  @Test func keyAndDirectionAreKept() {
    let descriptor = NSSortDescriptor(key: "region.name", ascending: false)
    #expect(descriptor.key == "region.name")
    #expect(!descriptor.ascending)
    #expect(descriptor.sortKey?.keyPath == ["region", "name"])
    #expect(descriptor.sortKey?.ascending == false)
    let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed == NSSortDescriptor(key: "region.name", ascending: true))
    #expect(descriptor != NSSortDescriptor(key: "region.name", ascending: true))
    #expect(NSSortDescriptor(keyPath: \String.count, ascending: true).sortKey == nil)
    #expect(NSSortDescriptor(key: nil, ascending: true).sortKey?.keyPath == [])
  }

  @Test func objectsAreSortedByTheirValues() {
    let quakes: [Quake] = [
      Quake(["mag": .integer(5), "place": .string("b")]), Quake(["place": .string("z")]),
      Quake(["mag": .real(5.5), "place": .string("a")]), Quake(["mag": .integer(5), "place": .string("a")]),
    ]
    let descriptors = [NSSortDescriptor(key: "mag", ascending: false), NSSortDescriptor(key: "place", ascending: true)]
    let sorted = NSArray(array: quakes).sortedArray(using: descriptors) as? [Quake] ?? []
    #expect(sorted.map { quakes.firstIndex(of: $0) } == [2, 3, 0, 1])
  }

  @Test func plainValuesAndDictionariesAreSorted() {
    let descriptor = NSSortDescriptor(key: nil, ascending: true)
    #expect(descriptor.compare("B", to: "a") == .orderedAscending)
    #expect(descriptor.compare(3, to: 2.5) == .orderedDescending)
    #expect(
      NSSortDescriptor(key: "a", ascending: true).compare(["a": 1], to: [:] as [String: Any]) == .orderedDescending)
  }

  @Test func nilSortsFirstAndTheOrderIsTotal() {
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
