import Foundation
import StrataPredicates
import StrataSQLText
import StrataSQLiteEngine

/// Predicate operators on text as SQL functions, so that a fetch gives the same results in SQL as in memory. The last
/// argument of each is the raw value of the options.
enum SQLFunctions {
  static func define(on connection: Connection) {
    connection.defineCollations()
    connection.definePacking()
    connection.defineLists()
    defineFunctions(on: connection)
  }

  /// The same for reading connections. Most statements need no function, and defining all of them takes as long as
  /// reading a hundred rows, so they are defined when a statement first needs one.
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
      return .text(PredicateText.folded(text, options: options(arguments, at: 1)))
    }
    connection.define("STRATA_LIKE", argumentCount: 3) { arguments in
      guard let text = arguments.text(0), let pattern = arguments.text(1) else { return .truth(false) }
      return .truth(PredicateText.like(text, pattern, options: options(arguments, at: 2)))
    }
    connection.define("STRATA_MATCHES", argumentCount: 3) { arguments in
      guard let text = arguments.text(0), let pattern = arguments.text(1) else { return .truth(false) }
      return .truth(try PredicateText.matches(text, pattern, options: options(arguments, at: 2)))
    }
  }

  /// The functions that derived attributes use, under Apple's names, which its triggers mention too.
  private static func defineDerivations(on connection: Connection) {
    let texts: [(String, TextDerivation)] = [
      ("NSCoreDataCanonical", .canonical), ("NSCoreDataToUpper", .uppercase), ("NSCoreDataToLower", .lowercase),
    ]
    for (name, derivation) in texts {
      connection.define(name, argumentCount: 1, isForSchema: true) { arguments in
        arguments.text(0).map { .text(derivation.text(of: $0)) } ?? .null
      }
    }
    connection.define("NSCoreDataNow", argumentCount: 0, isDeterministic: false, isForSchema: true) { _ in
      .value(.date(Date()))
    }
  }

  /// Functions for expressions. SQLite lacks these aggregates, or its own fail or depend on the order of rows.
  private static func defineExpressions(on connection: Connection) {
    for function in ExpressionFunction.allCases where function.argumentCount > 0 {
      let name = SQLiteDialect.functionName(function)
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

  private static func options(_ arguments: FunctionArguments, at index: Int) -> PredicateText.Options {
    PredicateText.Options(rawValue: UInt8(truncatingIfNeeded: arguments.integer(index)))
  }
}
