import Foundation
import StrataPredicates
import Testing

/// Predicates with many terms or levels, and patterns that take many steps.
@Suite struct LongPredicateTests {
  private static func chain(_ count: Int, _ word: String, _ term: (Int) -> String) -> String {
    (0..<count).map(term).joined(separator: " \(word) ")
  }

  @Test func `equalities of one property become lists`() throws {
    let equal = try PredicateParser.tree(Self.chain(100, "OR") { "place == 'p\($0)'" }).listingEqualities
    #expect(equal.text(.format).hasPrefix(#"place IN {"p0", "p1", "#))
    let unequal = try PredicateParser.tree(Self.chain(100, "AND") { "mag != \($0)" }).listingEqualities
    #expect(
      unequal.text(.format).hasPrefix("NOT (mag IN {0, 1, ") || unequal.text(.format).hasPrefix("NOT mag IN {0, 1, "))
    let mixed = try PredicateParser.tree(
      Self.chain(100, "OR") { "place ==[c] 'p\($0)' OR mag > \($0)" })
    #expect(mixed.listingEqualities.comparisonCount == 101)
    let short = try PredicateParser.tree(Self.chain(10, "OR") { "place == 'p\($0)'" })
    #expect(short.listingEqualities == short)
  }

  @Test func `lists give the same result as the equalities`() throws {
    let quakes = [Quake(), Quake(["place": .string("P7")]), Quake(["place": .string("p7"), "mag": .real(7)])]
    for (word, op) in [("OR", "=="), ("AND", "!="), ("OR", "==[c]"), ("AND", "!=[c]"), ("OR", "!="), ("AND", "==")] {
      for key in ["place", "mag"] {
        let tree = try PredicateParser.tree(
          Self.chain(200, word) { key == "mag" ? "mag \(op) \($0)" : "place \(op) 'p\($0)'" })
        for quake in quakes {
          #expect(try tree.evaluate(on: quake) == tree.listingEqualities.evaluate(on: quake), "\(key) \(op)")
        }
      }
    }
  }

  @Test func `a user's predicate has at most 5,000 comparisons`() throws {
    _ = try NSPredicate(validating: Self.chain(5_000, "OR") { "mag > \($0)" })
    _ = try NSPredicate(validating: Self.chain(20_000, "OR") { "mag == \($0)" })
    for format in [
      Self.chain(5_001, "OR") { "mag > \($0)" },
      "SUBQUERY(aftershocks, $a, \(Self.chain(5_001, "AND") { "$a.mag > \($0)" })).@count > 0",
    ] {
      let error = #expect(throws: CocoaError.self) { try NSPredicate(validating: format) }
      #expect(error?.localizedDescription.contains("at most 5000 comparisons") == true)
      #expect((error?.localizedDescription.count ?? 0) < 1_000)
    }
  }

  @Test func `nested predicates fit the stack of a queue`() {
    let formats = [
      String(repeating: "(", count: 90) + "mag > 5" + String(repeating: ")", count: 90),
      String(repeating: "NOT ", count: 99) + "mag > 5",
      String(repeating: "NOT (", count: 49) + "mag > 5" + String(repeating: ")", count: 49),
      Self.chain(20_000, "OR") { "mag > \($0)" },
      "mag > 1" + String(repeating: " + 1", count: 100),
    ]
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      for format in formats {
        let predicate = NSPredicate(format: format)
        _ = predicate.evaluate(with: ["mag": 1])
        _ = predicate.description
        _ = predicate.hash
      }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    for format in [
      String(repeating: "(", count: 100_000) + "mag > 5", String(repeating: "NOT ", count: 100_000) + "a > 5",
      String(repeating: "SUBQUERY(parts, $p, ", count: 17) + "mag > 5" + String(repeating: ").@count > 0", count: 17),
    ] {
      #expect(throws: CocoaError.self) { try NSPredicate(validating: format) }
    }
  }

  @Test(arguments: ["(a+)+b", "(a*)*b", "(a|aa)+b", "(.*a){20}b", "(?=(a+)+b)a*"])
  func `a pattern that takes too many steps is refused`(_ pattern: String) throws {
    let text = String(repeating: "a", count: 60)
    let predicate = NSPredicate(format: "SELF MATCHES %@", pattern)
    let start = ContinuousClock.now
    let error = #expect(throws: CocoaError.self) { try predicate.evaluate(validating: text) }
    #expect(error?.localizedDescription.contains("after too many steps") == true)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `long texts match patterns without nested repetitions`() throws {
    let text = String(repeating: "ab", count: 100_000) + "c"
    #expect(try NSPredicate(format: "SELF MATCHES '[ab]*c'").evaluate(validating: text))
    #expect(try !NSPredicate(format: "SELF MATCHES '[ab]*d'").evaluate(validating: text))
    #expect(try NSPredicate(format: "SELF MATCHES '(?s).*b.c'").evaluate(validating: text + "bxc"))
  }
}
