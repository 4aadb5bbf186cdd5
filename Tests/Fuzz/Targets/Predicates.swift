import Foundation
import StrataPredicates

/// A predicate that a user typed. It is rejected, or its description parses to the same predicate.
@Sendable func predicate(_ bytes: [UInt8]) {
  guard let text = String(validating: bytes, as: UTF8.self), let tree = try? PredicateParser.tree(text) else { return }
  let again = try? PredicateParser.tree(tree.description)
  promise(again?.description == tree.description, "\(tree)\nis read as\n\(again.map { "\($0)" } ?? "nothing")")
  let values: [String: Any] = ["a": 1, "b": "text", "c": [1, 2.5, "x"], "d": Date.distantPast]
  for object in [values, "text", 7] as [Any] { _ = try? tree.evaluate(on: PredicateResult(plain: object)) }
}
