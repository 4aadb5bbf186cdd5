// The module first: for a name that both have, the compiler would otherwise warn that Foundation's is deprecated.
// swift-format-ignore: OrderedImports
@testable import StrataPredicates
import Foundation
import Testing

/// `FETCH(request, context, NO)`, which mapping models use as the source of their objects.
@Suite struct FetchExpressionTextTests {
  private static let message = "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\""

  private final class Context: NSObject {}

  /// Finds two texts in any context.
  private final class Request: NSObject, PredicateFetchRequest {
    var withoutOffset: any PredicateFetchRequest { self }

    func predicateResult(
      in context: AnyObject?, countOnly: Bool
    ) throws(PredicateEvaluationError) -> PredicateResult {
      guard context is Context else { throw .noResult("FETCH", reason: "no context") }
      return countOnly ? .value(.integer(2)) : .members([.value(.string("a")), .value(.string("b"))])
    }
  }

  @Test(
    arguments: [
      (", \"X\", \"TRUEPREDICATE\"), $manager.sourceContext, NO", "NO"),
      (" , \"X\" , \"TRUEPREDICATE\"), $manager.sourceContext, no", "NO"),
      (",'X','TRUEPREDICATE'),$manager.sourceContext,false", "NO"),
      (", 'X', 'TRUEPREDICATE'), $manager.sourceContext , 0", "NO"),
      (", 'X', 'TRUEPREDICATE'), $manager.sourceContext", "NO"),
      (", 'X', 'TRUEPREDICATE'), $manager.sourceContext, YES", "YES"),
      (", 'X', 'TRUEPREDICATE'), $manager.sourceContext, TRUE", "YES"),
    ])
  func `every spelling of FETCH is parsed equally`(text: String, flag: String) throws {
    let node = try PredicateParser.expression("FETCH(\(Self.message)\(text))")
    #expect("\(node)" == "FETCH(\(Self.message), \"X\", \"TRUEPREDICATE\"), $manager.sourceContext, \(flag))")
    #expect(try PredicateParser.expression("\(node)") == node)
    #expect(node.variables == ["manager"])
  }

  @Test func `a function without arguments is parsed`() throws {
    let text = "fetch(FUNCTION($manager ,'request'), FUNCTION($manager, 'sourceContext'), NO)"
    let node = try PredicateParser.expression(text)
    #expect("\(node)" == #"FETCH(FUNCTION($manager, "request"), FUNCTION($manager, "sourceContext"), NO)"#)
  }

  @Test(arguments: ["FETCH($r, $c, MAYBE)", "FETCH($r)", "FETCH($r, $c, NO", "FETCH($r, $c, 'NO')"])
  func `an invalid FETCH expression is refused`(text: String) {
    #expect(throws: PredicateSyntaxError.self) { try PredicateParser.expression(text) }
  }

  @Test func `FETCH executes the request in its context`() throws {
    func value(_ text: String, _ context: NSObject) throws(PredicateEvaluationError) -> Any? {
      let variables = NSMutableDictionary(object: Request(), forKey: "r" as NSString)
      variables.setObject(context, forKey: "c" as NSString)
      return try NSExpression(format: text).evaluated(with: nil, context: variables)
    }
    #expect(try value("FETCH($r, $c, NO)", Context()) as? [String] == ["a", "b"])
    #expect(try value("FETCH($r, $c, YES)", Context()) as? Int == 2)
    #expect(throws: PredicateEvaluationError.self) { try value("FETCH($r, $c, NO)", NSObject()) }
    #expect(throws: PredicateEvaluationError.self) { try value("FETCH($c, $r, NO)", Context()) }
  }

  @Test func `a property may be named fetch`() throws {
    #expect(try PredicateParser.tree("fetch == 1").keyPaths == [["fetch"]])
  }
}
