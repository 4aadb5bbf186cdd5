import StrataManagedModel
import StrataPredicates

/// What a fetch of values asks of a source of rows: columns in the place of whole rows, and what groups of rows come to.
///
/// Expressions are about a row, by property names. A function over rows (`sum:`, `min:`, `max:`, `average:`, `count:` of a
/// path that is not to-many, or a path that begins with a collection operator: `@sum.magnitude`) is about all rows of a
/// group: all rows of the plan where nothing groups them.
package struct AggregateQuery: Sendable {
  /// The rows that the values are of. Limit and offset count the rows of the answer; the order is `sort`.
  package var rows: FetchQuery
  package var columns: [ValueColumn]
  /// Rows with the same values of these come to one row of the answer.
  package var groups: [ExpressionNode]
  /// About a group, like a column; nil is every group.
  package var having: PredicateNode?
  /// Whether equal rows of the answer come once.
  package var isDistinct: Bool
  /// Most significant first. Rows without groups that are equal in all of them come in the order of their keys in the
  /// store, in the direction of the last one.
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

  /// Whether rows that are equal in all that they are sorted by come in the reversed order of their keys.
  package var reversesTies: Bool { !gathersRows && !isDistinct && sort.last?.isAscending == false }

  /// Whether a row of the answer stands for several rows.
  package var gathersRows: Bool {
    !groups.isEmpty || having != nil || columns.contains { $0.expression.gathersRows(of: rows.layout) }
  }
}

/// One value of each row of an answer.
package struct ValueColumn: Sendable {
  package var expression: ExpressionNode
  /// What the values become; nil is what they are.
  package var kind: SlotKind?

  package init(_ expression: ExpressionNode, as kind: SlotKind? = nil) {
    self.expression = expression
    self.kind = kind
  }
}

/// One key of the order of values.
package enum ValueSort: Sendable {
  /// By a property of the row.
  case key(SortKey)
  /// By the column with a number.
  case column(Int, isAscending: Bool)
}

/// A function over rows, and what it is applied to in each of them; nil is the row itself.
package struct RowAggregate {
  package enum Function: Sendable { case sum, min, max, average, count }

  package var function: Function
  package var argument: ExpressionNode?
}

extension ExpressionNode {
  /// The expression as a function over rows; nil if it is about one row, as `sum:` of a to-many path is.
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

  /// Whether the expression has one value for each row.
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

  /// Whether the expression has a function over rows in it.
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
  /// Whether a path leads to one value at most, as the number of a relationship's members is.
  fileprivate func isToOne(_ path: [String]) -> Bool {
    if path.last == "@count", path.count > 1 { return leadsToMany(path.dropLast()) }
    var layout: EntityLayout? = self
    for name in path {
      guard !name.hasPrefix("@"), let here = layout else { return false }
      if here.toMany(named: name) != nil { return false }
      layout = here.slot(named: name).flatMap { here.slots[$0].relationship?.destinationEntity?.layout }
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
