import Foundation

/// A fetch request, which a higher layer defines, as used in `FETCH(request, context, NO)`.
package protocol PredicateFetchRequest: NSObject {
  /// The request as used inside of another fetch request.
  var withoutOffset: any PredicateFetchRequest { get }
  /// Executes the request in a context and returns the objects, or their number.
  func predicateResult(
    in context: AnyObject?, countOnly: Bool
  ) throws(PredicateEvaluationError) -> PredicateResult
}

/// The source of a fetch expression, whose arguments are the request and the context.
package final class ExpressionFetch: Sendable {
  private let isCountOnly: Bool

  private init(isCountOnly: Bool) { self.isCountOnly = isCountOnly }

  // One shared instance of each, so that equal fetches have the same source.
  private static let ofObjects = ExpressionFetch(isCountOnly: false)
  private static let ofCount = ExpressionFetch(isCountOnly: true)

  fileprivate static func node(
    _ request: ExpressionNode, context: ExpressionNode, countOnly: Bool
  ) -> ExpressionNode {
    let fetch = countOnly ? ofCount : ofObjects
    let text = "FETCH(\(request), \(context), \(countOnly ? "YES" : "NO"))"
    return .opaque(
      OpaqueExpression(text, arguments: [request, context], source: fetch) {
        _, parts throws(PredicateEvaluationError) in try fetch.result(parts, text: text)
      })
  }

  private func result(
    _ parts: [PredicateResult], text: String
  ) throws(PredicateEvaluationError) -> PredicateResult {
    guard let request = parts[0].object as? any PredicateFetchRequest else {
      throw .noResult(text, reason: "its first part is \(parts[0]), not a fetch request.")
    }
    return try request.predicateResult(in: parts[1].object, countOnly: isCountOnly)
  }
}

extension ExpressionNode {
  /// `FETCH(request, context, NO)`: the objects that a fetch request finds in a context, or their number.
  package static func fetch(
    _ request: ExpressionNode, in context: ExpressionNode, countOnly: Bool
  ) -> ExpressionNode {
    ExpressionFetch.node(request, context: context, countOnly: countOnly)
  }
}

extension PredicateResult {
  /// The single object in the result; nil for a plain value and for several objects.
  var object: AnyObject? {
    switch self {
    case .value(.reference(let reference)): reference.object
    case .subject(let subject): subject.predicateObject as AnyObject
    default: nil
    }
  }
}
