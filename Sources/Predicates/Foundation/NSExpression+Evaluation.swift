import Foundation

extension NSCopying where Self: NSExpression {
  /// Creates an expression from a format string. `%@`, `%K`, `%d`, `%f` and similar specifiers stand for the arguments
  /// in order, as in `NSPredicate(format:)`. A format that cannot be parsed stops the program and names the column.
  public init(format expressionFormat: String, _ args: Any?...) { self.init(expressionFormat, values: args) }

  /// Creates an expression from a format string with its arguments in an array.
  public init(format expressionFormat: String, argumentArray arguments: [Any]) {
    self.init(expressionFormat, values: arguments)
  }

  private init(_ format: String, values: [Any?]) {
    do throws(PredicateSyntaxError) {
      self.init(replacedBy: TreeExpression.expression(try PredicateParser.expression(format, arguments: values)))
    } catch {
      fatalError("\(error)")
    }
  }

  /// Returns the value of the expression for an object: a number as `NSNumber`, a collection as an array.
  /// - Parameters:
  ///   - object: the object that `SELF` and key paths refer to.
  ///   - context: the values of variables by name.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    do throws(PredicateEvaluationError) {
      return try evaluated(with: object, context: context)
    } catch {
      fatalError("Unable to evaluate the expression \"\(requiredNode)\": \(error)")
    }
  }

  /// The value for an object, for callers that can report errors. Its name keeps it from being a candidate for
  /// `value(forKey:)`.
  package func evaluated(
    with object: Any?, context: NSMutableDictionary?
  ) throws(PredicateEvaluationError) -> Any? {
    let bound = try requiredNode.substituting { name throws(PredicateEvaluationError) in
      guard let value = context?.object(forKey: name) ?? context?.object(forKey: name as NSString) else {
        throw .unboundVariable(name)
      }
      guard let constant = PredicateValue(argument: value) else { throw .unboundVariable(name) }
      return .value(constant)
    }
    return try bound.fixingNow(at: Date()).result(for: PredicateResult(plain: object)).plain
  }

  /// Does nothing: unarchived expressions need no permission here.
  public func allowEvaluation() {}
}

/// Converts results to objects for the program.
extension PredicateResult {
  /// The result for the program: numbers as `NSNumber`, lists as arrays with `NSNull` for nil.
  package var plain: Any? {
    switch self {
    case .value(let value): value.plain
    case .subject(let subject): subject.predicateObject
    case .members(let members): members.map { $0.plain ?? NSNull() }
    case .unknownKey: nil
    }
  }
}

extension PredicateValue {
  /// The value for the program.
  package var plain: Any? {
    switch self {
    case .null: nil
    case .bool(let flag): NSNumber(value: flag)
    case .integer(let integer): NSNumber(value: integer)
    case .real(let real): NSNumber(value: real)
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
    case .string(let text): text
    case .date(let date): date
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let url): url
    case .list(let values): values.map { $0.plain ?? NSNull() }
    case .reference(let reference): reference.object
    case .row(let bits): NSNumber(value: bits)
    }
  }
}
