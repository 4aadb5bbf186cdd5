import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Rows that a long list finds.
///
/// SQLite puts the members of a list that stands in the brackets of IN into an index of its own, to take them out of there
/// one by one in their order, which costs as much as half of a look-up for each. A list in order whose members differ need
/// not go that way: the query goes through the list and looks each member up.
/// See https://www.sqlite.org/optoverview.html (manual control of query plans using CROSS JOIN)
extension SelectWriter {
  /// A comparison with a long list as a table that the query goes through first.
  struct LeadingList {
    /// What stands before the tables of the query.
    let source: SQLStatement
    let condition: SQLStatement
    /// The plan without the comparison.
    let rest: FetchQuery
  }

  /// The list that finds the rows of a plan; nil if none does, or is short.
  func leadingList(of plan: FetchQuery, in scope: QueryScope) throws -> LeadingList? {
    guard let filter = plan.filter else { return nil }
    var nodes = if case .and(let nodes) = filter { nodes } else { [filter] }
    for (place, node) in nodes.enumerated() {
      guard let (column, list) = try lookUps(node, of: plan.layout, in: scope) else { continue }
      nodes.remove(at: place)
      var rest = plan
      rest.filter = nodes.isEmpty ? nil : .and(nodes)
      return LeadingList(
        source: SQLStatement("\(SQLDialect.list)(?) list CROSS JOIN ", [.list(list)]),
        condition: SQLStatement("\(column) = list.value"), rest: rest)
    }
    return nil
  }

  /// The column and the members of a comparison with a long list that an index or the key answers; nil for others.
  private func lookUps(
    _ node: PredicateNode, of layout: EntityLayout, in scope: QueryScope
  ) throws -> (column: String, list: StoredList)? {
    guard case .comparison(let comparison) = node, comparison.comparison == .in, comparison.quantifier == .one,
      comparison.options.isEmpty, case .value(.list(let values)) = comparison.right,
      values.count > conditions.longestSpelled, !values.holdNull,
      let left = try indexed(comparison.left, of: layout, in: scope), let column = left.text?.text,
      let list = StoredList(try values.compactMap { try conditions.storedValue($0, with: left, comparison.options) })
    else { return nil }
    return (column, list)
  }

  /// The key of the rows, or a property that an index begins with and of which one value has one form; nil for others.
  private func indexed(
    _ expression: ExpressionNode, of layout: EntityLayout, in scope: QueryScope
  ) throws -> Operand? {
    if case .keyPath(let path) = expression, path.count == 1, schema.indexedNames(of: layout).contains(path[0]) {
      let operand = try conditions.operand(expression, in: scope)
      // A decimal number is compared as what SQLite makes of its text, which two texts may have in common.
      if case .column(_, .decimal) = operand { return nil }
      return operand
    }
    switch expression {
    case .evaluatedObject, .keyPath(["self"]), .keyPath(["SELF"]), .keyPath(["objectID"]):
      return try conditions.operand(expression, in: scope)
    default: return nil
    }
  }
}
