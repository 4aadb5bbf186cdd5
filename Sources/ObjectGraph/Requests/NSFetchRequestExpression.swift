// Predicates first: the compiler would otherwise warn that NSExpression is deprecated in Foundation.
// swift-format-ignore: OrderedImports
import StrataPredicates
import Foundation
import StrataRuntime

/// An expression whose value is the result of a fetch request: the objects, or their number.
///
/// In a fetch's own predicate it is evaluated once, before the store is queried, and without the offset of its request,
/// since offsets have no meaning inside other requests.
///
/// See <https://developer.apple.com/documentation/coredata/nsfetchrequestexpression>
public final class NSFetchRequestExpression: NSExpression, NodeExpression, BridgedSubclass {
  @usableFromInline package final var contents: AnyObject?

  // Only `expression(forFetch:context:countOnly:)` creates one.
  private var parts: FetchExpressionParts { unsafeDowncast(contents.unsafelyUnwrapped, to: FetchExpressionParts.self) }

  /// Returns an expression for the result of a fetch request.
  /// - Parameters:
  ///   - fetch: an expression for the fetch request, usually a constant.
  ///   - context: an expression for the context that executes it.
  ///   - countFlag: whether the value is the number of objects.
  public class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    made(of: FetchExpressionParts(request: fetch, context: context, isCountOnly: countFlag))
  }

  /// The expression for the fetch request.
  public var requestExpression: NSExpression { parts.request }

  /// The expression for the context that executes it.
  public var contextExpression: NSExpression { parts.context }

  /// Whether the value is the number of objects.
  public var isCountOnlyRequest: Bool { parts.isCountOnly }

  package var expressionNode: ExpressionNode { parts.node }

  /// The expression in the predicate language.
  public override var description: String { expressionNode.text(.format) }

  // The parts are immutable, so a copy is the expression itself.
  /// Returns the expression itself, which is immutable.
  public override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another expression has the same parts.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequestExpression else { return false }
    return self === other
      || parts.isCountOnly == other.parts.isCountOnly && parts.request.isEqual(other.parts.request)
        && parts.context.isEqual(other.parts.context)
  }

  /// A hash that is equal for equal expressions.
  public override var hash: Int { parts.isCountOnly ? 1 : 0 }
}

/// The parts of a fetch request expression.
final class FetchExpressionParts {
  let request: NSExpression
  let context: NSExpression
  let isCountOnly: Bool

  init(request: NSExpression, context: NSExpression, isCountOnly: Bool) {
    self.request = request
    self.context = context
    self.isCountOnly = isCountOnly
  }

  var node: ExpressionNode {
    do throws(UnreadableExpressionError) {
      return .fetch(try request.node, in: try context.node, countOnly: isCountOnly)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// A request inside an expression. A store may be unable to evaluate its predicate, since the fetch is internal: the
/// source of a mapping, or a side of a comparison.
extension NSFetchRequest: PredicateFetchRequest {
  package var withoutOffset: any PredicateFetchRequest {
    guard fetchOffset != 0 else { return self }
    let request: NSFetchRequest<ResultType> = ofResult()
    request.fetchOffset = 0
    return request
  }

  package func predicateResult(
    in context: AnyObject?, countOnly: Bool
  ) throws(PredicateEvaluationError) -> PredicateResult {
    guard let context = context as? NSManagedObjectContext else {
      throw .noResult("FETCH", reason: "its second part is not a managed object context.")
    }
    do {
      return try context.performAndWait {
        if countOnly { return .value(.integer(Int64(try context.countFiltering(self)))) }
        return .members(try context.fetchFiltering(self).map { PredicateResult(plain: $0) })
      }
    } catch {
      throw .noResult("FETCH(\(entityName ?? ""))", reason: "\(error.localizedDescription)")
    }
  }
}
