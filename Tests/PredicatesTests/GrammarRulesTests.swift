// The module first: for a name that both have, the compiler would otherwise warn that Foundation's is deprecated.
// swift-format-ignore: OrderedImports
import StrataPredicates
import Foundation
import Testing

/// One test for each rule of the grammar at `PredicateParser`.
@Suite struct GrammarRulesTests {
  private func tree(_ format: String, _ arguments: Any?...) throws -> PredicateNode {
    try PredicateParser.tree(format, arguments: arguments)
  }

  private func node(_ format: String, _ arguments: Any?...) throws -> ExpressionNode {
    try PredicateParser.expression(format, arguments: arguments)
  }

  private let a = ExpressionNode.keyPath(["a"])
  private let b = ExpressionNode.keyPath(["b"])
  private let c = ExpressionNode.keyPath(["c"])
  private func number(_ value: Int64) -> ExpressionNode { .value(.integer(value)) }

  private func aIs(_ value: Int64) -> PredicateNode { .comparison(ComparisonNode(a, .equal, number(value))) }

  @Test func `OR joins predicates`() throws {
    #expect(try tree("a = 1 OR a = 2 || a = 3") == .or([aIs(1), aIs(2), aIs(3)]))
  }

  @Test func `AND joins predicates and binds closer than OR`() throws {
    #expect(try tree("a = 1 AND a = 2 && a = 3") == .and([aIs(1), aIs(2), aIs(3)]))
    #expect(try tree("a = 1 AND a = 2 OR a = 3") == .or([.and([aIs(1), aIs(2)]), aIs(3)]))
  }

  /// See the rule on leading brackets at `PredicateParser`.
  @Test func `a leading bracket groups its operands`() throws {
    #expect(try tree("(a = 1 AND a = 2) AND a = 3") == .and([aIs(1), aIs(2), aIs(3)]))
    #expect(try tree("((a = 1 OR a = 2) OR a = 3) || a = 4") == .or([aIs(1), aIs(2), aIs(3), aIs(4)]))
    #expect(try tree("a = 1 AND (a = 2 AND a = 3)") == .and([aIs(1), .and([aIs(2), aIs(3)])]))
    #expect(try tree("(a = 1 OR a = 2) AND a = 3") == .and([.or([aIs(1), aIs(2)]), aIs(3)]))
  }

  @Test func `NOT negates the next predicate`() throws {
    #expect(try tree("NOT a = 1") == .not(aIs(1)))
    #expect(try tree("!(a = 1) and a = 2") == .and([.not(aIs(1)), aIs(2)]))
    #expect(try tree("(((a = 1)))") == aIs(1))
  }

  @Test func `TRUEPREDICATE and FALSEPREDICATE are constants`() throws {
    #expect(try tree("TRUEPREDICATE AND falsepredicate") == .and([.constant(true), .constant(false)]))
  }

