import Foundation
import StrataPredicates
import StrataSQLText
import StrataSQLiteEngine

/// The text operators of predicates as SQL functions, so that a fetch answers in SQL what it would in memory.
/// The last argument of each is the raw value of the options.
enum SQLFunctions {
  static func define(on connection: Connection) {
    connection.defineCollations()
    connection.definePacking()
    connection.defineLists()
    defineFunctions(on: connection)
  }

  /// The same for a connection that only reads: most statements need no function, and defining them all takes as long as
  /// reading a hundred rows, so they wait for one that does.
  static func defineForReading(on connection: Connection) {
    connection.defineCollations()
    connection.definePacking()
    connection.defineLists()
    connection.definesLate = defineFunctions
  }

  private static func defineFunctions(on connection: Connection) {
    connection.defineTriggerFunctions()
    defineDerivations(on: connection)
    defineExpressions(on: connection)
    connection.define("STRATA_FOLD", argumentCount: 2) { arguments in
      guard let text = arguments.text(0) else { return .null }
      return .text(PredicateText.folded(text, options(arguments, 1)))
    }
    connection.define("STRATA_LIKE", argumentCount: 3) { arguments in
      guard let text = arguments.text(0), let pattern = arguments.text(1) else { return .truth(false) }
      return .truth(PredicateText.like(text, pattern, options(arguments, 2)))
    }
    connection.define("STRATA_MATCHES", argumentCount: 3) { arguments in
      guard let text = arguments.text(0), let pattern = arguments.text(1) else { return .truth(false) }
      return .truth(try PredicateText.matches(text, pattern, options(arguments, 2)))
    }
  }

  /// Apple's names of what derived attributes are computed with: its triggers say them too.
  private static func defineDerivations(on connection: Connection) {
    connection.define("NSCoreDataCanonical", argumentCount: 1) { arguments in
      arguments.text(0).map { .text(PredicateText.folded($0, [.caseInsensitive, .diacriticInsensitive])) } ?? .null
    }
    connection.define("NSCoreDataToUpper", argumentCount: 1) { arguments in
      arguments.text(0).map { .text($0.uppercased()) } ?? .null
    }
    connection.define("NSCoreDataToLower", argumentCount: 1) { arguments in
      arguments.text(0).map { .text($0.lowercased()) } ?? .null
    }
    connection.define("NSCoreDataNow", argumentCount: 0, isDeterministic: false) { _ in .value(.date(Date())) }
  }

  /// Functions of expressions. Those over many values are ones that SQLite has not, or that would fail or depend on the
  /// order of the rows there.
  private static func defineExpressions(on connection: Connection) {
    for function in ExpressionFunction.allCases where function.argumentCount > 0 {
      let name = SQLDialect.functionName(function)
      if function.isAggregate {
        connection.defineAggregate(name) { .value(ExpressionArithmetic.result(of: function, members: $0)) }
        connection.define(name + "_OF", argumentCount: -1) { arguments in
          .value(ExpressionArithmetic.result(of: function, members: arguments.values()))
        }
      } else {
        connection.define(
          name, argumentCount: 2 * function.argumentCount, isDeterministic: function != .randomn
        ) { arguments in
          .value(ExpressionArithmetic.result(of: function, arguments.values()))
        }
      }
    }
    connection.define("STRATA_CAST", argumentCount: 3) { arguments in
      guard let type = arguments.text(2).flatMap(CastType.init) else { return .null }
      return .value(type.cast(arguments.values(1)[0]))
    }
  }

  private static func options(_ arguments: FunctionArguments, _ index: Int) -> PredicateText.Options {
    PredicateText.Options(rawValue: UInt8(truncatingIfNeeded: arguments.integer(index)))
  }
}
