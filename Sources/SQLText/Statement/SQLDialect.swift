import StrataManagedModel
import StrataPredicates

/// The SQL that differs between engines: one requirement for each leaf of the tree walk. Everything between the leaves
/// is SQL that all engines share.
///
/// A requirement with an optional result returns nil for what the engine cannot express. The request then fails with
/// `.unsupported`, and the caller may filter in memory instead.
package protocol SQLDialect: Sendable {
  // MARK: Names

  /// A name as spelled in statements, quoted if necessary.
  func identifier(_ name: String) -> String

  /// The most UTF-8 bytes of a name; longer ones are cut by `name(_:)`.
  var maximumNameLength: Int { get }

  /// The declared type of a column; nil for values that have no column.
  func columnType(_ kind: SlotKind) -> String?

  /// Whether large data may be in files next to the store: the first byte of a column's value then says where it is.
  var hasDataFiles: Bool { get }

  // MARK: Values

  /// The placeholder of a numbered parameter, from 1, which a statement may use more than once.
  func placeholder(_ number: Int) -> String

  /// The placeholder of a constant that is compared with values of a kind: a `?`, which `finished(_:)` numbers, within
  /// a cast if the engine needs one.
  func placeholder(of kind: SlotKind) -> String

  /// A constant in a form that compares exactly with values of a kind; nil if no such form exists.
  func comparable(_ constant: StoredValue, with kind: SlotKind) -> StoredValue?

  /// Whether the engine takes `?` for the next parameter; if not, `finished(_:)` replaces it by `placeholder(_:)`.
  var hasPositionalPlaceholders: Bool { get }

  /// A value within a text that cannot have placeholders.
  func literal(_ value: StoredValue) -> String

  /// The LIMIT of a query that has only an OFFSET.
  var noLimit: StoredValue { get }

  /// The maximum number of parameters of a statement.
  var maximumBindings: Int { get }

  // MARK: Conditions

  /// A condition that always holds, or never does.
  func condition(_ value: Bool) -> String

  /// The maximum length of a chain of AND or OR without brackets.
  var maximumTerms: Int { get }

  /// Null-safe equality, or inequality.
  func isSame(_ left: SQLStatement, as right: SQLStatement, holds: Bool) -> SQLStatement

  /// IN, or NOT IN, of a list without NULL; nil if the list is too long.
  /// - Parameter kind: the kind as which the members are bound.
  func isMember(_ value: SQLStatement, of list: [StoredValue], kind: SlotKind, holds: Bool) -> SQLStatement?

  /// Whether a column holds one of several keys.
  /// - Parameter count: the number of keys, each a binding where the engine has no better way; nil for a single
  ///   binding, `StoredValue.list`.
  func isMember(_ column: String, ofKeys count: Int?) -> String

  /// The minimum length of a list that becomes the leading table of a query whose rows it finds; nil if no list does.
  var minimumLeadingList: Int? { get }

  /// A list as the table that a query goes through first, with the join that follows it, and the column of its values.
  func leadingTable(of list: StoredList) -> (clause: SQLStatement, value: String)?

  // MARK: Texts

  /// A text folded by options of comparisons.
  func folded(_ text: SQLStatement, options: ComparisonNode.Options) -> SQLStatement?

  /// CONTAINS, BEGINSWITH and ENDSWITH of texts that are folded already; LIKE and MATCHES, which fold by the options.
  func compare(
    _ text: SQLStatement, by comparison: ComparisonNode.Operator, with part: TextPart, options: ComparisonNode.Options
  ) -> SQLStatement?

  // MARK: Numbers and functions

  /// A number as a `.double`, or truncated to an integer kind.
  func cast(_ number: SQLStatement, to kind: SlotKind) -> SQLStatement

  /// `CAST(value, 'NSString')`.
  func cast(_ value: TypedStatement, toClass type: CastType) -> SQLStatement?

  /// An arithmetic or bitwise operator with the results of `ExpressionArithmetic`. A bitwise function without an
  /// operator is called instead.
  func operation(_ function: ExpressionFunction, on operands: [SQLStatement]) -> SQLStatement?

  /// A scalar function.
  func call(_ function: ExpressionFunction, on arguments: [TypedStatement]) -> SQLStatement?

  /// A function of a collection, applied to several values of one row.
  func callOverList(_ function: ExpressionFunction, on members: [TypedStatement]) -> SQLStatement?

  /// An aggregate over the rows of a query: `min`, `max`, `sum`, `average`, `median`, `mode` or `stddev`.
  func aggregate(_ function: ExpressionFunction, of value: TypedStatement) -> SQLStatement?

  /// A random integer from 0 to 2³¹ - 1 for each row.
  var random: String { get }

  /// The first value, or the other if it is NULL.
  func ifNull(_ value: String, _ other: String) -> String

  // MARK: Queries

  /// A term of ORDER BY with NULL first in ascending order; nil for a comparison of texts that the engine lacks.
  func orderTerm(_ value: SQLStatement, by comparison: SortComparison, isAscending: Bool) -> SQLStatement?

  /// A value that the planner should not look up in an index; the value itself where no such hint is needed.
  func unindexed(_ value: String) -> String

  /// Columns packed into one by a function that the engine was given; nil if no such function takes this many columns.
  func packed(_ columns: [String], by form: RowPacking) -> String?

  /// The alias, with a leading space, that the engine requires of a subquery in FROM even if nothing refers to it.
  var derivedTableAlias: String { get }

  // MARK: Changes

  /// An insertion that does nothing if the row exists.
  /// - Parameter insertion: from `INTO` on.
  func insertOrKeep(_ insertion: String) -> String

  /// The clause after an insertion that may collide with a stored row over unique values.
  func conflictClause(_ resolution: ConflictResolution) -> String?
}

extension SQLDialect {
  package func placeholder(of kind: SlotKind) -> String { "?" }
  package func comparable(_ constant: StoredValue, with kind: SlotKind) -> StoredValue? { constant }
  package var maximumNameLength: Int { .max }
  package var hasDataFiles: Bool { false }
  package var maximumTerms: Int { .max }
  package var minimumLeadingList: Int? { nil }
  package func leadingTable(of list: StoredList) -> (clause: SQLStatement, value: String)? { nil }
  package func unindexed(_ value: String) -> String { value }
  package func packed(_ columns: [String], by form: RowPacking) -> String? { nil }
  package var derivedTableAlias: String { "" }
}

/// An SQL expression and the kind of its value.
package struct TypedStatement: Sendable {
  package var text: SQLStatement
  package var kind: SlotKind

  init(_ text: SQLStatement, kind: SlotKind) {
    self.text = text
    self.kind = kind
  }
}

/// The text that is searched for in another.
package enum TextPart: Sendable {
  /// Empty only as a pattern.
  case constant(String)
  case value(SQLStatement)

  package var statement: SQLStatement {
    switch self {
    case .constant(let text): "\(bind: .text(text))"
    case .value(let statement): statement
    }
  }
}

/// The values that functions in the engine pack, so that rows do not pass through its interface value by value.
package enum RowPacking: Sendable {
  /// Each row.
  case row
  /// All rows, in the order in which they are found.
  case rows
  /// The keys and Z_ENTs of rows, in the order in which they are found.
  case rowIDs
  /// Keys of owners and members, with the member's Z_ENT if members may be of several entities. Used as a condition.
  case pairs
}

/// The action of an insertion on a stored row with the same unique values.
package enum ConflictResolution: Sendable {
  /// The stored row stays as it is.
  case keepStored
  /// The stored row is changed, if it satisfies a condition.
  case update(assignments: String, condition: String)
}
