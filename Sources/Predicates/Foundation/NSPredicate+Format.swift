import Foundation

extension NSPredicate {
  /// A predicate from a format string; `%@`, `%K`, `%d`, `%f` and their kin stand for the arguments in their order.
  ///
  /// Arguments are strings, numbers, booleans, dates, data, UUIDs, URLs, arrays and sets of them (Swift's or
  /// Foundation's), managed objects, their ids, and nil. A format that cannot be parsed stops the program and names
  /// the column.
  public convenience init(format predicateFormat: String, _ args: Any?...) {
    self.init(predicateFormat, values: args)
  }

  /// A predicate from a format string with its arguments in an array.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(predicateFormat, values: arguments ?? [])
  }

  private convenience init(_ format: String, values: [Any?]) {
    do throws(PredicateSyntaxError) {
      self.init(replacedBy: NSPredicate.predicate(with: try PredicateParser.tree(format, arguments: values)))
    } catch {
      fatalError("\(error)")
    }
  }

  /// Does nothing: predicates do not come from archives here, so that none has to be trusted first.
  public func allowEvaluation() {}

  /// The predicate with each `$NAME` replaced by its value. A variable without a value, or a value that a predicate
  /// cannot hold, stops the program; so does a compound predicate of a class of the program's own.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let bound: NSPredicate
    switch self {
    // Before the others: a cast to a class of its own costs a tenth of one to a protocol.
    case let predicate as ComparisonTreePredicate:
      bound = Self.bound(predicate) { () throws(PredicateEvaluationError) in try predicate.bound(variables) }
    case let predicate as any TreePredicate:
      bound = Self.bound(predicate) { () throws(PredicateEvaluationError) in
        .predicate(with: try predicate.node.substituting(arguments: variables))
      }
    case let compound as NSCompoundPredicate:
      bound = NSCompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: compound.subpredicates.map { $0.withSubstitutionVariables(variables) })
    default: bound = self
    }
    guard let bound = bound as? Self else {
      fatalError(
        "Unable to substitute variables in a predicate of the class \(Self.self), of which nobody but the program can make "
          + "another one. Use NSCompoundPredicate itself.")
    }
    return bound
  }

  private static func bound(
    _ predicate: any TreePredicate, _ bind: () throws(PredicateEvaluationError) -> NSPredicate
  ) -> NSPredicate {
    do throws(PredicateEvaluationError) {
      return try bind()
    } catch {
      fatalError("Unable to substitute variables in the predicate \"\(predicate.node)\": \(error)")
    }
  }
}

extension PredicateNode {
  func substituting(arguments: [String: Any]) throws(PredicateEvaluationError) -> PredicateNode {
    try substituting { name throws(PredicateEvaluationError) in
      guard let argument = arguments[name], let value = PredicateValue(argument: argument) else {
        throw .unboundVariable(name)
      }
      return .value(value)
    }
  }
}
