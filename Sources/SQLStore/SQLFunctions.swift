import Predicates
import SQLiteEngine

/// The text operators of predicates as SQL functions, so that a fetch answers in SQL what it would in memory.
/// The last argument of each is the raw value of the options.
enum SQLFunctions {
  static func define(on connection: Connection) {
    connection.defineTriggerFunctions()
    connection.defineCollations()
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

  private static func options(_ arguments: FunctionArguments, _ index: Int) -> PredicateText.Options {
    PredicateText.Options(rawValue: UInt8(truncatingIfNeeded: arguments.integer(index)))
  }
}
