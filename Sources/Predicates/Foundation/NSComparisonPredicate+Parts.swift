import Foundation

extension NSCopying where Self: NSComparisonPredicate {
  /// Creates a predicate that compares the values of two expressions.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression,
    modifier: NSComparisonPredicate.Modifier, type: NSComparisonPredicate.Operator,
    options: NSComparisonPredicate.Options = []
  ) {
    let comparison = ComparisonNode(
      lhs.requiredNode, ComparisonNode.Operator(type), rhs.requiredNode,
      quantifier: ComparisonNode.Quantifier(modifier),
      options: ComparisonNode.Options(rawValue: UInt8(truncatingIfNeeded: options.rawValue)))
    self.init(replacedBy: ComparisonTreePredicate.predicate(.comparison(comparison)))
  }

  @available(*, unavailable, message: "Nothing on Linux calls a method by its name: compare with an operator.")
  public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector) {
    fatalError()
  }

  /// The method that compares the values: nil, since every predicate compares with an operator here.
  public var customSelector: Selector? { nil }

  /// The left expression.
  public var leftExpression: NSExpression { .expression(with: comparison.left) }

  /// The right expression.
  public var rightExpression: NSExpression { .expression(with: comparison.right) }

  /// The operator of the comparison.
  public var predicateOperatorType: NSComparisonPredicate.Operator { comparison.comparison.foundation }

  /// Whether the comparison is direct, or must hold for any or all members of the left collection.
  public var comparisonPredicateModifier: NSComparisonPredicate.Modifier { comparison.quantifier.foundation }

  /// The options of a string comparison: ignoring case and diacritics, or normalized.
  public var options: NSComparisonPredicate.Options {
    NSComparisonPredicate.Options(rawValue: UInt(comparison.options.rawValue))
  }

  private var comparison: ComparisonNode {
    guard let predicate = self as? ComparisonTreePredicate, case .comparison(let comparison) = predicate.node else {
      fatalError("\(type(of: self)) is not a comparison that NSComparisonPredicate or NSPredicate created.")
    }
    return comparison
  }
}

extension RawRepresentable where Self == NSComparisonPredicate.Operator {
  @available(*, unavailable, message: "Nothing on Linux calls a method by its name: no predicate has this operator.")
  public static var customSelector: Self { fatalError("No predicate has this operator.") }
}

extension ComparisonNode.Operator {
  fileprivate static let pairs: [(Self, NSComparisonPredicate.Operator)] = [
    (.less, .lessThan), (.lessOrEqual, .lessThanOrEqualTo), (.greater, .greaterThan),
    (.greaterOrEqual, .greaterThanOrEqualTo), (.equal, .equalTo), (.notEqual, .notEqualTo), (.matches, .matches),
    (.like, .like), (.beginsWith, .beginsWith), (.endsWith, .endsWith), (.in, .in), (.contains, .contains),
    (.between, .between),
  ]

  // The table covers all cases of both types.
  fileprivate init(_ type: NSComparisonPredicate.Operator) { self = Self.pairs.first { $0.1 == type }!.0 }
  fileprivate var foundation: NSComparisonPredicate.Operator { Self.pairs.first { $0.0 == self }!.1 }
}

extension ComparisonNode.Quantifier {
  fileprivate init(_ modifier: NSComparisonPredicate.Modifier) {
    switch modifier {
    case .direct: self = .one
    case .all: self = .all
    case .any: self = .any
    }
  }

  fileprivate var foundation: NSComparisonPredicate.Modifier {
    switch self {
    case .one: .direct
    case .all: .all
    case .any: .any
    }
  }
}