  @Test func `a predicate may be an argument`() throws {
    #expect(
      try tree("%@ AND a = %d", NSPredicate(format: "a = 1 OR a = 2"), 3) == .and([.or([aIs(1), aIs(2)]), aIs(3)]))
  }

  @Test func `quantifiers precede a comparison`() throws {
    let any = ComparisonNode(a, .less, number(1), quantifier: .any)
    let all = ComparisonNode(a, .less, number(1), quantifier: .all)
    #expect(try tree("ANY a < 1") == .comparison(any) && tree("some a < 1") == .comparison(any))
    #expect(try tree("ALL a < 1") == .comparison(all) && tree("NONE a < 1") == .not(.comparison(any)))
  }

  @Test(
    arguments: [
      ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual),
      ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual), (" BETWEEN ", .between),
      (" IN ", .in), (" CONTAINS ", .contains), (" BEGINSWITH ", .beginsWith), (" endswith ", .endsWith),
      (" like ", .like), (" MATCHES ", .matches),
    ] as [(String, ComparisonNode.Operator)])
  func `every spelling of an operator is parsed`(text: String, expected: ComparisonNode.Operator) throws {
    #expect(try tree("a\(text)b") == .comparison(ComparisonNode(a, expected, b)))
  }

  @Test func `options follow the operator`() throws {
    let all: ComparisonNode.Options = [.caseInsensitive, .diacriticInsensitive, .normalized]
    #expect(try tree("a ==[cdn] b") == .comparison(ComparisonNode(a, .equal, b, options: all)))
    #expect(try tree("a IN[C] b") == .comparison(ComparisonNode(a, .in, b, options: .caseInsensitive)))
    #expect(throws: PredicateSyntaxError.self) { try tree("a ==[l] b") }
  }

  @Test func `set operations are left-associative`() throws {
    let union = ExpressionNode.setOperation(.union, a, b)
    #expect(try node("a UNION b") == union)
    #expect(try node("a union b MINUS c") == .setOperation(.minus, union, c))
    #expect(try node("a INTERSECT (b MINUS c)") == .setOperation(.intersect, a, .setOperation(.minus, b, c)))
  }

  @Test(
    arguments: [
      ("|", .bitwiseOr), ("^", .bitwiseXor), ("&", .bitwiseAnd), ("<<", .leftshift), (">>", .rightshift),
    ] as [(String, ExpressionFunction)])
  func `bitwise operators are left-associative`(sign: String, function: ExpressionFunction) throws {
    #expect(try node("a \(sign) b") == .function(function, [a, b]))
    #expect(try node("a\(sign)b \(sign) c") == .function(function, [.function(function, [a, b]), c]))
    #expect(try node("a \(sign) b + 1") == node("a \(sign) (b + 1)"))
    #expect(try node(function.rawValue + "(a, b)").description == "a \(sign) b")
    #expect(try tree("a \(sign) 4 == 4") == tree("(a \(sign) 4) == 4"))
    #expect(try tree("!(a \(sign) 4 != 0) && b = 1") == tree("NOT (a \(sign) 4) != 0 AND b = 1"))
  }

  @Test func `bitwise operators have the precedence of C`() throws {
    #expect(try node("a | b ^ c & 1 << 2") == node("a | (b ^ (c & (1 << 2)))"))
    #expect(try node("1 << 2 & c ^ b | a") == node("(((1 << 2) & c) ^ b) | a"))
    #expect(try node("a << 1 >> 2") == node("(a << 1) >> 2"))
    #expect(try node("a & b UNION c | 1") == node("(a & b) UNION (c | 1)"))
    #expect(try node("~a & -b") == .function(.bitwiseAnd, [.function(.onesComplement, [a]), node("-b")]))
    #expect(try node("~~a ** 2").description == "~~a ** 2")
    #expect(try node("(~a) ** ~2").description == "(~a) ** ~2")
  }

  @Test func `sums are left-associative`() throws {
    #expect(try node("a + b - c") == .function(.subtract, [.function(.add, [a, b]), c]))
    #expect(try node("a - (b + c)") == .function(.subtract, [a, .function(.add, [b, c])]))
    #expect(try node("a -1") == .function(.subtract, [a, number(1)]))
  }

  @Test func `multiplication binds closer than addition`() throws {
    #expect(try node("a + b * c") == .function(.add, [a, .function(.multiply, [b, c])]))
    #expect(try node("(a + b) / c") == .function(.divide, [.function(.add, [a, b]), c]))
    let twice = ExpressionNode.function(.multiply, [.function(.add, [a, b]), number(2)])
    #expect(try tree("(a + b) * 2 > c") == .comparison(ComparisonNode(twice, .greater, c)))
  }

  @Test func `a sign belongs to a number or negates an expression`() throws {
    #expect(try node("-5") == number(-5) && node("+5") == number(5) && node("a - -5") == node("a - (-5)"))
    #expect(try node("-a") == .function(.subtract, [number(0), a]))
    #expect(try node("-9223372036854775808") == number(.min))
  }

  @Test func `powers are right-associative`() throws {
    #expect(try node("a ** b ** c") == .function(.raise, [a, .function(.raise, [b, c])]))
    #expect(try node("-2 ** 2") == .function(.subtract, [number(0), .function(.raise, [number(2), number(2)])]))
    #expect(try node("a * b ** -1") == .function(.multiply, [a, .function(.raise, [b, number(-1)])]))
  }

  @Test func `key paths and indexes follow any expression`() throws {
    #expect(try node("$x.name") == .path(of: .variable("x"), ["name"]))
    #expect(try node("(a + b).description") == .path(of: .function(.add, [a, b]), ["description"]))
    #expect(try node("{1, 2}.@max.self") == .path(of: .value(.list([.integer(1), .integer(2)])), ["@max", "self"]))
    #expect(try node("a[0].b") == .path(of: .element(of: a, .at(number(0))), ["b"]))
    #expect(try node("SELF.a.b") == .keyPath(["a", "b"]))
  }

  @Test func `an index is FIRST, LAST, SIZE or an expression`() throws {
    #expect(try node("a[FIRST]") == .element(of: a, .first) && node("a[last]") == .element(of: a, .last))
    #expect(try node("a[SIZE]") == .element(of: a, .size) && node("a[%d]", 3) == .element(of: a, .at(number(3))))
    #expect(try node("a['x']") == .element(of: a, .at(.value(.string("x")))))
    #expect(try node("a[b + 1][#first]") == .element(of: node("a[b + 1]"), .at(.keyPath(["first"]))))
  }

  @Test func `primary expressions are parsed`() throws {
    #expect(try node("((a))") == a && node("SELF") == .evaluatedObject && node("$x") == .variable("x"))
    #expect(try node("{}") == .value(.list([])) && node("{a, 1}") == .aggregate([a, number(1)]))
    #expect(try node("YES") == .value(.bool(true)) && node("NO") == .value(.bool(false)))
    #expect(try node("NULL") == .value(.null) && node("nil") == .value(.null))
    #expect(try node("ANYKEY") == node("*"))
  }

  @Test func `format specifiers take arguments`() throws {
    #expect(try node("%@", NSExpression(forKeyPath: "a")) == a)
    #expect(try node("%d + %ld + %lld", 1, 2, 3) == node("1 + 2 + 3"))
    #expect(try node("%i + %u + %lu + %x + %hd", 1, 2, 3, 4, 5) == node("1 + 2 + 3 + 4 + 5"))
    #expect(try node("%f", 1) == .value(.real(1)) && node("%g", 1.5) == .value(.real(1.5)))
    #expect(try node("%c", 65) == .value(.string("A")) && node("%s", "text") == .value(.string("text")))
    #expect(throws: PredicateSyntaxError.self) { try node("%s", 5) }
  }

  @Test func `key paths may contain operators, keywords and arguments`() throws {
    #expect(try node("a.@count") == .keyPath(["a", "@count"]) && node("a.#in") == .keyPath(["a", "in"]))
    #expect(try node("%K.%K", "a.b", "c") == .keyPath(["a", "b", "c"]) && node("#self") == .keyPath(["self"]))
    #expect(try node("a.@distinctUnionOfObjects.b") == .keyPath(["a", "@distinctUnionOfObjects", "b"]))
    for word in ["first", "size", "union", "cast", "subquery", "function", "ternary", "sum"] {
      #expect(try node(word) == .keyPath([word]))
    }
  }

  @Test func `CAST converts constants when parsed`() throws {
    #expect(try node("CAST(a, 'NSNumber')") == .function(.cast, [a, .value(.string("NSNumber"))]))
    #expect(try node("CAST(5, 'NSDate')") == .value(.date(Date(timeIntervalSinceReferenceDate: 5))))
    #expect(try node("CAST('5', 'NSDecimalNumber')") == .value(.decimal(5)))
    #expect(try node("CAST(now(), 'NSNumber') - 60") == node("castObject:toType:(now(), 'NSNumber') - 60"))
    #expect(throws: PredicateSyntaxError.self) { try node("CAST(a, 'NSView')") }
  }

  @Test func `TERNARY is a conditional`() throws {
    #expect(try node("TERNARY(a = 1 OR a = 2, b, c)") == .conditional(.or([aIs(1), aIs(2)]), b, c))
  }

  @Test func `SUBQUERY has a collection, a variable and a predicate`() throws {
    let inner = PredicateNode.comparison(ComparisonNode(.path(of: .variable("x"), ["mag"]), .greater, number(5)))
    let subquery = ExpressionNode.subquery(a, variable: "x", inner)
    #expect(try node("SUBQUERY(a, $x, $x.mag > 5)") == subquery)
    #expect(
      try tree("SUBQUERY(a, $x, $x.mag > 5).@count > 0")
        == .comparison(ComparisonNode(.path(of: subquery, ["@count"]), .greater, number(0))))
  }

  @Test func `FUNCTION calls functions by their selector`() throws {
    #expect(try node("FUNCTION(a, 'add:to:', b)") == .function(.add, [a, b]))
    #expect(try node("FUNCTION(a, 'uppercaseString')") == .function(.uppercase, [a]))
    #expect(try node("FUNCTION($x, 'valueForKeyPath:', 'a.b')") == .path(of: .variable("x"), ["a", "b"]))
    let error = #expect(throws: PredicateSyntaxError.self) { try node("FUNCTION(a, 'myMethod:', b)") }
    #expect(error?.description.contains("objects on Linux have no selectors") == true && error?.column == 13)
  }

  @Test(arguments: ExpressionFunction.allCases)
  func `every function is called by its selector`(function: ExpressionFunction) throws {
    let arguments: [ExpressionNode] =
      function == .cast
      ? [a, .value(.string("NSString"))] : Array([a, b].prefix(function.argumentCount))
    let text = arguments.map(\.description).joined(separator: ", ")
    #expect(try node("\(function.rawValue)(\(text))") == .function(function, arguments))
    if function.argumentCount < 2 {
      #expect(try node("\(function.rawValue.replacing(":", with: ""))(\(text))") == .function(function, arguments))
    }
  }

  @Test(arguments: [
    ("12", PredicateValue.integer(12)), ("1.5", .real(1.5)), ("2e3", .real(2000)), ("2.5E-1", .real(0.25)),
    ("0x1f", .integer(31)), ("0o17", .integer(15)), ("0b101", .integer(5)), ("-0b11", .integer(-3)),
  ])
  func `numbers are parsed in every notation`(text: String, expected: PredicateValue) throws {
    #expect(try node(text) == .value(expected))
  }
}
