import Foundation

// Operators on texts that Apple's Foundation has in predicates, and Swift's has not.

extension PredicateExpressions {
  /// Whether a text contains another one, whatever their cases and diacritics.
  ///
  /// See <https://developer.apple.com/documentation/foundation/predicateexpressions/stringlocalizedstandardcontains>
  public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression, CustomStringConvertible
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// Whether the text contains the other one.
    public typealias Output = Bool

    /// The text.
    public let root: Root
    /// The text to look for.
    public let other: Other

    /// Makes the expression of its operands.
    public init(root: Root, other: Other) { (self.root, self.other) = (root, other) }

    /// Returns the result for values of the variables.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      let (text, part) = (String(try root.evaluate(bindings)), String(try other.evaluate(bindings)))
      return PredicateText.contains(text, part: part, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// The operands.
    public var description: String { "StringLocalizedStandardContains(root: \(root), other: \(other))" }
  }

  /// How a text compares with another one, whatever their cases.
  ///
  /// See <https://developer.apple.com/documentation/foundation/predicateexpressions/stringcaseinsensitivecompare>
  public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
    PredicateExpression, CustomStringConvertible
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// The order of the text and the other one.
    public typealias Output = ComparisonResult

    /// The text.
    public let root: Root
    /// The text to compare with.
    public let other: Other

    /// Makes the expression of its operands.
    public init(root: Root, other: Other) { (self.root, self.other) = (root, other) }

    /// Returns the result for values of the variables.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      let (text, other) = (String(try root.evaluate(bindings)), String(try other.evaluate(bindings)))
      let (left, right) = (PredicateValue.string(text), PredicateValue.string(other))
      return left.compared(to: right, .caseInsensitive) ?? text.caseInsensitiveCompare(other)
    }

    /// The operands.
    public var description: String { "StringCaseInsensitiveCompare(root: \(root), other: \(other))" }
  }

  /// Makes the expression for `localizedStandardContains(_:)`.
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> { StringLocalizedStandardContains(root: root, other: other) }

  /// Makes the expression for `caseInsensitiveCompare(_:)`.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> { StringCaseInsensitiveCompare(root: root, other: other) }
}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}

// MARK: Translation

extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (text, part) = (try translator.operand(root).expression, try translator.operand(other).expression)
    return .condition(
      .comparison(ComparisonNode(text, .contains, part, options: [.caseInsensitive, .diacriticInsensitive])))
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (text, other) = (try translator.operand(root).expression, try translator.operand(other).expression)
    func holds(_ comparison: ComparisonNode.Operator) -> PredicateNode {
      .comparison(ComparisonNode(text, comparison, other, options: .caseInsensitive))
    }
    func value(_ result: ComparisonResult) -> ExpressionNode { .value(.integer(Int64(result.rawValue))) }
    return .node(
      .conditional(
        holds(.less), value(.orderedAscending),
        .conditional(holds(.equal), value(.orderedSame), value(.orderedDescending))))
  }
}
