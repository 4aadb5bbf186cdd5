import StrataManagedModel
import StrataPredicates

/// A query for values: columns instead of whole rows, and aggregates of groups of rows.
///
/// Expressions refer to a row by property names. An aggregate (`sum:`, `min:`, `max:`, `average:`, `count:` of a path
/// that is not to-many, or a path that begins with a collection operator: `@sum.magnitude`) ranges over the rows of a
/// group, or over all rows of the query if it is not grouped.
package struct AggregateQuery: Sendable {
  /// The rows to compute values from. Limit and offset apply to the result's rows; the order is `sort`.
  package var rows: FetchQuery
  package var columns: [ValueColumn]
  /// GROUP BY: rows with equal values of these form one group.
  package var groups: [ExpressionNode]
  /// A condition on groups, evaluated like a column; nil for all groups.
  package var having: PredicateNode?
  /// Whether to return equal result rows only once.
  package var isDistinct: Bool
  /// Most significant first. Without groups, ties are ordered by the rows' keys, as in a fetch.
  package var sort: [ValueSort]

  package init(
    rows: FetchQuery, columns: [ValueColumn], groups: [ExpressionNode] = [], having: PredicateNode? = nil,
    isDistinct: Bool = false, sort: [ValueSort] = []
  ) {
    self.rows = rows
    self.columns = columns.map { ValueColumn(rows.layout.flattened($0.expression), as: $0.kind) }
    self.groups = groups.map(rows.layout.flattened)
    self.having = having.map(rows.layout.flattened)
    self.isDistinct = isDistinct
    self.sort = sort.map { sort in
      guard case .key(let key) = sort else { return sort }
      return .key(rows.layout.flattened(key))
    }
  }

  /// Whether ties are in descending key order.
  package var reversesTies: Bool {
    guard !gathersRows, !isDistinct else { return false }
    let keys = sort.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.count == sort.count && rows.layout.hasIndex(oppositeTo: keys)
  }

  /// Whether a result row stands for several rows.
  package var gathersRows: Bool {
    !groups.isEmpty || having != nil || columns.contains { $0.expression.gathersRows(of: rows.layout) }
  }
}

/// One value of each result row.
package struct ValueColumn: Sendable {
  package var expression: ExpressionNode
  /// The kind to convert the values to; nil for none.
  package var kind: SlotKind?

  package init(_ expression: ExpressionNode, as kind: SlotKind? = nil) {
    self.expression = expression
    self.kind = kind
  }
}

/// One sort key of an aggregate query.
package enum ValueSort: Sendable {
  /// A property of the row.
  case key(SortKey)
  /// A column by index.
  case column(Int, isAscending: Bool)
}

/// An aggregate function and its operand, evaluated on each row; nil for the row itself.
package struct RowAggregate {
  package enum Function: Sendable { case sum, min, max, average, count }

  package var function: Function
  package var argument: ExpressionNode?
}

extension ExpressionNode {
  /// The expression as an aggregate; nil if it ranges over one row only, as `sum:` of a to-many path does.
  package func aggregate(over layout: EntityLayout) -> RowAggregate? {
    switch self {
    case .keyPath(let path):
      guard let name = path.first, let function = RowAggregate.Function(collectionOperator: name) else { return nil }
      let rest = Array(path.dropFirst())
      if rest.isEmpty { return function == .count ? RowAggregate(function: .count) : nil }
      return RowAggregate(function: function, argument: .keyPath(rest))
    case .function(let name, let arguments):
      guard let function = RowAggregate.Function(name), arguments.count == 1, arguments[0].isSingle(in: layout) else {
        return nil
      }
      if function == .count, case .evaluatedObject = arguments[0] { return RowAggregate(function: .count) }
      return RowAggregate(function: function, argument: arguments[0])
    default: return nil
    }
  }

  /// Whether the expression has one value per row.
  private func isSingle(in layout: EntityLayout) -> Bool {
    switch self {
    case .evaluatedObject: true
    case .keyPath(let path): layout.isToOne(path)
    case .function(.count, _): true
    case .function(_, let arguments): arguments.allSatisfy { $0.isSingle(in: layout) }
    case .conditional(_, let first, let second): first.isSingle(in: layout) && second.isSingle(in: layout)
    case .value(.list), .aggregate, .subquery, .setOperation, .path, .variable, .opaque: false
    case .value, .element: true
    }
  }

  /// Whether the expression contains an aggregate.
  package func gathersRows(of layout: EntityLayout) -> Bool {
    var isFound = false
    _ = mapping { node in
      if node.aggregate(over: layout) != nil { isFound = true }
      return node
    }
    return isFound
  }
}

extension EntityLayout {
  /// Whether a path has at most one value, such as a relationship's count.
  fileprivate func isToOne(_ path: [String]) -> Bool {
    if path.last == "@count", path.count > 1 { return leadsToMany(path.dropLast()) }
    var layout: EntityLayout? = self
    for name in path {
      guard !name.hasPrefix("@"), let here = layout else { return false }
      if here.toMany(named: name) != nil { return false }
      layout = here.slot(named: name).flatMap { here.slots[$0].relationship?.destination }
    }
    return true
  }
}

extension RowAggregate.Function {
  init?(_ function: ExpressionFunction) {
    switch function {
    case .sum: self = .sum
    case .min: self = .min
    case .max: self = .max
    case .average: self = .average
    case .count: self = .count
    default: return nil
    }
  }

  init?(collectionOperator name: String) {
    switch name {
    case "@sum": self = .sum
    case "@min": self = .min
    case "@max": self = .max
    case "@avg": self = .average
    case "@count": self = .count
    default: return nil
    }
  }
}
