import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// PostgreSQL's SQL, where its results equal those of the evaluation in memory. Everything else is nil here: the store
/// then fetches more rows and tests them itself.
/// See https://www.postgresql.org/docs/current/functions.html
package struct PostgreSQLDialect: SQLDialect {
  package init() {}

  /// See https://www.postgresql.org/docs/current/limits.html
  package var maximumNameLength: Int { 63 }
  package var maximumBindings: Int { 32_000 }
  package var hasPositionalPlaceholders: Bool { false }
  package var noLimit: StoredValue { .null }
  package var random: String { "floor(random() * 2147483648)::bigint" }
  package var derivedTableAlias: String { " AS counted" }

  package func placeholder(_ number: Int) -> String { "$\(number)" }

  /// In lower case, so that people need no quotes.
  package func identifier(_ name: String) -> String {
    let name = name.lowercased()
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isPlain ? name : name.quoted(by: "\"")
  }

  /// Dates are seconds since 2001, as `timestamptz` has only microseconds.
  package func columnType(_ kind: SlotKind) -> String? {
    switch kind {
    case .integer16, .boolean: "smallint"
    case .integer32: "integer"
    case .integer64, .toOne: "bigint"
    case .double, .float, .date: "double precision"
    case .decimal: "numeric"
    // In the order of bytes, which is that of memory.
    case .string, .uri: "text COLLATE \"C\""
    case .uuid: "uuid"
    case .data, .transformable: "bytea"
    case .object: nil
    }
  }

  package func placeholder(of kind: SlotKind) -> String {
    switch kind {
    case .decimal: "?::numeric"
    case .uuid: "encode(?, 'hex')::uuid"
    default: "?"
    }
  }

  /// The server compares integers with real numbers as real numbers, which have 53 digits.
  package func comparable(_ constant: StoredValue, with kind: SlotKind) -> StoredValue? {
    switch (kind, constant) {
    case (.double, .integer(let integer)), (.float, .integer(let integer)), (.date, .integer(let integer)):
      Double(exactly: integer).map(StoredValue.real)
    case (.integer16, .real(let real)), (.integer32, .real(let real)), (.integer64, .real(let real)),
      (.boolean, .real(let real)):
      // The greatest integers are rounded to 2⁶³.
      Int64(exactly: real).map(StoredValue.integer) ?? (real == 0x1p63 ? nil : constant)
    default: constant
    }
  }

  package func literal(_ value: StoredValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): "'\(real.isInfinite ? (real < 0 ? "-Infinity" : "Infinity") : String(real))'::float8"
    case .text(let text): text.quoted(by: "'")
    case .list(let list): "ARRAY[\(list.values.map(literal).joined(separator: ", "))]"
    case .blob(let bytes): "'\\x\(bytes.map(Self.hexadecimal).joined())'::bytea"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  package func condition(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  package func isSame(_ left: SQLStatement, as right: SQLStatement, holds: Bool) -> SQLStatement {
    "\(left) IS \(holds ? "NOT " : "")DISTINCT FROM \(right)"
  }

  package func ifNull(_ value: String, _ other: String) -> String { "COALESCE(\(value), \(other))" }

  /// The first row of an index must be the first row of the order.
  package func orderTerm(_ value: SQLStatement, by comparison: SortComparison, isAscending: Bool) -> SQLStatement? {
    guard comparison == .binary else { return nil }
    return "\(value) \(isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")"
  }

  package func insertOrKeep(_ insertion: String) -> String { "INSERT \(insertion) ON CONFLICT DO NOTHING" }

  /// Without saying which constraint the server resolves no conflict but by doing nothing.
  package func conflictClause(_ resolution: ConflictResolution) -> String? {
    if case .keepStored = resolution { "ON CONFLICT DO NOTHING" } else { nil }
  }
}

/// Lists.
extension PostgreSQLDialect {
  /// An array is one parameter, whatever its length, and an index finds its members.
  package func isMember(
    _ value: SQLStatement, of list: [StoredValue], kind: SlotKind, holds: Bool
  ) -> SQLStatement? {
    var list = list
    if kind.isInteger {
      // One real number would turn the whole comparison into one of real numbers, and equals no integer: see
      // `comparable`.
      list.removeAll { if case .real = $0 { true } else { false } }
      if list.isEmpty { return SQLStatement(condition(!holds)) }
    }
    if kind != .uuid, kind != .decimal, let list = StoredList(list) {
      return "\(value) \(holds ? "= ANY" : "<> ALL")(\(bind: .list(list)))"
    }
    guard list.count <= maximumBindings else { return nil }
    let members = list.map { SQLStatement(placeholder(of: kind), [$0]) }
    return "\(value) \(holds ? "" : "NOT ")IN (\(members.joined(separator: ", ")))"
  }

  package func isMember(_ column: String, ofKeys count: Int?) -> String { "\(column) = ANY(?)" }
}

/// Texts, numbers and functions. Operators on numbers are left out: the server's stop at an overflow and at a division by
/// zero, which are values here.
extension PostgreSQLDialect {
  package func folded(_ text: SQLStatement, options: ComparisonNode.Options) -> SQLStatement? { nil }

  package func compare(
    _ text: SQLStatement, by comparison: ComparisonNode.Operator, with part: TextPart, options: ComparisonNode.Options
  ) -> SQLStatement? {
    switch comparison {
    case .contains: "strpos(\(text), \(part.statement)) > 0"
    case .beginsWith: "starts_with(\(text), \(part.statement))"
    case .endsWith: "right(\(text), length(\(part.statement))) = \(part.statement)"
    default: nil
    }
  }

  package func cast(_ number: SQLStatement, to kind: SlotKind) -> SQLStatement {
    kind == .double ? "(\(number))::double precision" : "trunc((\(number))::numeric)::bigint"
  }

  package func cast(_ value: TypedStatement, toClass type: CastType) -> SQLStatement? { nil }
  package func operation(_ function: ExpressionFunction, on operands: [SQLStatement]) -> SQLStatement? { nil }
  package func call(_ function: ExpressionFunction, on arguments: [TypedStatement]) -> SQLStatement? { nil }
  package func callOverList(_ function: ExpressionFunction, on members: [TypedStatement]) -> SQLStatement? { nil }

  /// Only where the result depends neither on the order of the rows nor on the server's precision.
  package func aggregate(_ function: ExpressionFunction, of value: TypedStatement) -> SQLStatement? {
    switch function {
    case .min where value.kind.isOrdered: "MIN(\(value.text))"
    case .max where value.kind.isOrdered: "MAX(\(value.text))"
    case .sum where value.kind.isSmallInteger: "COALESCE(SUM(\(value.text)), 0)"
    case .average where value.kind.isSmallInteger: "SUM(\(value.text))::double precision / COUNT(\(value.text))"
    default: nil
    }
  }
}

extension SlotKind {
  fileprivate var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    default: false
    }
  }

  /// Whether the server knows the least of several values.
  fileprivate var isOrdered: Bool {
    switch self {
    case .uuid, .data, .transformable, .object: false
    default: true
    }
  }
}
