import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateParserTests {
  @Test(arguments: [
    ("mag = 5", ComparisonNode.Operator.equal), ("mag == 5", .equal), ("mag != 5", .notEqual), ("mag <> 5", .notEqual),
    ("mag < 5", .less), ("mag <= 5", .lessOrEqual), ("mag =< 5", .lessOrEqual), ("mag > 5", .greater),
    ("mag >= 5", .greaterOrEqual), ("mag => 5", .greaterOrEqual), ("mag>=5", .greaterOrEqual),
    ("mag CONTAINS 5", .contains), ("mag beginswith 5", .beginsWith), ("mag EndsWith 5", .endsWith),
    ("mag like 5", .like), ("mag MATCHES 5", .matches),
  ])
  func `every spelling of an operator is parsed`(format: String, expected: ComparisonNode.Operator) throws {
    #expect(try PredicateParser.tree(format) == comparison("mag", expected, .integer(5)))
  }

  @Test(
    arguments: [
      ("[c]", ComparisonNode.Options.caseInsensitive), ("[d]", .diacriticInsensitive),
      ("[cd]", [.caseInsensitive, .diacriticInsensitive]), ("[DC]", [.caseInsensitive, .diacriticInsensitive]),
      ("[n]", .normalized), ("", []), (" [ c ]", .caseInsensitive),
    ] as [(String, ComparisonNode.Options)])
  func `options follow the operator`(options: String, expected: ComparisonNode.Options) throws {
    let tree = try PredicateParser.tree("place CONTAINS\(options) 'x'")
    #expect(tree == comparison("place", .contains, .string("x"), options: expected))
    let equality = try PredicateParser.tree("place ==\(options) 'x'")
    #expect(equality == comparison("place", .equal, .string("x"), options: expected))
  }

  @Test func `NOT binds closer than AND, and AND closer than OR`() throws {
    let a = comparison("a", .equal, .integer(1))
    let b = comparison("b", .equal, .integer(2))
    let c = comparison("c", .equal, .integer(3))
    #expect(try PredicateParser.tree("a == 1 OR b == 2 AND c == 3") == .or([a, .and([b, c])]))
    #expect(try PredicateParser.tree("a == 1 && b == 2 || c == 3") == .or([.and([a, b]), c]))
    #expect(try PredicateParser.tree("(a == 1 or b == 2) and c == 3") == .and([.or([a, b]), c]))
    #expect(try PredicateParser.tree("NOT a == 1 AND b == 2") == .and([.not(a), b]))
    #expect(try PredicateParser.tree("!(a == 1 AND b == 2)") == .not(.and([a, b])))
    #expect(try PredicateParser.tree("NOT NOT a == 1") == .not(.not(a)))
    #expect(try PredicateParser.tree("a == 1 AND b == 2 AND c == 3") == .and([a, b, c]))
    #expect(try PredicateParser.tree("((a == 1))") == a)
    #expect(try PredicateParser.tree("(a) == (1)") == a)
  }

  @Test func `quantifiers precede the comparison`() throws {
    #expect(try PredicateParser.tree("ANY a > 5") == comparison("a", .greater, .integer(5), quantifier: .any))
    #expect(try PredicateParser.tree("some a > 5") == comparison("a", .greater, .integer(5), quantifier: .any))
    #expect(try PredicateParser.tree("ALL a > 5") == comparison("a", .greater, .integer(5), quantifier: .all))
    #expect(try PredicateParser.tree("NONE a > 5") == .not(comparison("a", .greater, .integer(5), quantifier: .any)))
    #expect(try PredicateParser.tree("(ANY a > 5)") == comparison("a", .greater, .integer(5), quantifier: .any))
  }

  @Test(arguments: [
    ("5", PredicateValue.integer(5)), ("-5", .integer(-5)), ("+5", .integer(5)), ("0x1F", .integer(31)),
    ("-0x10", .integer(-16)), ("4.5", .real(4.5)), ("-4.5e-2", .real(-0.045)), ("1E3", .real(1000)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .decimal(Decimal(UInt64(1) << 63))),
    ("'it'", .string("it")), ("\"it's\"", .string("it's")), (#"'it\'s \\ \n\t\u00e9 \d'"#, .string("it's \\ \n\té d")),
    (#"'\ud83c\udf0b'"#, .string("🌋")), ("''", .string("")), ("'%@'", .string("%@")), ("TRUE", .bool(true)),
    ("yes", .bool(true)), ("False", .bool(false)), ("NO", .bool(false)), ("NULL", .null), ("nil", .null),
    ("{1, 'b', nil}", .list([.integer(1), .string("b"), .null])), ("{}", .list([])),
  ])
  func `literals are constants`(literal: String, expected: PredicateValue) throws {
    #expect(try PredicateParser.tree("a == \(literal)") == comparison("a", .equal, expected))
  }

  @Test func `key paths may contain keywords and collection operators`() throws {
    func path(_ text: String) throws -> ExpressionNode? {
      try PredicateParser.tree("\(text) == 1").comparisons.first?.left
    }
    #expect(try path("region.name") == .keyPath(["region", "name"]))
    #expect(try path("#in") == .keyPath(["in"]))
    #expect(try path("region.in") == .keyPath(["region", "in"]))
    #expect(try path("quakes.@count") == .keyPath(["quakes", "@count"]))
    #expect(try path("quakes.@max.mag") == .keyPath(["quakes", "@max", "mag"]))
    #expect(try path("SELF") == .evaluatedObject)
    #expect(try path("self.name") == .keyPath(["name"]))
    #expect(try path("größe_2") == .keyPath(["größe_2"]))
    #expect(try path("$LIMIT") == .variable("LIMIT"))
    #expect(try path("5") == .value(.integer(5)))
  }

  @Test func `lists with key paths or variables are aggregates`() throws {
    let tree = try PredicateParser.tree("5 BETWEEN {low, $HIGH}")
    let expected = ComparisonNode(.value(.integer(5)), .between, .aggregate([.keyPath(["low"]), .variable("HIGH")]))
    #expect(tree == .comparison(expected))
  }

  @Test func `TRUEPREDICATE and FALSEPREDICATE are constants`() throws {
    #expect(try PredicateParser.tree("TRUEPREDICATE") == .constant(true))
    #expect(
      try PredicateParser.tree("falsepredicate OR a == 1")
        == .or([.constant(false), comparison("a", .equal, .integer(1))]))
  }
}
