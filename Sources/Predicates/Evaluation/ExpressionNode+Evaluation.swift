import Foundation

/// Evaluates expressions by the rules documented at `PredicateNode.evaluate(on:)`.
extension ExpressionNode {
  /// Evaluates the expression with `SELF` bound to `root`.
  package func result(for root: PredicateResult) throws(PredicateEvaluationError) -> PredicateResult {
    try result(in: root)
  }

  /// Evaluates the expression on a subject.
  package func result(on subject: some PredicateSubject) throws(PredicateEvaluationError) -> PredicateResult {
    try result(in: SubjectRoot(subject: subject))
  }

  func result(in root: some EvaluationRoot) throws(PredicateEvaluationError) -> PredicateResult {
    switch self {
    case .value(let value): return .value(value)
    case .keyPath(let path): return try root.result(at: path)
    case .evaluatedObject: return root.whole
    case .variable(let name):
      guard let value = root.value(of: name) else { throw .unboundVariable(name) }
      return value
    case .path(let start, let path): return try start.result(in: root).result(at: path)
    case .aggregate(let nodes): return .members(try Self.results(of: nodes, in: root))
    case .function(let function, let arguments): return try result(of: function, arguments, in: root)
    case .conditional(let condition, let first, let second):
      return try condition.holds(for: root) ? first.result(in: root) : second.result(in: root)
    case .subquery(let collection, let variable, let predicate):
      return try members(of: collection, for: variable, where: predicate, in: root)
    case .setOperation(let operation, let left, let right):
      return .members(operation.members(try left.collection(in: root), try right.collection(in: root)))
    case .element(let list, let index): return try element(of: list, index, in: root)
    case .opaque(let opaque): return try opaque.evaluation(root.whole, Self.results(of: opaque.arguments, in: root))
    }
  }

  private static func results(
    of nodes: [ExpressionNode], in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> [PredicateResult] {
    var results: [PredicateResult] = []
    for node in nodes { results.append(try node.result(in: root)) }
    return results
  }

  private func result(
    of function: ExpressionFunction, _ arguments: [ExpressionNode], in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> PredicateResult {
    if function == .now { return .value(.date(Date())) }
    let results = try Self.results(of: arguments, in: root)
    if function.isAggregate {
      let members = results.flatMap { $0.quantified.map(\.plainValue) }
      return .value(ExpressionArithmetic.result(of: function, members: members))
    }
    if function == .noindex { return results[0] }
    var values: [PredicateValue] = []
    for result in results {
      guard result.listed == nil else { throw .noResult(description, reason: "an argument has many values.") }
      values.append(result.plainValue)
    }
    return .value(ExpressionArithmetic.result(of: function, values))
  }
}

/// Expressions over collections.
extension ExpressionNode {
  /// The members of a collection expression; none for nil.
  fileprivate func collection(in root: some EvaluationRoot) throws(PredicateEvaluationError) -> [PredicateResult] {
    let result = try result(in: root)
    if case .value(.null) = result { return [] }
    guard let members = result.listed else {
      throw .noResult(description, reason: "a list or a to-many key path is needed here.")
    }
    return members
  }

  private func members(
    of collection: ExpressionNode, for variable: String, where predicate: PredicateNode, in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> PredicateResult {
    var found: [PredicateResult] = []
    for member in try collection.collection(in: root) {
      if case .value(.null) = member { continue }
      if try predicate.holds(for: BindingRoot(outside: root, variable: variable, member: member)) {
        found.append(member)
      }
    }
    return .members(found)
  }

  private func element(
    of list: ExpressionNode, _ index: ElementIndex, in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> PredicateResult {
    if case .at(let position) = index {
      let result = try list.result(in: root)
      if case .subject(let subject) = result, let key = try position.result(in: root).plainValue.text {
        return try PredicateResult.subject(subject).result(at: [key])
      }
    }
    let members = try list.collection(in: root)
    switch index {
    case .first: return members.first ?? .value(.null)
    case .last: return members.last ?? .value(.null)
    case .size: return .value(.integer(Int64(members.count)))
    case .at(let position):
      guard let position = try position.result(in: root).plainValue.cutNumber, members.indices.contains(Int(position))
      else {
        return .value(.null)
      }
      return members[Int(position)]
    }
  }
}

extension SetOperation {
  /// The members of the set operation; equal members count once.
  func members(_ left: [PredicateResult], _ right: [PredicateResult]) -> [PredicateResult] {
    switch self {
    case .union: (left + right).distinct
    case .intersect: left.distinct.filter { member in right.contains { $0.equals(member, options: []) } }
    case .minus: left.distinct.filter { member in !right.contains { $0.equals(member, options: []) } }
    }
  }
}

extension [PredicateResult] {
  /// The members without duplicates, in order of first occurrence.
  var distinct: [PredicateResult] {
    var kept: [PredicateResult] = []
    var indexes: [MemberTable.Key: [Int]] = [:]
    var unkeyed: [Int] = []
    for member in self {
      let key = MemberTable.Key(member, [])
      func isEqual(_ index: Int) -> Bool { kept[index].equals(member, options: []) }
      if let key {
        if indexes[key]?.contains(where: isEqual) == true || unkeyed.contains(where: isEqual) { continue }
        indexes[key, default: []].append(kept.count)
      } else {
        if kept.indices.contains(where: isEqual) { continue }
        unkeyed.append(kept.count)
      }
      kept.append(member)
    }
    return kept
  }
}
