import Foundation

/// The reason a function cannot be part of a tree.
package struct FunctionError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

/// Creates functions by name.
extension ExpressionNode {
  /// A function by Foundation's selector. A cast of a constant is evaluated immediately.
  package static func function(
    named name: String, _ arguments: [ExpressionNode]
  ) throws(FunctionError) -> ExpressionNode {
    if name == "objectFrom:withIndex:", arguments.count == 2 {
      return .element(of: arguments[0], ElementIndex(arguments[1]))
    }
    guard let function = ExpressionFunction(rawValue: name) else { throw unknown(name) }
    let isRight = function.isAggregate ? !arguments.isEmpty : arguments.count == function.argumentCount
    guard isRight else {
      let count = function.isAggregate ? "at least 1 argument" : "\(function.argumentCount) argument"
      throw FunctionError(
        description: "The function \(name) takes \(count)\(function.argumentCount == 1 ? "" : "s"), given "
          + "\(arguments.count).")
    }
    return function == .cast ? try cast(arguments[0], to: arguments[1]) : .function(function, arguments)
  }

  private static func unknown(_ name: String) -> FunctionError {
    FunctionError(
      description: name == "distanceToLocation:fromLocation:"
        ? "The function \(name) needs CoreLocation, which is not here."
        : "Unsupported function name: \(name). Known are "
          + ExpressionFunction.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  }

  private static func cast(
    _ value: ExpressionNode, to type: ExpressionNode
  ) throws(FunctionError) -> ExpressionNode {
    guard case .value(.string(let name)) = type, let castType = CastType(rawValue: name) else {
      throw FunctionError(
        description: "A cast to \(type) is not supported. Supported are "
          + CastType.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    guard case .value(let constant) = value else { return .function(.cast, [value, type]) }
    let result = castType.cast(constant)
    guard result != .null || constant == .null else {
      throw FunctionError(description: "\(constant) cannot be converted to \(name).")
    }
    return .value(result)
  }

  /// A message to a value. Without selectors, only messages that have an equivalent function are known; the value of a
  /// variable may understand others.
  package static func message(
    named name: String, to target: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(FunctionError) -> ExpressionNode {
    switch (name, arguments.count) {
    case ("valueForKeyPath:", 1), ("valueForKey:", 1):
      if case .value(.string(let path)) = arguments[0] {
        return target.following(path.split(separator: ".").map(String.init))
      }
      if case .keyPath(let path) = arguments[0] { return target.following(path) }
    case ("objectAtIndex:", 1), ("objectForKey:", 1): return .element(of: target, .at(arguments[0]))
    case ("length", 0): return .function(.length, [target])
    case ("uppercaseString", 0): return .function(.uppercase, [target])
    case ("lowercaseString", 0): return .function(.lowercase, [target])
    case ("count", 0): return .function(.count, [target])
    case ("timeIntervalSinceReferenceDate", 0): return try cast(target, to: .value(.string("NSNumber")))
    case ("timeIntervalSinceDate:", 1): return .function(.subtract, [target, arguments[0]])
    case ("dateByAddingTimeInterval:", 1), ("addTimeInterval:", 1): return .function(.add, [target, arguments[0]])
    default: if ExpressionFunction(rawValue: name) != nil { return try function(named: name, [target] + arguments) }
    }
    if target.startsWithVariable { return try ExpressionMessage.node(name, to: target, arguments: arguments) }
    throw FunctionError(
      description: "FUNCTION cannot send \"\(name)\": objects on Linux have no selectors. Use a function such as "
        + "length:, a key path, or NSExpression(block:arguments:).")
  }
}

extension ElementIndex {
  /// An index in an expression: FIRST, LAST and SIZE are keywords.
  init(_ node: ExpressionNode) {
    switch node {
    case .value(.string("FIRST")): self = .first
    case .value(.string("LAST")): self = .last
    case .value(.string("SIZE")): self = .size
    default: self = .at(node)
    }
  }

  var node: ExpressionNode { if case .at(let node) = self { node } else { .value(.string(text(.exact))) } }
}
