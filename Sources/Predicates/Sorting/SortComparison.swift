import Foundation

/// The comparison of texts in a sort; values of other kinds compare the same way in all cases.
///
/// | comparison | Apple's selector | order |
/// |---|---|---|
/// | binary | `compare:` | UTF-8 bytes |
/// | caseInsensitive | `caseInsensitiveCompare:` | Unicode scalars without case, no locale |
/// | localized | `localizedCompare:` | dictionary order of the current locale |
/// | localizedCaseInsensitive | `localizedCaseInsensitiveCompare:` | the same, ignoring case |
/// | localizedStandard | `localizedStandardCompare:` | as in file lists: embedded numbers by value |
///
/// The last four are Foundation's own comparisons. Texts with different bytes may be equal in them; then the next sort
/// key decides, and finally the rows' keys.
package enum SortComparison: UInt8, Hashable, Sendable, CaseIterable {
  case binary, caseInsensitive, localized, localizedCaseInsensitive, localizedStandard

  /// - Returns: nil for a selector other than Apple's five.
  package init?(selector: Selector) {
    guard let comparison = Self.allCases.first(where: { $0.selector == selector }) else { return nil }
    self = comparison
  }

  package var selector: Selector {
    switch self {
    case .binary: "compare:"
    case .caseInsensitive: "caseInsensitiveCompare:"
    case .localized: "localizedCompare:"
    case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
    case .localizedStandard: "localizedStandardCompare:"
    }
  }

  /// Compares two texts.
  package func compare(_ left: String, _ right: String) -> ComparisonResult {
    var left = left
    var right = right
    return left.withUTF8 { left in
      right.withUTF8 { compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
    }
  }

  /// Compares two UTF-8 texts. Plain ASCII needs no String: about 100 ns instead of 2 µs.
  package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
    if self == .binary { return PredicateValue.compareBytes(left, right) }
    if let order = ASCIICollation(self)?.compare(left, right) { return order }
    return foundationOrder(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
  }

  /// A comparator of values: of those that a descriptor reads, not of the objects that it reads them from. A value
  /// without an order, such as a collection, stops the program.
  package var comparator: Comparator {
    { left, right in PredicateValue.order(Self.value(of: left), Self.value(of: right), by: self) }
  }

  private static func value(of object: Any) -> PredicateValue {
    do throws(PredicateEvaluationError) { return try PredicateResult(plain: object).sortValue(at: []) } catch {
      fatalError("Unable to compare \(object): \(error)")
    }
  }

  /// Foundation's result, which the ASCII fast path must agree with.
  package func foundationOrder(_ left: String, _ right: String) -> ComparisonResult {
    switch self {
    case .binary: PredicateText.compare(left, right, options: [])
    case .caseInsensitive: left.caseInsensitiveCompare(right)
    case .localized: left.localizedCompare(right)
    case .localizedCaseInsensitive: left.localizedCaseInsensitiveCompare(right)
    case .localizedStandard: left.localizedStandardCompare(right)
    }
  }
}

extension PredicateValue {
  /// The ascending order of a sort key: nil first, then by kind, then by value, texts by the comparison.
  package static func order(
    _ left: PredicateValue, _ right: PredicateValue, by comparison: SortComparison
  ) -> ComparisonResult {
    if comparison != .binary, let left = left.text, let right = right.text { return comparison.compare(left, right) }
    return order(left, right)
  }
}
