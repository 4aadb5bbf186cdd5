import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

@Suite struct PredicateSyntaxErrorTests {
  /// The number of comparisons is not limited, only their nesting.
  @Test func `many comparisons in sequence are not too deep`() throws {
    let sums = Array(repeating: "a + b - (c * 2) == 1", count: 2_000)
    for text in [sums.joined(separator: " OR "), "(" + sums.joined(separator: ") AND (") + ")"] {
      #expect(throws: Never.self) { try PredicateParser.tree(text) }
    }
  }

  /// The parser refuses excessive nesting before it exhausts the stack, even the small stack of a queue's thread.
  @Test(arguments: [
    ("", "(", "a == 1", ")"), ("", "NOT ", "a == 1", ""), ("a == ", "-", "b", ""), ("a == ", "~", "1", ""),
    ("a == ", "{", "1", "}"), ("a == ", "abs(", "1", ")"), ("a == ", "(", "1", ")"), ("a == ", "1 + ", "1", ""),
    ("a == ", "2 ** ", "1", ""), ("", "a UNION ", "b == 1", ""), ("", "SUBQUERY(a, $x, ", "a == 1", ").@count == 1"),
    ("", "TERNARY(", "a == 1", ", 1, 2) == 1"), ("a", "[0]", " == 1", ""),
  ])
  func `excessive nesting is refused`(head: String, open: String, middle: String, close: String) async {
    let text = { @Sendable (count: Int) in
      head + String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "parser").async {
        for count in [1_000, 20_000] {
          #expect(throws: PredicateSyntaxError.self) { try PredicateParser.tree(text(count)) }
        }
        // Every accepted text has a tree that can be printed.
        for count in [1, 20, 60] { if let tree = try? PredicateParser.tree(text(count)) { _ = "\(tree)" } }
        continuation.resume()
      }
    }
  }

  @Test(arguments: [
    ("", "column 1: expected a value or a key path, found the end"),
    ("mag", "column 4: expected a comparison operator, found the end"),
    ("mag >", "column 6: expected a value or a key path, found the end"),
    ("mag > 5 place", "column 9: expected AND, OR or the end, found \"place\""),
    ("mag > 5 AND", "column 12: expected a value or a key path, found the end"),
    ("mag = AND", "column 7: expected a value or a key path, found \"AND\""),
    ("(mag > 5", "column 9: expected \")\", found the end"),
    ("(mag > 5 OR place)", "column 18: expected a comparison operator, found \")\""),
    ("place == 'x", "column 10: expected a closing ' for the string that starts here"),
    ("place CONTAINS[x] 'x'", "column 16: expected the options c, d or n, found \"x\""),
    ("place CONTAINS[c 'x'", "column 18: expected \"]\", found the string \"x\""),
    ("mag IN {1, 2", "column 13: expected \",\" or \"}\", found the end"),
    ("mag BETWEEN 5", "column 13: expected a list of two after BETWEEN"),
    ("mag BETWEEN {1, 2, 3}", "column 13: expected a list of two after BETWEEN, found a list of 3"),
    ("mag > 5 ; a", "column 9: expected an operator, a value or a name, found \";\""),
    ("region. == 5", "column 9: expected a key, found \"==\""),
    ("# == 5", "column 2: expected a name after \"#\""),
    ("mag > %q", "column 7: expected an argument such as %@, %K, %d or %f after \"%\""),
    ("mag > %@", "column 7: expected an argument for %@, but none was given"),
    ("mag > -", "column 8: expected a value or a key path, found the end"),
    ("a + / == 5", "column 5: expected a value or a key path, found \"/\""),
    ("sum(a == 5", "column 7: expected \",\" or \")\", found \"==\""),
    ("abs:(a, b) == 5", "column 1: The function abs: takes 1 argument, given 2."),
    ("SUBQUERY(a, x, x == 1).@count > 0", "column 13: expected a variable such as $x, found \"x\""),
    ("TERNARY(a == 1, b) == 5", "column 18: expected \",\", found \")\""),
    ("a[FIRST == 5", "column 9: expected \"]\", found \"==\""),
    ("CAST(a, b) == 5", "column 9: expected the name of a class in quotes, found \"b\""),
    ("a == 0x", "column 7: expected AND, OR or the end, found \"x\""),
    ("a == '\\u12'", "column 9: expected four hexadecimal digits after \"\\u\""),
    ("a == CAST('x', 'NSDate')", "column 16: \"x\" cannot be converted to NSDate."),
  ])
  func `an error names the column and the expected token`(format: String, problem: String) {
    let error = #expect(throws: PredicateSyntaxError.self) { try PredicateParser.tree(format) }
    #expect(error?.description == "Unable to parse the format string \"\(format)\": \(problem)")
  }

  /// A bracket may open a predicate or an expression: trying both at each bracket would take exponential time.
  @Test func `nested brackets are parsed once`() throws {
    #expect(throws: PredicateSyntaxError.self) {
      try PredicateParser.tree("NOT" + String(repeating: "((TERNARY(", count: 24) + "x[-")
    }
    var text = "a == 1"
    for _ in 0..<14 { text = "((TERNARY((\(text)), 1, 2)) == 1)" }
    let tree = try PredicateParser.tree(text)
    #expect(try PredicateParser.tree(tree.description) == tree)
  }

  @Test func `an argument of the wrong type is reported`() {
    let number = #expect(throws: PredicateSyntaxError.self) {
      try PredicateParser.tree("mag > %d", arguments: ["five"])
    }
    #expect(number?.problem == "expected a number for %d, given String \"five\"")
    let path = #expect(throws: PredicateSyntaxError.self) { try PredicateParser.tree("%K > 5", arguments: [nil]) }
    #expect(path?.problem == "expected a key path for %K, given nil")
    let value = #expect(throws: PredicateSyntaxError.self) {
      try PredicateParser.tree("mag > %@", arguments: [1...3])
    }
    #expect(
      value?.problem == "expected a value that a predicate can hold for %@, given ClosedRange<Int> \"1...3\"")
  }

  @Test func `an invalid format of a user throws an error`() throws {
    #expect(try NSPredicate(validating: "mag > 5 AND place == 'Lima'").description == #"mag > 5 AND place == "Lima""#)
    #expect(try NSPredicate(validating: "%K > %@", argumentArray: ["mag", 5]).description == "mag > 5")
    for (format, column) in [("mag LIKE", 9), ("mag > > 5", 7), ("mag > %@", 7), ("", 1)] {
      let error = #expect(throws: CocoaError.self) { try NSPredicate(validating: format) }
      #expect(error?.code == .formatting)
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("\"\(format)\": column \(column): "))
    }
  }

  @Test func `an invalid format of the program stops it`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "mag > > 5")
    }
    #expect(
      result.errorText.contains(
        "Unable to parse the format string \"mag > > 5\": column 7: expected a value or a key path"))
  }
}
