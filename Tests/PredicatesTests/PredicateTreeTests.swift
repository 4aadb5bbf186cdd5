import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateTreeTests {
  @Test(arguments: [
    "mag > 5", "mag == 5.0", "mag == -1e+20", "place ==[cd] \"a \\\"quoted\\\" \\\\ line\\n\"", "NOT mag == 1",
    "NOT (a == 1 AND b == 2)", "a == 1 OR (b == 2 AND c == 3)", "(a == 1 OR b == 2) AND NOT c == 3",
    "a == 1 AND (b == 2 AND c == 3)", "ANY a.b > 5", "ALL a.b CONTAINS[c] \"x\"", "NOT ANY a == 1", "SELF == 5",
    "SELF IN {1, 2.5, \"c\", nil, TRUE}", "a BETWEEN {$LOW, b}", "#in == 1", "a.@count > 3", "TRUEPREDICATE",
    "a == {}", "a == CAST(5.250000, \"NSDate\")", "a == CAST(\"AQI=\", \"NSData\")",
    "a == CAST(\"1.25\", \"NSDecimalNumber\")",
    "a == CAST(\"https://example.org/a\", \"NSURL\")",
    "a == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")", "a == CAST(\"inf\", \"NSNumber\")",
    "a LIKE \"x*\"", "a MATCHES \"x\\\\d\"", "a BEGINSWITH[n] \"x\"", "a ENDSWITH[cdn] \"x\"", "5 <= a",
  ])
  func `a tree's text parses to the same tree`(text: String) throws {
    let tree = try PredicateParser.tree(text)
    #expect(tree.description == text)
    #expect(try PredicateParser.tree(tree.description) == tree)
  }

  @Test func `empty compounds have a text`() {
    #expect(PredicateNode.and([]).description == "TRUEPREDICATE")
    #expect(PredicateNode.or([]).description == "FALSEPREDICATE")
  }

  @Test func `an empty AND is true, and an empty OR is false`() throws {
    #expect(try PredicateNode.and([]).evaluate(on: Quake()))
    #expect(try PredicateNode.or([]).evaluate(on: Quake()) == false)
  }

  @Test func `values are rewritten wherever they occur`() throws {
    let quake = Quake()
    let tree = try PredicateParser.tree("a == %@ OR NOT b IN %@ OR c == {d, %@}", arguments: [quake, [quake], quake])
    let mapped = tree.mappingValues { value in
      guard case .reference = value else { return value }
      return .row(7)
    }
    #expect(mapped.description == "a == <row 7> OR NOT b IN {<row 7>} OR c == {d, <row 7>}")
  }

  @Test func `a tree lists its key paths and variables`() throws {
    let tree = try PredicateParser.tree("a.b == 1 AND (c > d OR NOT $X == {a.b, $Y})")
    #expect(tree.keyPaths == [["a", "b"], ["c"], ["d"]])
    #expect(tree.variables == ["X", "Y"])
  }

  @Test func `variables are replaced by their values`() throws {
    let tree = try PredicateParser.tree("a == $A AND b BETWEEN {$A, $B}")
    let bound = try tree.substituting(variables: ["A": .integer(1), "B": .null])
    #expect(bound == (try PredicateParser.tree("a == 1 AND b BETWEEN {1, nil}")))
    #expect(throws: PredicateEvaluationError.unboundVariable("B")) {
      try tree.substituting(variables: ["A": .integer(1)])
    }
  }
}
