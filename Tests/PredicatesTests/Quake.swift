import Foundation
import StrataPredicates

/// A subject for the tests: an earthquake with a to-one region and its aftershocks.
final class Quake: NSObject, PredicateSubject, @unchecked Sendable {
  // @unchecked: each test creates its own and does not share it.
  var values: [String: PredicateValue]
  var region: Quake?
  var aftershocks: [Quake]

  init(_ values: [String: PredicateValue] = [:], region: Quake? = nil, aftershocks: [Quake] = []) {
    self.values = values
    self.region = region
    self.aftershocks = aftershocks
  }

  func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "region": region.map { .subject($0) } ?? .value(.null)
    case "aftershocks": .members(aftershocks.map { .subject($0) })
    case "mag", "place", "note", "date", "id", "flag", "in": .value(values[key] ?? .null)
    default: .unknownKey
    }
  }

  var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

/// Whether a format string holds for a quake.
func holds(_ format: String, _ quake: Quake, _ arguments: Any?...) throws -> Bool {
  try PredicateParser.tree(format, arguments: arguments).evaluate(on: quake)
}

/// Whether a format string about `SELF` holds for a plain value.
func holds(_ format: String, for value: Any?) throws -> Bool {
  try PredicateParser.tree(format).evaluate(on: PredicateResult(plain: value))
}

/// `key operator value`, as a tree.
func comparison(
  _ key: String, _ comparison: ComparisonNode.Operator, _ value: PredicateValue,
  quantifier: ComparisonNode.Quantifier = .one, options: ComparisonNode.Options = []
) -> PredicateNode {
  .comparison(
    ComparisonNode(.keyPath([key]), comparison, .value(value), quantifier: quantifier, options: options))
}
