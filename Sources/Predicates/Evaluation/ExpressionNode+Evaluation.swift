import Foundation

/// Evaluates expressions by the rules documented at `PredicateNode.evaluate(on:)`.
extension ExpressionNode {
  /// Evaluates the expression with `SELF` bound to `root`.
  package func answer(for root: PredicateAnswer) throws(PredicateEvaluationError) -> PredicateAnswer {
    try answer(in: root)
  }

  /// Evaluates the expression on a subject.
  package func answer(on subject: some PredicateSubject) throws(PredicateEvaluationError) -> PredicateAnswer {
    try answer(in: SubjectRoot(subject: subject))
  }

  func answer(in root: some EvaluationRoot) throws(PredicateEvaluationError) -> PredicateAnswer {
    switch self {
    case .value(let value): return .value(value)
    case .keyPath(let path): return try root.answer(at: path)
    case .evaluatedObject: return root.whole
    case .variable(let name):
      guard let value = root.value(of: name) else { throw .unboundVariable(name) }
      return value
    case .path(let start, let path): return try start.answer(in: root).answer(at: path)
    case .aggregate(let nodes): return .members(try Self.answers(of: nodes, in: root))
    case .function(let function, let arguments): return try result(of: function, arguments, in: root)
    case .conditional(let condition, let first, let second):
      return try condition.holds(for: root) ? first.answer(in: root) : second.answer(in: root)
    case .subquery(let collection, let variable, let predicate):
      return try members(of: collection, for: variable, where: predicate, in: root)
    case .setOperation(let operation, let left, let right):
      return .members(operation.members(try left.collection(in: root), try right.collection(in: root)))
    case .element(let list, let index): return try element(of: list, index, in: root)
    case .opaque(let opaque): return try opaque.answer(root.whole, Self.answers(of: opaque.arguments, in: root))
    }
  }

  private static func answers(
    of nodes: [ExpressionNode], in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> [PredicateAnswer] {
    var answers: [PredicateAnswer] = []
    for node in nodes { answers.append(try node.answer(in: root)) }
    return answers
  }

  private func result(
    of function: ExpressionFunction, _ arguments: [ExpressionNode], in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    if function == .now { return .value(.date(Date())) }
    let answers = try Self.answers(of: arguments, in: root)
    if function.isAggregate {
      let members = answers.flatMap { $0.quantified.map(\.plainValue) }
      return .value(ExpressionArithmetic.result(of: function, members: members))
    }
    if function == .noindex { return answers[0] }
    var values: [PredicateValue] = []
    for answer in answers {
      guard answer.listed == nil else { throw .noAnswer(description, reason: "an argument has many values.") }
      values.append(answer.plainValue)
    }
    return .value(ExpressionArithmetic.result(of: function, values))
  }
}

/// Expressions over collections.
extension ExpressionNode {
  /// The members of a collection expression; none for nil.
  fileprivate func collection(in root: some EvaluationRoot) throws(PredicateEvaluationError) -> [PredicateAnswer] {
    let answer = try answer(in: root)
    if case .value(.null) = answer { return [] }
    guard let members = answer.listed else {
      throw .noAnswer(description, reason: "a list or a to-many key path is needed here.")
    }
    return members
  }

  private func members(
    of collection: ExpressionNode, for variable: String, where predicate: PredicateNode, in root: some EvaluationRoot
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    var found: [PredicateAnswer] = []
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
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    if case .at(let place) = index {
      let answer = try list.answer(in: root)
      if case .subject(let subject) = answer, let key = try place.answer(in: root).plainValue.text {
        return try PredicateAnswer.subject(subject).answer(at: [key])
      }
    }
    let members = try list.collection(in: root)
    switch index {
    case .first: return members.first ?? .value(.null)
    case .last: return members.last ?? .value(.null)
    case .size: return .value(.integer(Int64(members.count)))
    case .at(let place):
      guard let place = try place.answer(in: root).plainValue.cutNumber, members.indices.contains(Int(place)) else {
        return .value(.null)
      }
      return members[Int(place)]
    }
  }
}

extension SetOperation {
  /// The members of the set operation; equal members count once.
  func members(_ left: [PredicateAnswer], _ right: [PredicateAnswer]) -> [PredicateAnswer] {
    switch self {
    case .union: (left + right).distinct
    case .intersect: left.distinct.filter { member in right.contains { $0.equals(member, options: []) } }
    case .minus: left.distinct.filter { member in !right.contains { $0.equals(member, options: []) } }
    }
  }
}

extension [PredicateAnswer] {
  /// The members without duplicates, in order of first occurrence.
  var distinct: [PredicateAnswer] {
    var kept: [PredicateAnswer] = []
    var places: [MemberTable.Key: [Int]] = [:]
    var unkeyed: [Int] = []
    for member in self {
      let key = MemberTable.Key(member, [])
      func isEqual(_ place: Int) -> Bool { kept[place].equals(member, options: []) }
      if let key {
        if places[key]?.contains(where: isEqual) == true || unkeyed.contains(where: isEqual) { continue }
        places[key, default: []].append(kept.count)
      } else {
        if kept.indices.contains(where: isEqual) { continue }
        unkeyed.append(kept.count)
      }
      kept.append(member)
    }
    return kept
  }
}
