import Foundation

/// The predicate that `NSPredicate(format:)` makes: a tree as an object.
package final class FormatPredicate: NSPredicate {
  package let node: PredicateNode

  package init(_ node: PredicateNode) {
    self.node = node
    super.init { _, _ in preconditionFailure("A format predicate answers by its tree.") }
  }

  override package var predicateFormat: String { node.description }

  override package var description: String { node.description }

  override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    do throws(PredicateEvaluationError) {
      let bound = if let bindings { try node.substituting(arguments: bindings) } else { node }
      return try bound.evaluate(on: PredicateAnswer(plain: object))
    } catch {
      fatalError("Unable to evaluate the predicate \"\(node)\": \(error)")
    }
  }

  // The tree never changes, so a copy is the predicate itself.
  override package func copy(with zone: NSZone? = nil) -> Any { self }

  override package func isEqual(_ object: Any?) -> Bool { (object as? FormatPredicate)?.node == node }

  override package var hash: Int { node.hashValue }
}

/// Lets an initializer of an extension return a subclass; a class's own initializer cannot replace `self`.
private protocol FormatReading {}

extension NSPredicate: FormatReading {}

extension FormatReading {
  fileprivate init(format: String, values: [Any?]) {
    do throws(PredicateSyntaxError) {
      let predicate: NSPredicate = FormatPredicate(try PredicateReader.tree(format, arguments: values))
      // The initializer is called on NSPredicate, of which the format predicate is a subclass.
      self = predicate as! Self
    } catch {
      fatalError("\(error)")
    }
  }
}

extension NSPredicate {
  /// A predicate from a format string; `%@`, `%K`, `%d`, `%f` and their kin stand for the arguments in their order.
  ///
  /// Arguments are strings, numbers, booleans, dates, data, UUIDs, URLs, arrays and sets of them (Swift's or
  /// Foundation's), managed objects, their ids, and nil. A format that cannot be parsed stops the program and names
  /// the column.
  public convenience init(format predicateFormat: String, _ args: Any?...) {
    self.init(format: predicateFormat, values: args)
  }

  /// A predicate from a format string with its arguments in an array.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(format: predicateFormat, values: arguments ?? [])
  }

  /// The predicate with each `$NAME` replaced by its value. A variable without a value, or a value that a predicate
  /// cannot hold, stops the program.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let bound: NSPredicate
    switch self {
    case let predicate as FormatPredicate:
      do throws(PredicateEvaluationError) {
        bound = FormatPredicate(try predicate.node.substituting(arguments: variables))
      } catch {
        fatalError("Unable to substitute variables in the predicate \"\(predicate.node)\": \(error)")
      }
    case let compound as NSCompoundPredicate:
      bound = NSCompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: compound.subpredicates.map { $0.withSubstitutionVariables(variables) })
    default: bound = self
    }
    // Each case above makes an object of the class that it replaces.
    return bound as! Self
  }
}

extension PredicateNode {
  fileprivate func substituting(arguments: [String: Any]) throws(PredicateEvaluationError) -> PredicateNode {
    var values: [String: PredicateValue] = [:]
    for name in variables {
      guard let argument = arguments[name] else { throw .unboundVariable(name) }
      guard let value = PredicateValue(argument: argument) else { throw .unboundVariable(name) }
      values[name] = value
    }
    return try substituting(variables: values)
  }
}
