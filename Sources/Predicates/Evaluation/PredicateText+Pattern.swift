import Foundation
import Synchronization

/// LIKE and MATCHES.
extension PredicateText {
  /// - Throws: `.invalidPattern` for what `matches` cannot use.
  static func checkPattern(_ pattern: String, options: Options) throws(PredicateEvaluationError) {
    _ = try RegularExpressions.expression(
      folded(pattern, options: options.intersection(.diacriticInsensitive)),
      ignoresCase: options.contains(.caseInsensitive))
  }

  /// Whether the whole text matches a pattern of `?` (one scalar), `*` (any number) and `\` (escapes the next).
  package static func like(_ text: String, _ pattern: String, options: Options) -> Bool {
    let text = Array(folded(text, options: options).unicodeScalars)
    let pattern = wildcards(in: folded(pattern, options: options))
    var textIndex = 0
    var patternIndex = 0
    var restart: (text: Int, pattern: Int)?
    while textIndex < text.count {
      if patternIndex < pattern.count, pattern[patternIndex] == .any {
        patternIndex += 1
        restart = (textIndex, patternIndex)
      } else if patternIndex < pattern.count, pattern[patternIndex].accepts(text[textIndex]) {
        textIndex += 1
        patternIndex += 1
      } else if let last = restart {
        restart = (last.text + 1, last.pattern)
        (textIndex, patternIndex) = (last.text + 1, last.pattern)
      } else {
        return false
      }
    }
    return pattern[patternIndex...].allSatisfy { $0 == .any }
  }

  private enum Wildcard: Equatable {
    case scalar(Unicode.Scalar)
    case one
    case any

    func accepts(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .scalar(let wanted): wanted == scalar
      case .one: true
      case .any: false
      }
    }
  }

  private static func wildcards(in pattern: String) -> [Wildcard] {
    var wildcards: [Wildcard] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "?": wildcards.append(.one)
      case "*": wildcards.append(.any)
      case "\\": wildcards.append(.scalar(scalars.next() ?? "\\"))
      default: wildcards.append(.scalar(scalar))
      }
    }
    return wildcards
  }

  /// The largest number of progress reports on one text. ICU makes one for each 10,000 steps, so this takes half a second.
  private static let maximumReports = 1_000

  /// Whether the whole text matches an ICU regular expression. Compiled expressions are cached.
  /// - Throws: `.invalidPattern`, and `.slowPattern` if the match takes too many steps.
  package static func matches(
    _ text: String, _ pattern: String, options: Options
  ) throws(PredicateEvaluationError) -> Bool {
    let accents = options.intersection(.diacriticInsensitive)
    let text = folded(text, options: accents)
    let expression = try RegularExpressions.expression(
      folded(pattern, options: accents), ignoresCase: options.contains(.caseInsensitive))
    let search = Mutex((isFound: false, reports: 0))
    let whole = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: .reportProgress, range: whole) { match, _, stop in
      search.withLock { search in
        if match != nil { search.isFound = true } else { search.reports += 1 }
        if search.isFound || search.reports > maximumReports { stop.pointee = true }
      }
    }
    let (isFound, reports) = search.withLock { $0 }
    if !isFound, reports > maximumReports { throw .slowPattern(pattern) }
    return isFound
  }
}

extension PredicateNode {
  /// The first comparison by MATCHES whose constant pattern is not a regular expression. Stores compare row by row, so
  /// a store without rows would not notice it.
  package var comparisonWithInvalidPattern: PredicateNode? {
    switch self {
    case .constant: nil
    case .not(let node): node.comparisonWithInvalidPattern
    case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.comparisonWithInvalidPattern).first
    case .comparison(let comparison): comparison.hasInvalidPattern ? self : nil
    }
  }
}

extension ComparisonNode {
  fileprivate var hasInvalidPattern: Bool {
    guard comparison == .matches, case .value(.string(let pattern)) = right else { return false }
    return (try? PredicateText.checkPattern(pattern, options: options)) == nil
  }
}

/// The cache of compiled MATCHES patterns.
private enum RegularExpressions {
  private struct Key: Hashable {
    var pattern: String
    var ignoresCase: Bool
  }

  private static let limit = 256
  private static let compiled = Mutex<[Key: NSRegularExpression]>([:])

  static func expression(
    _ pattern: String, ignoresCase: Bool
  ) throws(PredicateEvaluationError) -> NSRegularExpression {
    let key = Key(pattern: pattern, ignoresCase: ignoresCase)
    if let known = compiled.withLock({ $0[key] }) { return known }
    let expression: NSRegularExpression
    do {
      _ = try NSRegularExpression(pattern: pattern)
      expression = try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
    } catch {
      // Foundation's error says neither what is wrong nor where.
      throw .invalidPattern(pattern)
    }
    compiled.withLock { compiled in
      if compiled.count >= limit { compiled.removeAll() }
      compiled[key] = expression
    }
    return expression
  }
}
