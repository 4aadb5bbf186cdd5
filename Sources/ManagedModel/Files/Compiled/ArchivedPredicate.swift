import Foundation
import StrataPredicates
import StrataSupport

/// Decodes Apple's archives of `NSPredicate` and `NSExpression` into trees.
///
/// The numbers are Apple's; Foundation on Linux has some different ones. Parts with undocumented keys are recognized by
/// class.
package struct ArchivedPredicate {
  /// The obstacle to a tree: a class, a number or a constant that this framework does not support in predicates.
  package struct Unreadable: Error {
    package var problem: String

    package init(problem: String) { self.problem = problem }
  }

  let archive: KeyedArchive
  /// The objects that contain the current one.
  private var around: [KeyedArchive.UID] = []

  /// - Parameter archive: the archive that contains the predicates and expressions.
  package init(archive: KeyedArchive) { self.archive = archive }

  /// Returns a reader for the parts of an object. In a damaged archive, an object may contain itself.
  private func within(_ object: ArchivedObject) throws(Unreadable) -> ArchivedPredicate {
    guard !around.contains(object.uid), around.count < 100 else {
      throw Unreadable(problem: "a part that it is a part of, or more than 100 parts in each other")
    }
    var inner = self
    inner.around.append(object.uid)
    return inner
  }

  func predicate(_ object: ArchivedObject) throws(Unreadable) -> PredicateNode {
    let inner = try within(object)
    switch object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": return try inner.compound(object)
    case "NSComparisonPredicate": return try inner.comparison(object)
    default: throw Unreadable(problem: "a predicate of the class \(object.className)")
    }
  }

  private func compound(_ object: ArchivedObject) throws(Unreadable) -> PredicateNode {
    var nodes: [PredicateNode] = []
    for member in object.members("NSSubpredicates") {
      guard case .object(let uid) = member, let part = archive.object(uid) else { continue }
      nodes.append(try predicate(part))
    }
    switch object.integer("NSCompoundPredicateType") {
    case 0:
      guard let node = nodes.first else { throw Unreadable(problem: "a negation of nothing") }
      return .not(node)
    case 1: return nodes.count == 1 ? nodes[0] : .and(nodes)
    case 2: return nodes.count == 1 ? nodes[0] : .or(nodes)
    case let type: throw Unreadable(problem: "a compound predicate of the type \(type ?? -1)")
    }
  }

  private func comparison(_ object: ArchivedObject) throws(Unreadable) -> PredicateNode {
    guard let sign = object.object("NSPredicateOperator"), let left = object.object("NSLeftExpression"),
      let right = object.object("NSRightExpression")
    else { throw Unreadable(problem: "a comparison without an operator or a side") }
    let type = sign.integer("NSOperatorType") ?? -1
    guard let comparison = ComparisonNode.Operator(appleNumber: type) else {
      throw Unreadable(problem: "a comparison of the type \(type)")
    }
    let quantifier: ComparisonNode.Quantifier =
      switch sign.integer("NSModifier") {
      case 1: .all
      case 2: .any
      default: .one
      }
    // Membership operators have their options under another key.
    let options = sign.integer("NSOptions") ?? sign.integer("NSFlags") ?? 0
    return .comparison(
      ComparisonNode(
        try expression(left), comparison, try expression(right), quantifier: quantifier,
        options: ComparisonNode.Options(rawValue: UInt8(truncatingIfNeeded: options & 7))))
  }
}

extension ComparisonNode.Operator {
  /// Creates an operator from the raw value of Apple's `NSComparisonPredicate.Operator`.
  fileprivate init?(appleNumber: Int) {
    switch appleNumber {
    case 0: self = .less
    case 1: self = .lessOrEqual
    case 2: self = .greater
    case 3: self = .greaterOrEqual
    case 4: self = .equal
    case 5: self = .notEqual
    case 6: self = .matches
    case 7: self = .like
    case 8: self = .beginsWith
    case 9: self = .endsWith
    case 10: self = .in
    case 99: self = .contains
    case 100: self = .between
    default: return nil
    }
  }
}

extension ArchivedPredicate {
  package func expression(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    let inner = try within(object)
    switch object.className {
    case "NSConstantValueExpression": return try constant(object)
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(object.text("NSVariable") ?? "")
    case "NSKeyPathSpecifierExpression": return .keyPath(path(object))
    case "NSKeyPathExpression", "NSFunctionExpression": return try inner.function(object)
    case "NSAggregateExpression": return .list(try inner.expressions(object.members("NSCollection")))
    case "NSSetExpression": return try inner.setOperation(object)
    case "NSSubqueryExpression": return try inner.subquery(object)
    case "NSTernaryExpression": return try inner.conditional(object)
    case "NSFetchRequestExpression": return try inner.fetch(object)
    default: throw Unreadable(problem: "an expression of the class \(object.className)")
    }
  }

