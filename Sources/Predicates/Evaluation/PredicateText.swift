import Foundation

/// The text operators, for evaluation in memory and for SQL functions.
package enum PredicateText {
  package typealias Options = ComparisonNode.Options

  /// Folds a text by the options: `[d]` removes diacritics, `[c]` converts to lower case, both without a locale.
  package static func folded(_ text: String, options: Options) -> String {
    var folded = text
    if options.contains(.diacriticInsensitive), !isASCII(text) {
      folded = folded.folding(options: .diacriticInsensitive, locale: nil)
    }
    if options.contains(.caseInsensitive) { folded = folded.lowercased() }
    return folded
  }

  package static func equal(_ left: String, _ right: String, options: Options) -> Bool {
    if !folds(options) {
      return withBytes(left, right) { $0.count == $1.count && compareBytes($0, $1) == .orderedSame }
    }
    return compare(left, right, options: options) == .orderedSame
  }

  package static func compare(_ left: String, _ right: String, options: Options) -> ComparisonResult {
    guard folds(options) else { return withBytes(left, right, body: compareBytes) }
    return withBytes(folded(left, options: options), folded(right, options: options), body: compareBytes)
  }

  /// Whether `text comparison pattern` holds, for CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES.
  /// - Throws: if a MATCHES pattern is not a valid regular expression.
  package static func holds(
    _ text: String, _ comparison: ComparisonNode.Operator, _ pattern: String, options: Options
  ) throws(PredicateEvaluationError) -> Bool {
    switch comparison {
    case .contains: contains(text, part: pattern, options: options)
    case .beginsWith: withFoldedBytes(text, pattern, options: options) { $0.starts(with: $1) }
    case .endsWith:
      withFoldedBytes(text, pattern, options: options) { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) }
    case .like: like(text, pattern, options: options)
    case .matches: try matches(text, pattern, options: options)
    default: false
    }
  }

  package static func contains(_ text: String, part: String, options: Options) -> Bool {
    if options.contains(.caseInsensitive), isASCII(text), isASCII(part) {
      return withBytes(text, part, body: containsLowercased)
    }
    return withFoldedBytes(text, part, options: options, body: containsBytes)
  }

  private static func containsBytes(_ text: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first, let other = part.baseAddress else { return true }
    guard var start = text.baseAddress else { return false }
    var rest = text.count - part.count + 1
    while rest > 0, let found = memchr(start, Int32(first), rest) {
      if memcmp(found, other, part.count) == 0 { return true }
      rest -= UnsafeRawPointer(found) - start + 1
      start = UnsafeRawPointer(found) + 1
    }
    return false
  }

  /// The most common search of `[c]`, without a folded copy of the text.
  private static func containsLowercased(_ text: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { start in
      (0..<part.count).allSatisfy { lowercased(text[start + $0]) == lowercased(part[$0]) }
    }
  }

  @inline(__always)
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private static func folds(_ options: Options) -> Bool {
    !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  private static func compareBytes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> ComparisonResult {
    PredicateValue.compareBytes(left, right)
  }

  private static func withFoldedBytes<Result>(
    _ left: String, _ right: String, options: Options,
    body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard folds(options) else { return withBytes(left, right, body: body) }
    return withBytes(folded(left, options: options), folded(right, options: options), body: body)
  }

  private static func withBytes<Result>(
    _ left: String, _ right: String, body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var left = left
    var right = right
    return left.withUTF8 { left in
      right.withUTF8 { body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
    }
  }
}
