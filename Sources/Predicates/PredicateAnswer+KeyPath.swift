/// Following a key path.
extension PredicateAnswer {
  /// What is found at the end of a path; `.unknownKey` becomes an error.
  package func answer(at path: [String]) throws(PredicateEvaluationError) -> PredicateAnswer {
    try answer(at: path, from: 0)
  }

  func answer(at path: [String], from start: Int) throws(PredicateEvaluationError) -> PredicateAnswer {
    var current = self
    var owner: (any PredicateSubject)?
    for index in start..<path.count {
      switch current {
      case .subject(let subject):
        current = subject.predicateAnswer(forKey: path[index])
        owner = subject
      case .value(.null): return owner?.leadsToMany(path[(index - 1)...]) == true ? .members([]) : current
      case .value(.reference(let reference)):
        guard let subject = reference.object as? any PredicateSubject else { fallthrough }
        current = subject.predicateAnswer(forKey: path[index])
      default:
        guard let members = current.listed else { throw .unknownKey(missing: path[index], keyPath: path) }
        return try Self.answer(of: members, at: path, from: index)
      }
      if case .unknownKey = current { throw .unknownKey(missing: path[index], keyPath: path) }
    }
    return current
  }

  private static func answer(
    of members: [PredicateAnswer], at path: [String], from index: Int
  ) throws(PredicateEvaluationError) -> PredicateAnswer {
    guard path[index].hasPrefix("@") else { return .members(try gather(members, at: path, from: index)) }
    if path[index] == "@count" { return .value(.integer(Int64(members.count))) }
    guard index + 1 < path.count else { throw .unknownKey(missing: path[index], keyPath: path) }
    var values: [PredicateValue] = []
    for case .value(let value) in try gather(members, at: path, from: index + 1) where value != .null {
      values.append(value)
    }
    switch path[index] {
    case "@sum": return .value(.sum(of: values))
    case "@avg": return .value(.average(of: values))
    case "@min": return .value(values.min { PredicateValue.order($0, $1) == .orderedAscending } ?? .null)
    case "@max": return .value(values.max { PredicateValue.order($0, $1) == .orderedAscending } ?? .null)
    default: throw .unknownKey(missing: path[index], keyPath: path)
    }
  }

  /// What each member has at the rest of a path, as one flat list.
  private static func gather(
    _ members: [PredicateAnswer], at path: [String], from index: Int
  ) throws(PredicateEvaluationError) -> [PredicateAnswer] {
    var found: [PredicateAnswer] = []
    for member in members {
      let answer = try member.answer(at: path, from: index)
      if let inner = answer.listed { found += inner } else { found.append(answer) }
    }
    return found
  }

  /// The members of a list or a to-many answer; nil for a single one.
  var listed: [PredicateAnswer]? {
    switch self {
    case .members(let members): members
    case .value(.list(let values)): values.map(PredicateAnswer.value)
    default: nil
    }
  }

  /// What ANY and ALL look at.
  var quantified: [PredicateAnswer] { listed ?? [self] }
}

/// Equality, which is the same for values, objects and lists of them.
extension PredicateAnswer {
  func equals(_ other: PredicateAnswer, _ options: ComparisonNode.Options) -> Bool {
    switch (self, other) {
    case (.value(let left), .value(let right)): left.equals(right, options)
    case (.subject(let left), .subject(let right)): left.represents(right.predicateIdentity)
    case (.subject(let subject), .value(let value)), (.value(let value), .subject(let subject)):
      subject.represents(value)
    default:
      if let left = listed, let right = other.listed {
        left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, options) }
      } else {
        false
      }
    }
  }
}
