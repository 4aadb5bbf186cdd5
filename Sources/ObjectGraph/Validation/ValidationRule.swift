import Foundation
import StrataManagedModel
import StrataPredicates

/// One validation rule of a property, and the error for values that violate it.
///
/// The model editor stores bounds, lengths and patterns as predicates: `length >= 3`, `SELF MATCHES "…"`, `SELF <=
/// 100`. Each of these shapes has its own error code; every other predicate has 1550, and so has one with the program's
/// own message.
struct ValidationRule {
  let predicate: NSPredicate
  /// The error message, or the number of its code; empty if the model leaves both to the framework.
  private let warning: String
  /// The conjuncts of the predicate; nil if it cannot be decomposed.
  private let parts: [PredicateNode]?

  init(_ predicate: NSPredicate, warning: Any?) {
    self.predicate = predicate
    self.warning = warning.map { "\($0)" } ?? ""
    parts = (try? predicate.tree).map(Self.conjuncts)
  }

  private static func conjuncts(of node: PredicateNode) -> [PredicateNode] {
    guard case .and(let nodes) = node else { return [node] }
    return nodes.flatMap(conjuncts)
  }

  /// Returns the code of the error if a value violates the rule.
  /// - Parameter boxed: the value according to key-value coding, for a predicate that cannot be decomposed.
  func violation(_ value: PredicateResult, boxed: @autoclosure () -> Any?) -> CocoaError.CoreDataCode? {
    guard let parts else { return predicate.evaluate(with: boxed()) ? nil : code(of: nil, value) }
    for part in parts {
      if let bound = LengthBound(part), case .value(.string(let text)) = value {
        if !bound.holds(for: text) { return code(of: part, value) }
      } else if (try? part.evaluate(on: value)) != true {
        return code(of: part, value)
      }
    }
    return nil
  }

  private func code(of part: PredicateNode?, _ value: PredicateResult) -> CocoaError.CoreDataCode {
    if let number = Int(warning), let code = CocoaError.CoreDataCode(rawValue: number) { return code }
    guard warning.isEmpty, let part else { return .validation }
    if let bound = LengthBound(part) { return bound.code }
    guard case .value(let value) = value else { return .validation }
    return BoundedValue(value).flatMap { $0.code(of: part) } ?? .validation
  }

  /// Returns the error message for a property: the model's own if there is one.
  func text(_ code: CocoaError.CoreDataCode, name: String) -> String {
    if !warning.isEmpty, Int(warning) == nil { return warning }
    return "\(name) \(code.complaint ?? "breaks the rule \(predicate.formatText).")"
  }
}

/// A predicate like `length >= 3`, with the length counted as `NSString` counts it.
private struct LengthBound {
  let comparison: ComparisonNode.Operator
  let limit: Int64

  init?(_ node: PredicateNode) {
    guard case .comparison(let parts) = node, case .keyPath(let path) = parts.left, path == ["length"],
      case .value(.integer(let limit)) = parts.right
    else { return nil }
    (comparison, self.limit) = (parts.comparison, limit)
  }

  func holds(for text: String) -> Bool {
    let length = Int64(text.utf16.count)
    return switch comparison {
    case .equal: length == limit
    case .notEqual: length != limit
    case .less: length < limit
    case .lessOrEqual: length <= limit
    case .greater: length > limit
    case .greaterOrEqual: length >= limit
    default: false
    }
  }

  var code: CocoaError.CoreDataCode {
    switch comparison {
    case .less, .lessOrEqual: .tooLong
    case .greater, .greaterOrEqual: .tooShort
    default: .validation
    }
  }
}

/// The kind of value that a bound restricts.
private enum BoundedValue {
  case number, date, text

  init?(_ value: PredicateValue) {
    switch value {
    case .integer, .real, .decimal: self = .number
    case .date: self = .date
    case .string: self = .text
    default: return nil
    }
  }

  func code(of node: PredicateNode) -> CocoaError.CoreDataCode? {
    guard case .comparison(let parts) = node, case .evaluatedObject = parts.left else { return nil }
    switch (self, parts.comparison) {
    case (.number, .less), (.number, .lessOrEqual): return .numberTooLarge
    case (.number, .greater), (.number, .greaterOrEqual): return .numberTooSmall
    case (.date, .less), (.date, .lessOrEqual): return .dateTooLate
    case (.date, .greater), (.date, .greaterOrEqual): return .dateTooSoon
    case (.text, .matches): return .patternMismatch
    default: return nil
    }
  }
}

extension CocoaError.CoreDataCode {
  /// The text that Apple's messages append to the property's name.
  var complaint: String? {
    switch self {
    case .missingValue: "is a required value."
    case .tooFewLinks: "has too few objects."
    case .tooManyLinks: "has too many objects."
    case .numberTooLarge: "is too large."
    case .numberTooSmall: "is too small."
    case .dateTooLate: "is too late."
    case .dateTooSoon: "is too soon."
    case .invalidDate: "is not a valid date."
    case .tooLong: "is too long."
    case .tooShort: "is too short."
    case .patternMismatch, .invalidURI: "is not valid."
    default: nil
    }
  }
}
