import Synchronization

/// An object bound to a variable that understands messages: `FUNCTION($manager, "name:", argument)`. Swift on Linux
/// cannot call methods by selector, so the object gets the name.
package protocol PredicateMessageReceiver: AnyObject {
  /// The result of a message; nil if the object does not understand it.
  func predicateResult(
    toMessage name: String, _ arguments: [PredicateResult]
  ) throws(PredicateEvaluationError) -> PredicateResult?
}

/// A message's name; one instance per name, so that equal messages have the same source.
final class ExpressionMessage: Sendable {
  let name: String

  private init(_ name: String) { self.name = name }

  private static let known = Mutex<[String: ExpressionMessage]>([:])

  private static func named(_ name: String) -> ExpressionMessage {
    known.withLock { known in
      if let message = known[name] { return message }
      let message = ExpressionMessage(name)
      known[name] = message
      return message
    }
  }

  /// A message to the value of a variable, which is not known before evaluation.
  static func node(
    _ name: String, to target: ExpressionNode, arguments: [ExpressionNode]
  ) throws(FunctionError) -> ExpressionNode {
    let count = name.count { $0 == ":" }
    guard arguments.count == count else {
      let needed = "\(count) argument\(count == 1 ? "" : "s")"
      throw FunctionError(description: "The message \"\(name)\" takes \(needed), given \(arguments.count).")
    }
    let message = named(name)
    let parts = [target.description, PredicateValue.string(name).description] + arguments.map(\.description)
    let text = "FUNCTION(\(parts.joined(separator: ", ")))"
    return .opaque(
      OpaqueExpression(text, arguments: [target] + arguments, source: message) {
        _, results throws(PredicateEvaluationError) in try message.result(results, text: text)
      })
  }

  private func result(
    _ results: [PredicateResult], text: String
  ) throws(PredicateEvaluationError) -> PredicateResult {
    if case .value(.null) = results[0] { return .value(.null) }
    let receiver = results[0].object
    if let known = receiver as? any PredicateMessageReceiver,
      let result = try known.predicateResult(toMessage: name, Array(results.dropFirst()))
    {
      return result
    }
    // A message without arguments reads a property: `FUNCTION($manager, "sourceContext")`.
    if results.count == 1, let subject = receiver as? any PredicateSubject {
      let result = subject.predicateResult(forKey: name)
      if case .unknownKey = result {} else { return result }
    }
    throw .noResult(text, reason: "the object does not understand \"\(name)\".")
  }
}

extension ExpressionNode {
  /// Whether the expression is a variable or a path from one.
  var startsWithVariable: Bool {
    switch self {
    case .variable: true
    case .path(let start, _): start.startsWithVariable
    default: false
    }
  }
}