  private func expressions(_ values: [KeyedArchive.Value]) throws(Unreadable) -> [ExpressionNode] {
    var nodes: [ExpressionNode] = []
    for case .object(let uid) in values {
      if let object = archive.object(uid) { nodes.append(try expression(object)) }
    }
    return nodes
  }

  private func constant(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    guard let value = object["NSConstantValue"] else { return .value(.null) }
    guard let constant = archive.constant(value), let node = PredicateValue(argument: constant) else {
      throw Unreadable(problem: "a constant that is not a value of Foundation's")
    }
    return .value(node)
  }

  private func path(_ object: ArchivedObject) -> [String] {
    (object.text("NSKeyPath") ?? "").split(separator: ".").map(String.init)
  }

  /// A key path is archived as a call of `valueForKeyPath:`.
  private func function(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    let selector = object.text("NSSelectorName") ?? ""
    let arguments = object.members("NSArguments")
    if selector == "valueForKey:" || selector == "valueForKeyPath:",
      case .object(let uid) = arguments.first, let specifier = archive.object(uid)
    {
      let start = try object.object("NSOperand").map(expression) ?? .evaluatedObject
      return start.following(path(specifier))
    }
    // A call on a variable is a message; other functions call a class of Foundation's.
    if let operand = object.object("NSOperand"), operand.className == "NSVariableExpression" {
      return try call(selector, of: try expression(operand), try expressions(arguments))
    }
    return try call(selector, of: nil, try expressions(arguments))
  }

  private func call(
    _ name: String, of target: ExpressionNode?, _ arguments: [ExpressionNode]
  ) throws(Unreadable) -> ExpressionNode {
    do throws(FunctionError) {
      guard let target else { return try ExpressionNode.function(named: name, arguments) }
      return try ExpressionNode.message(named: name, to: target, arguments)
    } catch {
      throw Unreadable(problem: "the function \(name): \(error.description)")
    }
  }

  private func setOperation(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    let parts = object.keys.compactMap(object.object).filter(\.isExpression)
    let operations: [Int: SetOperation] = [5: .union, 6: .intersect, 7: .minus]
    guard parts.count == 2, let operation = operations[object.integer("NSExpressionType") ?? -1] else {
      throw Unreadable(problem: "a set expression of other parts than two")
    }
    // In key order, the left side comes first.
    return .setOperation(operation, try expression(parts[0]), try expression(parts[1]))
  }

  private func subquery(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    let parts = object.keys.compactMap(object.object)
    let predicates = parts.filter { !$0.isExpression }
    let collections = parts.filter { $0.isExpression && $0.className != "NSVariableExpression" }
    let variable = parts.first { $0.className == "NSVariableExpression" }?.text("NSVariable")
    let text = object.keys.compactMap(object.text).first
    guard let name = variable ?? text, predicates.count == 1, collections.count == 1 else {
      throw Unreadable(problem: "a subquery without its parts")
    }
    return .subquery(try expression(collections[0]), variable: name, try predicate(predicates[0]))
  }

  private func fetch(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    guard let request = object.object("NSFRExpression"), let context = object.object("NSMOCExpression") else {
      throw Unreadable(problem: "a fetch without a request or a context")
    }
    return .fetch(
      try expression(request), in: try expression(context), countOnly: object.flag("NSCountOnlyFlag"))
  }

  private func conditional(_ object: ArchivedObject) throws(Unreadable) -> ExpressionNode {
    let parts = object.keys.compactMap { key in object.object(key).map { (key: key, object: $0) } }
    guard let condition = parts.first(where: { !$0.object.isExpression })?.object,
      let first = parts.first(where: { $0.key.contains("True") && $0.object.isExpression })?.object,
      let second = parts.first(where: { $0.key.contains("False") && $0.object.isExpression })?.object
    else { throw Unreadable(problem: "a conditional expression without its parts") }
    return .conditional(try predicate(condition), try expression(first), try expression(second))
  }
}

extension ArchivedObject {
  /// Predicates and expressions are distinguished by their class names.
  fileprivate var isExpression: Bool { className.hasSuffix("Expression") }
}
