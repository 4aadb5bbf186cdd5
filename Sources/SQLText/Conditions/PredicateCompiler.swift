import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Writes predicates as conditions: TREE -> SQL.
///
/// A written condition is TRUE exactly where the predicate holds, and FALSE or NULL elsewhere. As the predicate has two
/// values and SQL three, NOT is not left to SQL but pushed down to the comparisons.
struct PredicateCompiler {
  let schema: StoreSchema
  let dialect: SQLDialect
  /// The number of the store in row ids; rows of other stores are equal to nothing here. 0: ids of any store.
  let store: Int
  /// The most members of a list that has a placeholder for each: with more of them it takes longer than one binding.
  var longestSpelled = 16

  /// - Parameter holds: whether the predicate or its opposite is wanted.
  func condition(_ node: PredicateNode, holds: Bool = true, in scope: QueryScope) throws -> SQLStatement {
    switch node {
    case .constant(let value): return constant(value == holds)
    case .not(let node): return try condition(node, holds: !holds, in: scope)
    case .comparison(let comparison):
      if let parts = comparison.withoutSetOperation { return try condition(parts, holds: holds, in: scope) }
      return try self.comparison(comparison, holds: holds, in: scope)
    case .and(let nodes): return try compound(nodes, isConjunction: holds, holds: holds, in: scope)
    case .or(let nodes): return try compound(nodes, isConjunction: !holds, holds: holds, in: scope)
    }
  }

  func constant(_ value: Bool) -> SQLStatement { SQLStatement(value ? dialect.truth : dialect.falsehood) }

  private func compound(
    _ nodes: [PredicateNode], isConjunction: Bool, holds: Bool, in scope: QueryScope
  ) throws -> SQLStatement {
    let conditions = try nodes.map { try condition($0, holds: holds, in: scope) }
    return conditions.isEmpty ? constant(isConjunction) : joined(conditions[...], isConjunction ? " AND " : " OR ")
  }

  /// In brackets, and many of them in halves: SQLite's limit is a depth of 1,000.
  func joined(_ conditions: ArraySlice<SQLStatement>, _ separator: String) -> SQLStatement {
    if conditions.count == 1, let only = conditions.first { return only }
    let middle = conditions.startIndex + conditions.count / 2
    let parts =
      conditions.count <= 64
      ? Array(conditions) : [joined(conditions[..<middle], separator), joined(conditions[middle...], separator)]
    return "(\(parts.joined(separator: separator)))"
  }

  private func comparison(
    _ comparison: ComparisonNode, holds: Bool, in scope: QueryScope
  ) throws -> SQLStatement {
    let asksPresence = comparison.asksPresence
    let left = try operand(comparison.left, in: scope, forPresence: asksPresence)
    let right = try operand(comparison.right, in: scope, forPresence: asksPresence)
    if case .members(let members) = left, comparison.quantifier != .one {
      let isAll = comparison.quantifier == .all
      let condition = try compare(members.member, comparison, right, holds: !isAll)
      return members.exists(holds != isAll, where: condition)
    }
    if let members = members(of: left), comparison.quantifier != .one {
      let conditions = try members.map { try compare($0, comparison, right, holds: holds) }
      let isConjunction = holds == (comparison.quantifier == .all)
      return conditions.isEmpty ? constant(isConjunction) : joined(conditions[...], isConjunction ? " AND " : " OR ")
    }
    return try compare(left, comparison, right, holds: holds)
  }

  func compare(
    _ left: Operand, _ comparison: ComparisonNode, _ right: Operand, holds: Bool
  ) throws -> SQLStatement {
    if case .constant(let first) = left, case .constant(let second) = right {
      return constant(try evaluated(first, comparison.comparison, second, comparison.options) == holds)
    }
    switch comparison.comparison {
    case .equal: return try equality(left, right, comparison.options, holds: holds)
    case .notEqual: return try equality(left, right, comparison.options, holds: !holds)
    case .less: return try order(left, "<", right, comparison.options, holds: holds)
    case .lessOrEqual: return try order(left, "<=", right, comparison.options, holds: holds)
    case .greater: return try order(left, ">", right, comparison.options, holds: holds)
    case .greaterOrEqual: return try order(left, ">=", right, comparison.options, holds: holds)
    case .between: return try range(left, right, comparison.options, holds: holds)
    case .in: return try membership(left, right, comparison.options, holds: holds)
    case .contains: return try containment(left, right, comparison.options, holds: holds)
    case .beginsWith, .endsWith, .like, .matches:
      return try text(left, comparison.comparison, right, comparison.options, holds: holds)
    }
  }

  /// A condition that may be NULL, or its opposite.
  func settled(_ statement: SQLStatement, holds: Bool) -> SQLStatement {
    holds ? statement : "(\(statement)) IS NOT TRUE"
  }

  func unsupported(_ reason: String) -> StoreError {
    StoreError(.unsupported, "The fetch cannot be said in SQL: \(reason)")
  }

  func toManyWithoutQuantifier() -> StoreError {
    unsupported("a to-many key path is compared as if it were one value; say ANY, ALL or NONE before it.")
  }
}

extension ComparisonNode {
  /// Whether the comparison asks no more than whether there is a value.
  fileprivate var asksPresence: Bool {
    switch (comparison, left, right) {
    case (.equal, .value(.null), _), (.equal, _, .value(.null)), (.notEqual, .value(.null), _),
      (.notEqual, _, .value(.null)):
      true
    default: false
    }
  }

  /// `a IN (b UNION c)` and its kin in terms of IN; nil for other comparisons. Which members are in both sides goes by
  /// equality without options, so with them only a union comes apart.
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
