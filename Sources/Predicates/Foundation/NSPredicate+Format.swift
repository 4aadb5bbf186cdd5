import Foundation

extension NSPredicate {
  /// Creates a predicate from a format string. `%@`, `%K`, `%d`, `%f` and similar specifiers stand for the arguments in
  /// order.
  ///
  /// ```swift
  /// let strong = NSPredicate(
  ///   format: "magnitude >= %f AND region.name ==[cd] %@", 6.0, "tonga")
  /// let yesterday = Date.now.addingTimeInterval(-86_400)
  /// let recent = NSPredicate(format: "%K > %@", "time", yesterday as NSDate)
  /// let felt = NSPredicate(format: "ANY tags.name IN %@", ["felt", "tsunami"])
  /// ```
  ///
  /// Arguments are strings, numbers, Booleans, dates, data, UUIDs, URLs, arrays and sets of them (Swift's or
  /// Foundation's), managed objects, their IDs, and nil. A format that cannot be parsed stops the program and names the
  /// column.
  public convenience init(format predicateFormat: String, _ args: Any?...) {
    self.init(predicateFormat, values: args)
  }

  /// Creates a predicate from a format string with its arguments in an array.
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

  /// Does nothing: unarchived predicates need no permission here.
  public func allowEvaluation() {}

  /// Returns the predicate with each `$NAME` replaced by its value.
  ///
  /// A variable without a value, or a value that is not one of the predicate language, stops the program. So does a
  /// compound predicate of a class of the program's own.
  ///
  /// ```swift
  /// let template = NSPredicate(format: "magnitude > $least")  // Parsed once.
  /// let quakes = NSFetchRequest<Quake>(entityName: "Quake")
  /// quakes.predicate = template.withSubstitutionVariables(["least": 6])
  /// ```
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let bound: NSPredicate
    switch self {
    // First, because a cast to a final class costs a tenth of one to a protocol.
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
        "Unable to substitute variables in a predicate of the class \(Self.self), which only the program can copy. "
          + "Use NSCompoundPredicate itself.")
    }
    return bound
  }

  private static func bound(
    _ predicate: any TreePredicate, bind: () throws(PredicateEvaluationError) -> NSPredicate
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
