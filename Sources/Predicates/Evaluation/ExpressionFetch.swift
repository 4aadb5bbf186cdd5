import Foundation

/// A fetch request, which lies above this module, as `FETCH(request, context, NO)` asks it.
package protocol PredicateFetchRequest: NSObject {
  /// The request as it is asked inside of another one.
  var withoutOffset: any PredicateFetchRequest { get }
  /// What the request finds in a context: the objects, or how many there are.
  func predicateAnswer(
    in context: AnyObject?, countOnly: Bool
  ) throws(PredicateEvaluationError) -> PredicateAnswer
}

/// The source of an expression that fetches: its arguments are the request and the context.
package final class ExpressionFetch: Sendable {
  private let isCountOnly: Bool

  private init(isCountOnly: Bool) { self.isCountOnly = isCountOnly }

  // One object for each, so that equal fetches are of one source.
  private static let ofObjects = ExpressionFetch(isCountOnly: false)
  private static let ofCount = ExpressionFetch(isCountOnly: true)

  fileprivate static func node(
    _ request: ExpressionNode, _ context: ExpressionNode, countOnly: Bool
  ) -> ExpressionNode {
    let fetch = countOnly ? ofCount : ofObjects
    let text = "FETCH(\(request), \(context), \(countOnly ? "YES" : "NO"))"
    return .opaque(
      OpaqueExpression(text, arguments: [request, context], source: fetch) {
        _, parts throws(PredicateEvaluationError) in try fetch.answer(parts, text)
      })
  }

  private func answer(
    _ parts: [PredicateAnswer], _ text: String
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    guard let request = parts[0].object as? any PredicateFetchRequest else {
      throw .noAnswer(text, reason: "its first part is \(parts[0]) and no fetch request.")
    }
    return try request.predicateAnswer(in: parts[1].object, countOnly: isCountOnly)
  }
}

extension ExpressionNode {
  /// `FETCH(request, context, NO)`: what a fetch request finds in a context, or how many objects that are.
  package static func fetch(
    _ request: ExpressionNode, in context: ExpressionNode, countOnly: Bool
  ) -> ExpressionNode {
    ExpressionFetch.node(request, context, countOnly: countOnly)
  }
}

extension PredicateAnswer {
  /// The object that the answer is; nil for a plain value and for several objects.
  var object: AnyObject? {
    switch self {
    case .value(.reference(let reference)): reference.object
    case .subject(let subject): subject.predicateObject as AnyObject
    default: nil
    }
  }
}
