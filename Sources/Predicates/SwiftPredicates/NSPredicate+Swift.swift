import Foundation
import Synchronization

/// A predicate from `#Predicate`. A fetch translates it to a tree; `evaluate(with:)` lets Swift evaluate it.
package final class SwiftPredicate: NSPredicate {
  /// Describes the predicate, which takes as long as several fetches.
  private let describe: @Sendable () -> String
  private let read: @Sendable () throws(SwiftExpressionError) -> PredicateNode
  private let evaluation: @Sendable (Any?) throws -> Bool
  private let known = Mutex<PredicateNode?>(nil)

  package init<Input>(reading predicate: Predicate<Input>) {
    describe = { "\(predicate)" }
    read = { () throws(SwiftExpressionError) in
      let translator = SwiftExpressionTranslator()
      translator.bind(predicate.variable, to: .node(.evaluatedObject))
      func tree<Body: StandardPredicateExpression<Bool>>(
        _ body: Body
      ) throws(SwiftExpressionError) -> PredicateNode { try translator.condition(body).isTrue }
      return try tree(predicate.expression)
    }
    evaluation = { object in
      guard let input = object as? Input else {
        throw UnexpectedInput(
          description: "A predicate of \(Input.self) cannot be evaluated with \(object.map { "\($0)" } ?? "nil").")
      }
      return try predicate.evaluate(input)
    }
    super.init { _, _ in preconditionFailure("A Swift predicate evaluates itself.") }
  }

  private var text: String { describe() }

  /// The tree for a store, translated on first use, because the model may be loaded later than the predicate.
  /// - Throws: `UnreadablePredicateError` for what a tree cannot express.
  var node: PredicateNode {
    get throws(UnreadablePredicateError) {
      if let node = known.withLock({ $0 }) { return node }
      do throws(SwiftExpressionError) {
        let node = try read()
        known.withLock { $0 = node }
        return node
      } catch {
        throw UnreadablePredicateError(predicate: text, reason: error.description)
      }
    }
  }

  override package func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    do { return try checkedResult(for: object) } catch {
      fatalError("Unable to evaluate the predicate \(text): \(error)")
    }
  }

  func checkedResult(for object: Any?) throws -> Bool { try evaluation(object) }

  override package var predicateFormat: String { (try? node)?.text(.format) ?? text }
  override package var description: String { predicateFormat }
  override package var classForCoder: AnyClass { spelledOut?.classForCoder ?? NSPredicate.self }
  // Immutable, so a copy is the predicate itself.
  override package func copy(with zone: NSZone? = nil) -> Any { self }

  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return self === other || spelledOut?.isEqual(other) == true
  }

  override package var hash: Int { spelledOut?.hash ?? ObjectIdentifier(self).hashValue }

  /// The equivalent format predicate; nil if the format language has no equivalent.
  var spelledOut: NSPredicate? { (try? node).map { NSPredicate.predicate(with: $0) } }
}

/// An object of another class than the predicate's.
private struct UnexpectedInput: Error, CustomStringConvertible {
  let description: String
}

extension NSPredicate {
  /// Creates a predicate from a Swift `#Predicate`, for a fetch request.
  ///
  /// ```swift
  /// let strongest = 6.0
  /// let predicate = NSPredicate(
  ///   #Predicate<Quake> {
  ///     $0.magnitude >= strongest && $0.region?.name == "Tonga"
  ///   })
  /// ```
  ///
  /// The result is never nil. On Apple's platforms it is nil for a predicate that the predicate language cannot
  /// express. Here such a predicate can be evaluated in memory, and a fetch throws `CocoaError` 134091 and names the
  /// part. A fetch requires that the model is in use.
  ///
  /// See <https://developer.apple.com/documentation/foundation/nspredicate/init(_:)>
  public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    self.init(replacedBy: SwiftPredicate(reading: predicate))
  }
}
