import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

/// `evaluate(validating:)` throws where `evaluate(with:)` stops the program.
@Suite struct ThrowingEvaluationTests {
  private static var values: [String: Any] {
    [
      "mag": 6.5, "place": "Lima", "note": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "tags": ["felt", "tsunami"],
      "date": Date(timeIntervalSinceReferenceDate: 0),
    ]
  }

  @Test func `returns the same result as the method that does not throw`() throws {
    for (format, holds) in [
      ("mag > 6 AND place == 'Lima'", true), ("ANY tags == 'felt'", true), ("NOT mag > 6", false),
    ] {
      let predicate = try NSPredicate(validating: format)
      #expect(try predicate.evaluate(validating: Self.values) == holds)
      #expect(predicate.evaluate(with: Self.values) == holds)
    }
    let bound = NSPredicate(format: "mag > $LEAST")
    #expect(try bound.evaluate(validating: Self.values, substitutionVariables: ["LEAST": 6]))
    let block = NSPredicate { object, _ in object is String }
    #expect(try block.evaluate(validating: "text") && !block.evaluate(validating: 1))
  }

  @Test(arguments: [
    "mag IN 1e400", "ANY tags IN 1e400", "mag BETWEEN place", "tags LIKE 'a'", "place MATCHES '['",
    "note MATCHES '(a+)+b'", "mag > $LEAST", "* == 1", "FUNCTION($x, 'name') == 1",
    "SUBQUERY(tags, $t, $t IN 5).@count > 0", "TERNARY(mag IN 3, 1, 2) == 1", "NOT (place == 'x' OR mag IN 3)",
  ])
  func `throws instead of stopping the program`(_ format: String) throws {
    let predicate = try NSPredicate(validating: format)
    let compounds = [
      predicate, NSCompoundPredicate(notPredicateWithSubpredicate: predicate),
      NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true), predicate]),
      NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(value: false), predicate]),
    ]
    for predicate in compounds {
      let error = #expect(throws: CocoaError.self) { try predicate.evaluate(validating: Self.values) }
      #expect(error?.code.rawValue == 134_091)
      #expect(error?.localizedDescription.hasPrefix("Unable to evaluate the predicate ") == true)
    }
  }

  @Test func `throws for a property that the object lacks`() throws {
    let predicate = try NSPredicate(validating: "missing == 1")
    for object in [Quake() as Any, NSObject()] {
      #expect(throws: CocoaError.self) { try predicate.evaluate(validating: object) }
    }
    #expect(throws: CocoaError.self) {
      try NSPredicate(format: "mag > $LEAST").evaluate(validating: Quake(), substitutionVariables: ["MOST": 1])
    }
  }

  @Test func `throws for an object of another class than the predicate's`() throws {
    let predicate = try #require(NSPredicate(#Predicate<NSString> { $0.length > 1 }))
    #expect(try predicate.evaluate(validating: NSString("text")))
    let error = #expect(throws: CocoaError.self) { try predicate.evaluate(validating: NSObject()) }
    #expect(error?.localizedDescription.contains("A predicate of NSString cannot be evaluated with ") == true)
  }

  @Test func `random formats are evaluated or refused`() throws {
    var random = SeededRandom()
    var evaluated = 0
    let end = Date(timeIntervalSinceNow: Self.seconds)
    repeat {
      for _ in 0..<1_000 {
        guard let predicate = try? NSPredicate(validating: Self.condition(2, &random)) else { continue }
        evaluated += 1
        for object in [Self.values as Any, "Lima", 7, [1, 2], Quake(), NSNull()] {
          _ = try? predicate.evaluate(validating: object, substitutionVariables: ["x": 3])
        }
      }
    } while Date() < end
    #expect(evaluated > 50)
  }

  private static func condition(_ depth: Int, _ random: inout SeededRandom) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
    case 3: "(\(condition(depth - 1, &random)) AND \(condition(depth - 1, &random)))"
    case 4: "(\(condition(depth - 1, &random)) OR \(condition(depth - 1, &random)))"
    case 5: "NOT \(condition(depth - 1, &random))"
    default:
      "\(pick(["", "", "ANY ", "ALL ", "NONE "], &random))\(value(2, &random)) \(pick(operators, &random)) "
        + value(2, &random)
    }
  }

  private static func value(_ depth: Int, _ random: inout SeededRandom) -> String {
    guard depth > 0, Bool.random(using: &random) else { return pick(atoms, &random) }
    let (first, second) = (value(depth - 1, &random), value(depth - 1, &random))
    return pick(
      [
        "(\(first) + \(second))", "(\(first) / \(second))", "(\(first) ** \(second))", "(\(first) << \(second))",
        "~\(first)", "-\(first)", "sum(\(first))", "modulus:by:(\(first), \(second))", "abs(\(first))",
        "CAST(\(first), 'NSNumber')", "CAST(\(first), 'NSDate')", "CAST(\(first), 'NSString')", "{\(first), \(second)}",
        "TERNARY(\(first) > \(second), 1, 2)", "SUBQUERY(tags, $t, $t == \(first)).@count", "median(\(first))",
        "tags[\(first)]", "(\(first) UNION \(second))", "length(\(first))", "floor(\(first))", "randomn(\(first))",
      ], &random)
  }

  private static let operators = [
    "==", "!=", "<", ">=", "IN", "BETWEEN", "CONTAINS[cd]", "LIKE", "MATCHES", "BEGINSWITH", "ENDSWITH[c]", "==[cd]",
  ]
  private static let atoms = [
    "mag", "place", "tags", "date", "SELF", "missing", "5", "-1", "1e400", "9223372036854775807",
    "-9223372036854775808",
    "'Lima'", "nil", "{1, 'a'}", "$x", "TRUE", "tags.@count", "0", "0.5", "'['", "1e18", "now()",
  ]

  private static func pick(_ texts: [String], _ random: inout SeededRandom) -> String {
    texts[Int.random(in: texts.indices, using: &random)]
  }

  private static let seconds =
    ProcessInfo.processInfo.environment["STRATA_TEST_SECONDS"].flatMap(Double.init) ?? 0
}
