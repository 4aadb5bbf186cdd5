/// Following a key path.
extension PredicateResult {
  /// The value at the end of a key path; throws for `.unknownKey`.
  package func result(at path: [String]) throws(PredicateEvaluationError) -> PredicateResult {
    try result(at: path, from: 0)
  }

  func result(at path: [String], from start: Int) throws(PredicateEvaluationError) -> PredicateResult {
    var current = self
    var owner: (any PredicateSubject)?
    for index in start..<path.count {
      let next: PredicateResult
      switch current {
      case .subject(let subject):
        next = subject.predicateResult(forKey: path[index])
        owner = subject
        if case .unknownKey = next, let contents = subject.predicateContents {
          return try contents.result(at: path, from: index)
        }
      case .value(.null): return owner?.leadsToMany(path[(index - 1)...]) == true ? .members([]) : current
      case .value(.reference(let reference)):
        let subject = reference.object as? any PredicateSubject ?? ReflectedSubject(object: reference.object)
        next = subject.predicateResult(forKey: path[index])
      default:
        if let members = current.listed { return try Self.result(of: members, at: path, from: index) }
        next = current.property(path[index])
      }
      if case .unknownKey = next {
        guard path[index] == "self" else { throw current.unknown(path[index], in: path) }
      } else {
        current = next
      }
    }
    return current
  }

  /// The error of a key that the result does not have; of a plain object, in the words of key-value coding.
  private func unknown(_ key: String, in path: [String]) -> PredicateEvaluationError {
    switch self {
    case .subject(let subject as ReflectedSubject): .undefinedKey(key, of: subject.name)
    case .value(.reference(let reference)) where !(reference.object is any PredicateSubject):
      .undefinedKey(key, of: ReflectedSubject(object: reference.object).name)
    default: .unknownKey(missing: key, keyPath: path)
    }
  }

  /// A property of a plain value: text has a length in UTF-16 units.
  private func property(_ key: String) -> PredicateResult {
    guard key == "length", case .value(let value) = self, let text = value.text else { return .unknownKey }
    return .value(.integer(Int64(text.utf16.count)))
  }

  private static func result(
    of members: [PredicateResult], at path: [String], from index: Int
  ) throws(PredicateEvaluationError) -> PredicateResult {
    guard path[index].hasPrefix("@") else { return .members(try gather(members, at: path, from: index)) }
    if path[index] == "@count" { return .value(.integer(Int64(members.count))) }
    guard let collector = Collector(rawValue: path[index]), index + 1 < path.count else {
      throw .unknownKey(missing: path[index], keyPath: path)
    }
    let found = try gather(members, at: path, from: index + 1).filter { !$0.isNull }
    switch collector {
    case .sum, .avg, .min, .max:
      return .value(ExpressionArithmetic.result(of: collector.function, members: found.map(\.plainValue)))
    case .unionOfObjects, .unionOfArrays, .unionOfSets: return .members(found)
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: return .members(found.distinct)
    }
  }

  /// The collection operators, other than `@count`, that may precede the rest of a path.
  private enum Collector: String {
    case sum = "@sum"
    case avg = "@avg"
    case min = "@min"
    case max = "@max"
    case unionOfObjects = "@unionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case distinctUnionOfSets = "@distinctUnionOfSets"

    var function: ExpressionFunction {
      switch self {
      case .avg: .average
      case .min: .min
      case .max: .max
      default: .sum
      }
    }
  }

  /// The values at the rest of a path for each member, as one flat list.
  private static func gather(
    _ members: [PredicateResult], at path: [String], from index: Int
  ) throws(PredicateEvaluationError) -> [PredicateResult] {
    var found: [PredicateResult] = []
    for member in members {
      let result = try member.result(at: path, from: index)
      if let inner = result.listed { found += inner } else { found.append(result) }
    }
    return found
  }

  /// The members of a list or a to-many result; nil for a single value.
  var listed: [PredicateResult]? {
    switch self {
    case .members(let members): members
    case .value(.list(let values)): values.map(PredicateResult.value)
    case .subject(let subject): subject.predicateContents?.listed
    default: nil
    }
  }

  /// Whether the result equals a constant, in a predicate without options.
  package func isEqual(to value: PredicateValue) -> Bool { equals(.value(value), options: []) }

  /// The subject's contents if it has any, otherwise the result itself.
  var contents: PredicateResult {
    if case .subject(let subject) = self { subject.predicateContents ?? self } else { self }
  }

  var isNull: Bool { if case .value(.null) = self { true } else { false } }

  /// The result as a constant: a subject as its identity.
  package var plainValue: PredicateValue {
    switch self {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity
    case .members(let members): .list(members.map(\.plainValue))
    case .unknownKey: .null
    }
  }

  /// The members that ANY and ALL range over.
  var quantified: [PredicateResult] { listed ?? [self] }
}

/// Equality, defined alike for values, objects and lists of them.
extension PredicateResult {
  func equals(_ other: PredicateResult, options: ComparisonNode.Options) -> Bool {
    switch (self, other) {
    case (.value(let left), .value(let right)): left.equals(right, options: options)
    case (.subject(let left), .subject(let right)): left.represents(right.predicateIdentity)
    case (.subject(let subject), .value(let value)), (.value(let value), .subject(let subject)):
      subject.represents(value)
    default:
      if let left = listed, let right = other.listed {
        left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, options: options) }
      } else {
        false
      }
    }
  }
}
