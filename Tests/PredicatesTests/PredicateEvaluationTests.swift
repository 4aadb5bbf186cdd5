import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateEvaluationTests {
  private let quake = Quake(["mag": .real(5.5), "place": .string("Tonga"), "flag": .bool(true)])

  @Test(arguments: [
    ("note == nil", true), ("note != nil", false), ("note == 5", false), ("note != 5", true), ("note < 5", false),
    ("note <= 5", false), ("note > 5", false), ("note >= 5", false), ("NOT note > 5", true), ("note <= nil", false),
    ("mag > nil", false), ("note BETWEEN {1, 9}", false), ("mag BETWEEN {nil, 9}", false),
    ("NOT mag BETWEEN {nil, 9}", true), ("note CONTAINS 'a'", false), ("place CONTAINS nil", false),
    ("note BEGINSWITH ''", false), ("note LIKE '*'", false), ("note MATCHES '.*'", false), ("NOT note LIKE '*'", true),
    ("note IN {1, 2}", false), ("note IN {1, nil}", true), ("NOT note IN {1}", true), ("mag IN nil", false),
    ("place == nil", false), ("place != nil", true), ("nil == nil", true), ("region.place == nil", true),
    ("region.place != 'x'", true), ("region == nil", true), ("region.region.mag > 0", false),
  ])
  func `nil equals only nil and has no order`(format: String, expected: Bool) throws {
    #expect(try holds(format, quake) == expected)
  }

  @Test(arguments: [
    ("mag == 5.5", true), ("mag > 5", true), ("mag < 5", false), ("5 < mag", true), ("mag BETWEEN {5.5, 6}", true),
    ("mag BETWEEN {5, 5.5}", true), ("mag BETWEEN {6, 5}", false), ("mag IN {1, 5.5}", true), ("flag == 1", true),
    ("flag == TRUE", true), ("flag == 1.0", true), ("flag != FALSE", true), ("flag > 0", true), ("mag == '5.5'", false),
    ("mag != '5.5'", true), ("mag < 'z'", false), ("place > 5", false), ("mag CONTAINS '5'", false),
    ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("mag > 9 OR place == 'Tonga'", true),
    ("mag > 9 AND place == 'Tonga'", false),
  ])
  func `values compare by kind and value`(format: String, expected: Bool) throws {
    #expect(try holds(format, quake) == expected)
  }

  @Test func `integers and real numbers compare without rounding`() throws {
    let big = Quake(["mag": .integer(9_007_199_254_740_993)])
    #expect(try holds("mag == %@", big, 9_007_199_254_740_992.0) == false)
    #expect(try holds("mag > %@", big, 9_007_199_254_740_992.0))
    #expect(try holds("%@ < mag", big, 9_007_199_254_740_992.0))
    let last = Quake(["mag": .integer(.max)])
    #expect(try holds("mag < %@", last, 0x1p63))
    #expect(try holds("mag > %@", Quake(["mag": .integer(.min)]), -0x1.1p63))
    #expect(try holds("mag == %@", Quake(["mag": .integer(.min)]), -0x1p63))
    #expect(try holds("mag < %@", Quake(["mag": .integer(-2)]), -1.5))
    #expect(try holds("mag > %@", Quake(["mag": .integer(-1)]), -1.5))
    #expect(try holds("mag < %@", last, UInt64.max))
    #expect(try holds("mag == %@", Quake(["mag": .real(2.5)]), Decimal(string: "2.5")))
    #expect(try holds("mag == %@", Quake(["mag": .integer(2)]), Decimal(2)))
  }

  @Test func `NaN equals nothing`() throws {
    let odd = Quake(["mag": .real(.nan)])
    #expect(try holds("mag == %@", odd, Double.nan) == false)
    #expect(try holds("mag != 1", odd))
    #expect(try holds("mag < 1 OR mag >= 1", odd) == false)
  }

  @Test func `dates, UUIDs and data compare by value`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 100)
    let id = UUID()
    let quake = Quake(["date": .date(date), "id": .uuid(id), "note": .data(Data([1, 2]))])
    #expect(try holds("date == %@ AND date >= %@", quake, date, date as NSDate))
    #expect(try holds("date > %@", quake, date.addingTimeInterval(-0.5)))
    #expect(try holds("date == 100", quake) == false)
    #expect(try holds("id == %@ AND id IN %@", quake, id, [UUID(), id]))
    #expect(try holds("id == %@", quake, id.uuidString) == false)
    #expect(try holds("note == %@ AND note > %@", quake, Data([1, 2]), Data([1])))
    #expect(try holds("note < %@", quake, Data([1, 3])))
  }

  @Test func `URLs compare as text`() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    let quake = Quake(["note": .url(url)])
    #expect(try holds("note == %@ AND note == 'https://example.org/a' AND note BEGINSWITH 'https'", quake, url))
  }

  @Test func `objects compare by identity`() throws {
    let region = Quake(["place": .string("Tonga")])
    let quake = Quake(region: region)
    #expect(try holds("region == %@", quake, region))
    #expect(try holds("region == %@", quake, Quake(["place": .string("Tonga")])) == false)
    #expect(try holds("region IN %@", quake, [Quake(), region]))
    #expect(try holds("SELF == %@", quake, quake))
    #expect(try holds("SELF IN %@", quake, [Quake()]) == false)
    #expect(try holds("region != nil AND region.place == 'Tonga'", quake))
    #expect(try holds("%@ == region", quake, region))
    #expect(try holds("region < %@", quake, region) == false)
  }

  @Test func `unknown keys, unbound variables and wrong operands throw`() {
    #expect(throws: PredicateEvaluationError.unknownKey(missing: "depth", keyPath: ["depth"])) {
      try holds("depth > 5", quake)
    }
    #expect(throws: PredicateEvaluationError.unknownKey(missing: "name", keyPath: ["mag", "name"])) {
      try holds("mag.name == 5", quake)
    }
    #expect(throws: PredicateEvaluationError.unboundVariable("LIMIT")) { try holds("mag > $LIMIT", quake) }
    #expect(throws: PredicateEvaluationError.needsCollection(.in)) { try holds("mag IN 5", quake) }
    #expect(throws: PredicateEvaluationError.needsRange) { try holds("mag BETWEEN place", quake) }
  }

  @Test func `SELF can be a plain value`() throws {
    #expect(try holds("SELF == 'x'", for: "x"))
    #expect(try holds("SELF BETWEEN {1, 5}", for: 3))
    #expect(try holds("SELF > 2.5", for: NSNumber(value: 3)))
    #expect(try holds("SELF == nil", for: nil))
    #expect(try holds("ANY SELF > 2", for: [1, 2, 3]))
    #expect(try holds("SELF.@count == 3", for: [1, 2, 3]))
    #expect(try holds("name CONTAINS[c] 'TON' AND absent == nil", for: ["name": "Tonga"]))
    #expect(try holds("region.name == 'Tonga'", for: ["region": ["name": "Tonga"]]))
    #expect(try holds("ALL name BEGINSWITH 'T'", for: [["name": "Tonga"], ["name": "Timor"]]))
  }
}
