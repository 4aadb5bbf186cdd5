import Predicates

import Foundation

/// An expression that is what a fetch request finds: the objects, or how many there are.
///
/// In a fetch's own predicate it is worked out once, before the store is asked. `isCountOnlyRequest` and the parts are as
/// they were given; the request and the context are worked out when the expression is.
/// See https://developer.apple.com/documentation/coredata/nsfetchrequestexpression
public final class NSFetchRequestExpression: NSExpression, NodeExpression, ShellObject {
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

  public override var description: String { expressionNode.description }

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
      let (request, context) = (try request.node, try context.node)
      let isCountOnly = isCountOnly
      return .opaque(
        OpaqueExpression(
          "FETCH(\(request), \(context), \(isCountOnly ? "YES" : "NO"))", arguments: [request, context], source: self
        ) { _, parts in Self.answer(parts, isCountOnly) })
    } catch {
      fatalError("\(error)")
    }
  }

  private static func answer(_ parts: [PredicateAnswer], _ isCountOnly: Bool) -> PredicateAnswer {
    guard let request = object(parts[0]) as? any FetchOfAnything,
      let context = object(parts[1]) as? NSManagedObjectContext
    else { fatalError("A fetch request expression needs a fetch request and a context, not \(parts).") }
    do {
      return try context.performAndWait {
        isCountOnly
          ? .value(.integer(Int64(try request.count(in: context))))
          : .members(try request.found(in: context).map { PredicateAnswer(plain: $0) })
      }
    } catch {
      fatalError("The fetch of an expression failed: \(error)")
    }
  }

  private static func object(_ part: PredicateAnswer) -> NSObject? {
    if case .value(.reference(let reference)) = part { reference.object } else { nil }
  }
}

/// A fetch request of whatever type of result.
private protocol FetchOfAnything {
  func found(in context: NSManagedObjectContext) throws -> [Any]
  func count(in context: NSManagedObjectContext) throws -> Int
}

extension NSFetchRequest: FetchOfAnything {
  fileprivate func found(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }
  fileprivate func count(in context: NSManagedObjectContext) throws -> Int { try context.count(for: self) }
}
