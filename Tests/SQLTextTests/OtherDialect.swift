import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText
import Testing

/// A fictional engine whose SQL differs from SQLite's everywhere, and which lacks some features.
struct OtherDialect: SQLDialect {
  var maximumNameLength: Int { 63 }
  var hasPositionalPlaceholders: Bool { false }
  var noLimit: StoredValue { .null }
  var maximumBindings: Int { 100 }
  var random: String { "floor(random() * 2147483648)" }
  var derivedTableAlias: String { " AS counted" }

  func identifier(_ name: String) -> String { name.lowercased().quoted(by: "\"") }
  func placeholder(_ number: Int) -> String { "$\(number)" }
  func placeholder(of kind: SlotKind) -> String { kind == .decimal ? "CAST(? AS numeric)" : "?" }

  func columnType(_ kind: SlotKind) -> String? {
    switch kind {
    case .integer16, .boolean: "smallint"
    case .integer32: "integer"
    case .integer64, .toOne: "bigint"
    case .double, .float, .date: "double precision"
    case .decimal: "numeric"
    case .string, .uri: "text"
    case .uuid, .data, .transformable: "bytea"
    case .object: nil
    }
  }

  func literal(_ value: StoredValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text.quoted(by: "'")
    case .blob(let bytes): "decode('\(bytes.map { String($0, radix: 16) }.joined())', 'hex')"
    case .list(let list): "ARRAY[\(list.values.map(literal).joined(separator: ", "))]"
    }
  }

  func condition(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  func isSame(_ left: SQLStatement, as right: SQLStatement, holds: Bool) -> SQLStatement {
    "\(left) IS \(holds ? "NOT " : "")DISTINCT FROM \(right)"
  }

  func isMember(_ value: SQLStatement, of list: [StoredValue], kind: SlotKind, holds: Bool) -> SQLStatement? {
    if let list = StoredList(list) { return "\(value) \(holds ? "= ANY" : "<> ALL")(\(bind: .list(list)))" }
    guard list.count <= maximumBindings else { return nil }
    let members = list.map { SQLStatement(placeholder(of: kind), [$0]) }
    return "\(value) \(holds ? "" : "NOT ")IN (\(members.joined(separator: ", ")))"
  }

  func isMember(_ column: String, ofKeys count: Int?) -> String { "\(column) = ANY(?)" }

  func folded(_ text: SQLStatement, options: ComparisonNode.Options) -> SQLStatement? {
    options.contains(.diacriticInsensitive) ? nil : "lower(\(text))"
  }

  func compare(
    _ text: SQLStatement, by comparison: ComparisonNode.Operator, with part: TextPart, options: ComparisonNode.Options
  ) -> SQLStatement? {
    switch comparison {
    case .contains: "strpos(\(text), \(part.statement)) > 0"
    case .beginsWith: "starts_with(\(text), \(part.statement))"
    case .endsWith: "right(\(text), length(\(part.statement))) = \(part.statement)"
    default: nil
    }
  }

  func cast(_ number: SQLStatement, to kind: SlotKind) -> SQLStatement {
    kind == .double ? "CAST(\(number) AS double precision)" : "CAST(trunc(\(number)) AS bigint)"
  }

  func cast(_ value: TypedStatement, toClass type: CastType) -> SQLStatement? { nil }

  func operation(_ function: ExpressionFunction, on operands: [SQLStatement]) -> SQLStatement? {
    switch function {
    case .add: "(\(operands[0]) + \(operands[1]))"
    case .subtract: "(\(operands[0]) - \(operands[1]))"
    case .multiply: "(\(operands[0]) * \(operands[1]))"
    case .divide: "(\(operands[0]) / NULLIF(\(operands[1]), 0))"
    default: nil
    }
  }

  func call(_ function: ExpressionFunction, on arguments: [TypedStatement]) -> SQLStatement? {
    switch function {
    case .uppercase: "upper(\(arguments[0].text))"
    case .length: "length(\(arguments[0].text))"
    default: nil
    }
  }

  func callOverList(_ function: ExpressionFunction, on members: [TypedStatement]) -> SQLStatement? {
    function == .max ? "GREATEST(\(members.map(\.text).joined(separator: ", ")))" : nil
  }

  func aggregate(_ function: ExpressionFunction, of value: TypedStatement) -> SQLStatement? {
    switch function {
    case .min: "MIN(\(value.text))"
    case .max: "MAX(\(value.text))"
    case .sum: "COALESCE(SUM(\(value.text)), 0)"
    case .average: "AVG(\(value.text))"
    default: nil
    }
  }

  func ifNull(_ value: String, _ other: String) -> String { "COALESCE(\(value), \(other))" }

  func orderTerm(_ value: SQLStatement, by comparison: SortComparison, isAscending: Bool) -> SQLStatement? {
    guard comparison == .binary else { return nil }
    return "\(value) \(isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")"
  }

  func insertOrKeep(_ insertion: String) -> String { "INSERT \(insertion) ON CONFLICT DO NOTHING" }

  func conflictClause(_ resolution: ConflictResolution) -> String? {
    if case .keepStored = resolution { "ON CONFLICT DO NOTHING" } else { nil }
  }
}

/// Text that only a statement for SQLite contains: its keywords, functions and placeholders, and names as Apple writes
/// them.
private let sqliteWords = [
  "?", "STRATA_", "NSCollate", "IFNULL", "instr(", "substr(", "OR IGNORE", "OR REPLACE", "X'", "AS BLOB", "AS REAL",
  "AS INTEGER", "CROSS JOIN", "+t", "+\"", "random() &", "ZQ", "Z_", "temp.", "rowid",
]

/// Checks that a statement of the other dialect contains no SQLite syntax, and that its placeholders are numbered in
/// order.
func expectOther(
  _ text: String, bindings: Int? = nil, _ location: SourceLocation = #_sourceLocation
) {
  for word in sqliteWords {
    #expect(!text.contains(word), "\(word) is SQLite's: \(text)", sourceLocation: location)
  }
  for match in text.matches(of: /\bIS (?!NULL|NOT NULL|NOT TRUE|NOT DISTINCT FROM|DISTINCT FROM)/) {
    Issue.record("\(match.output) compares as SQLite does: \(text)", sourceLocation: location)
  }
  for match in text.matches(of: /(?:WHERE|AND|OR|\() ?[01](?: AND| OR|\)|$)/) {
    Issue.record("\(match.output) is not a condition: \(text)", sourceLocation: location)
  }
  let numbers = text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
  guard let bindings else { return }
  #expect(numbers == Array(1..<bindings + 1), "\(text)", sourceLocation: location)
}

/// Writes all statements of a query in the other dialect. A query that the dialect cannot express must throw
/// `unsupported`.
func expectOther(_ plan: FetchQuery, _ writer: SelectWriter, _ location: SourceLocation = #_sourceLocation) {
  do {
    for statement in [
      try writer.rows(plan, packing: true).statement, try writer.ids(plan), try writer.unorderedIDs(plan),
      try writer.count(plan),
    ] {
      expectOther(statement.text, bindings: statement.bindings.count, location)
    }
  } catch {
    #expect((error as? StoreError)?.code == .unsupported, "\(error)", sourceLocation: location)
  }
}
