import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Rows that are found by a long list.
///
/// An engine may first put the members of IN into an index of its own, to visit them in order; that costs SQLite half
/// of a look-up for each member. As the list is sorted already, the query goes through it and looks up each member
/// instead.
extension SelectWriter {
  /// A comparison with a long list, as a table that the query goes through first.
  struct LeadingList {
    /// The list, before the tables of the query.
    let clause: SQLStatement
    let condition: SQLStatement
    /// The query without the comparison.
    let rest: FetchQuery
  }

  /// The list that finds the rows of a query; nil if no list does, or only a short one.
  func leadingList(of query: FetchQuery, in scope: QueryScope) throws -> LeadingList? {
    guard let filter = query.filter else { return nil }
    var nodes = if case .and(let nodes) = filter { nodes } else { [filter] }
    for (index, node) in nodes.enumerated() {
      guard let (column, list) = try lookUps(node, of: query.layout, in: scope),
        let table = dialect.leadingTable(of: list)
      else { continue }
      nodes.remove(at: index)
      var rest = query
      rest.filter = nodes.isEmpty ? nil : .and(nodes)
      return LeadingList(
        clause: table.clause, condition: SQLStatement("\(column) = \(table.value)"), rest: rest)
    }
    return nil
  }

  /// The column and the list of a comparison with a long list, if the key or an index finds its members.
  private func lookUps(
    _ node: PredicateNode, of layout: EntityLayout, in scope: QueryScope
  ) throws -> (column: String, list: StoredList)? {
    guard let shortest = dialect.minimumLeadingList, case .comparison(let comparison) = node,
      comparison.comparison == .in, comparison.quantifier == .one, comparison.options.isEmpty,
      case .value(.list(let values)) = comparison.right, values.count >= shortest, !values.holdNull,
      let left = try indexed(comparison.left, of: layout, in: scope), let column = left.text?.text
    else { return nil }
    var stored: [StoredValue] = []
    stored.reserveCapacity(values.count)
    for value in values {
      if let value = try conditions.storedValue(value, comparedWith: left, options: comparison.options) {
        stored.append(value)
      }
    }
    return StoredList(stored).map { (column, $0) }
  }

  /// The key of the rows, or an indexed property whose values each have a single representation; nil for others.
  private func indexed(
    _ expression: ExpressionNode, of layout: EntityLayout, in scope: QueryScope
  ) throws -> SQLOperand? {
    if case .keyPath(let path) = expression, path.count == 1, schema.indexedNames(of: layout).contains(path[0]) {
      let operand = try conditions.operand(expression, in: scope)
      // Two texts may stand for the same decimal number.
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
