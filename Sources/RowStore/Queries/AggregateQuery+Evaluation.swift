import StrataManagedModel
import StrataPredicates

/// Evaluates aggregate queries in memory, as SQL would, for sources without SQL.
extension AggregateQuery {
  /// The result for the rows that the query's filter selects, given in key order.
  package func values<Subject: PredicateSubject>(
    of subjects: [Subject]
  ) throws(PredicateEvaluationError) -> ValueTable {
    var results: [ResultRow] = []
    if gathersRows {
      for group in try grouped(subjects) {
        if let having, try !holds(having, for: group) { continue }
        results.append(try result(for: group))
      }
    } else {
      for subject in subjects { results.append(try result(for: [subject])) }
    }
    if isDistinct { results = distinct(results) }
    return table(of: rows.window(of: sorted(results)))
  }

  /// A result row and its sort values.
  private struct ResultRow {
    var values: [PredicateValue]
    var sort: [PredicateValue]
  }

  private func result<Subject: PredicateSubject>(for group: [Subject]) throws(PredicateEvaluationError) -> ResultRow {
    var values: [PredicateValue] = []
    for column in columns { values.append(try value(of: column.expression, for: group)) }
    var keys: [PredicateValue] = []
    for sort in sort {
      switch sort {
      case .column(let number, _): keys.append(values[number])
      case .key(let key): keys.append(try value(of: .keyPath(key.keyPath), for: group))
      }
    }
    return ResultRow(values: values, sort: keys)
  }

  // MARK: Groups

  /// The rows by group, ordered by the groups' values; a single group if the query is not grouped.
  private func grouped<Subject: PredicateSubject>(
    _ subjects: [Subject]
  ) throws(PredicateEvaluationError) -> [[Subject]] {
    guard !groups.isEmpty else { return [subjects] }
    var indexes: [[PredicateValue]: Int] = [:]
    var found: [(key: [PredicateValue], members: [Subject])] = []
    for subject in subjects {
      var key: [PredicateValue] = []
      for group in groups { key.append(try value(of: group, for: [subject])) }
      if let index = indexes[key] {
        found[index].members.append(subject)
      } else {
        indexes[key] = found.count
        found.append((key, [subject]))
      }
    }
    return found.sorted { Self.isBefore($0.key, $1.key) }.map(\.members)
  }

  private static func isBefore(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
    for (left, right) in zip(left, right) {
      switch PredicateValue.order(left, right) {
      case .orderedSame: continue
      case .orderedAscending: return true
      case .orderedDescending: return false
      }
    }
    return false
  }

  private func holds<Subject: PredicateSubject>(
    _ having: PredicateNode, for group: [Subject]
  ) throws(PredicateEvaluationError) -> Bool {
    let evaluated = try having.mappingExpressions { node throws(PredicateEvaluationError) in
      try evaluatedAggregate(node, group: group)
    }
    guard let first = group.first else { return try evaluated.evaluate(on: .value(.null)) }
    return try evaluated.evaluate(on: first)
  }

  /// An expression's value for a group: aggregates range over all its rows, the rest is evaluated on the first.
  private func value<Subject: PredicateSubject>(
    of expression: ExpressionNode, for group: [Subject]
  ) throws(PredicateEvaluationError) -> PredicateValue {
    let evaluated = try expression.mapping { node throws(PredicateEvaluationError) in
      try evaluatedAggregate(node, group: group)
    }
    if case .value(let value) = evaluated { return value }
    guard let first = group.first else { return .null }
    switch try evaluated.result(for: .subject(first)) {
    case .value(let value): return value
    case .subject(let subject): return subject.predicateIdentity
    case .members, .unknownKey: throw .needsQuantifier(keyPath: expression.description)
    }
  }

  private func evaluatedAggregate<Subject: PredicateSubject>(
    _ node: ExpressionNode, group: [Subject]
  ) throws(PredicateEvaluationError) -> ExpressionNode {
    guard let aggregate = node.aggregate(over: rows.layout) else { return node }
    guard let argument = aggregate.argument else { return .value(.integer(Int64(group.count))) }
    var values: [PredicateValue] = []
    for subject in group {
      let value = try value(of: argument, for: [subject])
      if value != .null { values.append(value) }
    }
    return .value(aggregate.function.value(of: values))
  }

  // MARK: Result

  private func distinct(_ results: [ResultRow]) -> [ResultRow] {
    var seen: Set<[PredicateValue]> = []
    return results.filter { seen.insert($0.values).inserted }
  }

  private func sorted(_ results: [ResultRow]) -> [ResultRow] {
    guard !sort.isEmpty else { return results }
    let reversesTies = reversesTies
    let order = results.indices.sorted { left, right in
      for (index, sort) in sort.enumerated() {
        switch PredicateValue.order(results[left].sort[index], results[right].sort[index], by: sort.comparison) {
        case .orderedSame: continue
        case .orderedAscending: return sort.isAscending
        case .orderedDescending: return !sort.isAscending
        }
      }
      return reversesTies ? left > right : left < right
    }
    return order.map { results[$0] }
  }

  private func table(of results: ArraySlice<ResultRow>) -> ValueTable {
    let table = ValueTable(width: columns.count)
    for result in results {
      for (value, column) in zip(result.values, columns) { table.append(value, as: column.kind) }
    }
    return table
  }
}

extension ValueSort {
  package var isAscending: Bool {
    switch self {
    case .key(let key): key.isAscending
    case .column(_, let isAscending): isAscending
    }
  }

  /// The comparison of texts.
  package var comparison: SortComparison {
    if case .key(let key) = self { key.comparison } else { .binary }
  }
}

extension RowAggregate.Function {
  /// The aggregate of the values that are not nil.
  func value(of values: [PredicateValue]) -> PredicateValue {
    switch self {
    case .sum: .sum(of: values)
    case .average: .average(of: values)
    case .count: .integer(Int64(values.count))
    case .min: values.min { PredicateValue.order($0, $1) == .orderedAscending } ?? .null
    case .max: values.max { PredicateValue.order($0, $1) == .orderedAscending } ?? .null
    }
  }
}
