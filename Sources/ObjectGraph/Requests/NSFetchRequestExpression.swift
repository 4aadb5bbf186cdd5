import StrataPredicates

import Foundation

/// An expression that is what a fetch request finds: the objects, or how many there are.
///
/// In a fetch's own predicate it is worked out once, before the store is asked, and whatever the offset of its request is:
/// offsets have no meaning for requests inside of others. `isCountOnlyRequest` and the parts are as
/// they were given; the request and the context are worked out when the expression is.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequestexpression
public final class NSFetchRequestExpression: NSExpression, NodeExpression, BridgedSubclass {
  package final var contents: AnyObject?

  // `expression(forFetch:context:countOnly:)` is the only place that makes one.
  private var parts: FetchExpressionParts { unsafeDowncast(contents.unsafelyUnwrapped, to: FetchExpressionParts.self) }

  /// An expression that is a list, or a number.
  /// - Parameters:
  ///   - fetch: what the fetch request is: an expression with a constant, mostly.
  ///   - context: what the context is that executes it.
  ///   - countFlag: whether the number of objects is wanted alone.
  public class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    made(of: FetchExpressionParts(request: fetch, context: context, isCountOnly: countFlag))
  }

  /// What the fetch request is.
  public var requestExpression: NSExpression { parts.request }

  /// What the context is that executes it.
  public var contextExpression: NSExpression { parts.context }

  /// Whether the expression is the number of objects.
  public var isCountOnlyRequest: Bool { parts.isCountOnly }

  package var expressionNode: ExpressionNode { parts.node }

  public override var description: String { expressionNode.text(.format) }

  // The parts never change, so a copy is the expression itself.
  public override func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequestExpression else { return false }
    return self === other
      || parts.isCountOnly == other.parts.isCountOnly && parts.request.isEqual(other.parts.request)
        && parts.context.isEqual(other.parts.context)
  }

  public override var hash: Int { parts.isCountOnly ? 1 : 0 }
}

/// What a fetch inside of an expression is made of.
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

/// A request inside of an expression. Its predicate may be one that a store cannot be asked by, since no program asks
/// for this fetch: it is the source of a mapping, or a side of a comparison.
extension NSFetchRequest: PredicateFetchRequest {
  package var withoutOffset: any PredicateFetchRequest {
    guard fetchOffset != 0 else { return self }
    let request: NSFetchRequest<ResultType> = ofResult()
    request.fetchOffset = 0
    return request
  }

  package func predicateAnswer(
    in context: AnyObject?, countOnly: Bool
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    guard let context = context as? NSManagedObjectContext else {
      throw .noAnswer("FETCH", reason: "its second part is no managed object context.")
    }
    do {
      return try context.performAndWait {
        if countOnly { return .value(.integer(Int64(try context.countFiltering(self)))) }
        return .members(try context.fetchFiltering(self).map { PredicateAnswer(plain: $0) })
      }
    } catch {
      throw .noAnswer("FETCH(\(entityName ?? ""))", reason: "\(error.localizedDescription)")
    }
  }
}
