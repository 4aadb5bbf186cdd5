import Foundation

/// A predicate as a value: the result of parsing a format string, evaluated in memory and translated to SQL.
///
/// Two-valued: every comparison is either true or false, also with nil, so that `NOT` means the same in memory and in
/// SQL.
package indirect enum PredicateNode: Hashable, Sendable {
  /// `TRUEPREDICATE` and `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(ComparisonNode)
  /// An empty conjunction is true.
  case and([PredicateNode])
  /// An empty disjunction is false.
  case or([PredicateNode])
  case not(PredicateNode)
}

/// `left operator[options] right`, for one value or for the members of a to-many key path on the left.
package struct ComparisonNode: Hashable, Sendable {
  package enum Operator: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The right side is a list of two bounds, both inclusive.
    case between
    /// The right side is a list or a to-many key path.
    case `in`
    case contains, beginsWith, endsWith, like, matches
  }

  /// The number of members of a to-many key path that must satisfy the comparison. `NONE` becomes `not(any)`.
  package enum Quantifier: Hashable, Sendable { case one, any, all }

  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    package static let normalized = Options(rawValue: 4)
  }

  package var left: ExpressionNode
  package var comparison: Operator { didSet { members = LazyMemberTable(of: comparison, right) } }
  package var right: ExpressionNode { didSet { members = LazyMemberTable(of: comparison, right) } }
  package var quantifier: Quantifier
  package var options: Options { didSet { members = LazyMemberTable(of: comparison, right) } }
  /// For `IN` with a long list of constants.
  private(set) var members: LazyMemberTable?

  package init(
    _ left: ExpressionNode, _ comparison: Operator, _ right: ExpressionNode,
    quantifier: Quantifier = .one, options: Options = []
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.quantifier = quantifier
    self.options = options
    members = LazyMemberTable(of: comparison, right)
  }
}

/// A constant in a predicate.
package enum PredicateValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  case list([PredicateValue])
  /// A managed object or its ID, as given to the predicate.
  case reference(PredicateReference)
  /// The row that a reference stands for (`RowID.bits`), substituted before a fetch leaves its context.
  case row(UInt64)
}

/// A managed object or object ID in a predicate; this module only uses its identity.
package struct PredicateReference: Hashable, @unchecked Sendable {
  // @unchecked: a managed object is only passed to a predicate and back to its own context, never used in between.
  package let object: NSObject
  package init(_ object: NSObject) { self.object = object }
}
