import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes predicates as conditions: TREE -> SQL.
///
/// A condition is TRUE exactly where the predicate holds, and FALSE or NULL elsewhere. Predicates have two truth values
/// and SQL has three, so NOT is pushed down to the comparisons rather than left to SQL.
package struct PredicateCompiler: Sendable {
  let schema: StoreSchema
  let dialect: any SQLDialect
  /// The number of the store in row IDs. Rows of other stores equal nothing here; 0 accepts IDs of any store.
  let store: Int

  package init(schema: StoreSchema, dialect: any SQLDialect, store: Int) {
    self.schema = schema
    self.dialect = dialect
    self.store = store
  }

  /// - Parameter holds: false for the predicate's negation.
  package func condition(_ node: PredicateNode, holds: Bool = true, in scope: QueryScope) throws -> SQLStatement {
    switch node {
    case .constant(let value): return constant(value == holds)
    case .not(let node): return try condition(node, holds: !holds, in: scope)
    case .comparison(let comparison):
      if let parts = comparison.withoutSetOperation { return try condition(parts, holds: holds, in: scope) }
      return try condition(comparison, holds: holds, in: scope)
    case .and(let nodes): return try compound(nodes, isConjunction: holds, holds: holds, in: scope)
    case .or(let nodes): return try compound(nodes, isConjunction: !holds, holds: holds, in: scope)
    }
  }

  func constant(_ value: Bool) -> SQLStatement { SQLStatement(dialect.condition(value)) }

  private func compound(
    _ nodes: [PredicateNode], isConjunction: Bool, holds: Bool, in scope: QueryScope
  ) throws -> SQLStatement {
    let conditions = try nodes.map { try condition($0, holds: holds, in: scope) }
    let bindings = conditions.reduce(0) { $0 + $1.bindings.count }
    if bindings > dialect.maximumBindings {
      throw unsupported(
        "\(nodes.count) joined terms have \(bindings) values; a statement takes at most \(dialect.maximumBindings): compare "
          + "with a list by IN, or fetch in several parts.")
    }
    return joined(conditions, isConjunction: isConjunction)
  }

  func joined(_ conditions: [SQLStatement], isConjunction: Bool) -> SQLStatement {
    conditions.isEmpty
      ? constant(isConjunction) : bracketed(conditions[...], separator: isConjunction ? " AND " : " OR ")
  }

  /// Long chains of AND or OR are split into halves, as engines nest them and limit the depth.
  private func bracketed(_ conditions: ArraySlice<SQLStatement>, separator: String) -> SQLStatement {
    if conditions.count == 1, let only = conditions.first { return only }
    let middle = conditions.startIndex + conditions.count / 2
    let parts =
      conditions.count <= dialect.maximumTerms
      ? Array(conditions)
      : [conditions[..<middle], conditions[middle...]].map { bracketed($0, separator: separator) }
    return "(\(parts.joined(separator: separator)))"
  }

  private func condition(
    _ comparison: ComparisonNode, holds: Bool, in scope: QueryScope
  ) throws -> SQLStatement {
    let asksPresence = comparison.asksPresence
    let left = try operand(comparison.left, in: scope, forPresence: asksPresence)
    let right = try operand(comparison.right, in: scope, forPresence: asksPresence)
    if case .members(let members) = left, comparison.quantifier != .one {
      let isAll = comparison.quantifier == .all
      let condition = try compare(members.member, with: right, by: comparison, holds: !isAll)
      return members.exists(holds != isAll, where: condition)
    }
    if let members = members(of: left), comparison.quantifier != .one {
      let conditions = try members.map { try compare($0, with: right, by: comparison, holds: holds) }
      return joined(conditions, isConjunction: holds == (comparison.quantifier == .all))
    }
    return try compare(left, with: right, by: comparison, holds: holds)
  }

  func compare(
    _ left: SQLOperand, with right: SQLOperand, by comparison: ComparisonNode, holds: Bool
  ) throws -> SQLStatement {
    let options = comparison.options
    if case .constant(let first) = left, case .constant(let second) = right {
      return constant(try evaluated(first, by: comparison.comparison, with: second, options: options) == holds)
    }
    switch comparison.comparison {
    case .equal: return try equality(of: left, with: right, options: options, holds: holds)
    case .notEqual: return try equality(of: left, with: right, options: options, holds: !holds)
    case .less: return try order(of: left, by: "<", with: right, options: options, holds: holds)
    case .lessOrEqual: return try order(of: left, by: "<=", with: right, options: options, holds: holds)
    case .greater: return try order(of: left, by: ">", with: right, options: options, holds: holds)
    case .greaterOrEqual: return try order(of: left, by: ">=", with: right, options: options, holds: holds)
    case .between: return try between(left, bounds: right, options: options, holds: holds)
    case .in: return try membership(of: left, in: right, options: options, holds: holds)
    case .contains: return try containment(of: right, in: left, options: options, holds: holds)
    case .beginsWith, .endsWith, .like, .matches:
      return try text(left, by: comparison.comparison, with: right, options: options, holds: holds)
    }
  }

  /// A condition that may be NULL, or its negation.
  func orNegation(_ statement: SQLStatement, holds: Bool) -> SQLStatement {
    holds ? statement : "(\(statement)) IS NOT TRUE"
  }

  /// - Throws: `.unsupported` if the dialect returned nil.
  func supported(_ statement: SQLStatement?, what: @autoclosure () -> String) throws -> SQLStatement {
    guard let statement else { throw unsupported("the engine has no \(what()); filter in memory.") }
    return statement
  }

  package func unsupported(_ reason: String) -> StoreError {
    StoreError(.unsupported, "The fetch cannot be expressed in SQL: \(reason)")
  }

  func toManyWithoutQuantifier() -> StoreError {
    unsupported("a to-many key path is compared like a single value; put ANY, ALL or NONE before it.")
  }
}

extension ComparisonNode {
  /// Whether the comparison only tests for the presence of a value.
  fileprivate var asksPresence: Bool {
    switch (comparison, left, right) {
    case (.equal, .value(.null), _), (.equal, _, .value(.null)), (.notEqual, .value(.null), _),
      (.notEqual, _, .value(.null)):
      true
    default: false
    }
  }

  /// `a IN (b UNION c)`, and likewise INTERSECT and MINUS, in terms of plain IN; nil for other comparisons. Sets are
  /// built by equality without options, so with options only a union can be split.
  fileprivate var withoutSetOperation: PredicateNode? {
    guard comparison == .in, quantifier == .one, case .setOperation(let operation, let first, let second) = right,
      operation == .union || options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    else { return nil }
    let parts = [first, second].map { side in
      var part = self
      part.right = side
      return PredicateNode.comparison(part)
    }
    return switch operation {
    case .union: .or(parts)
    case .intersect: .and(parts)
    case .minus: .and([parts[0], .not(parts[1])])
    }
  }
}
