import Foundation

/// TREE -> ANSWER.
///
/// The rules, which SQL written from the same tree has to follow:
///
/// (1) Two values. Every comparison is true or false, also with nil; NOT turns one into the other.
/// (2) `a == b` is true if both are nil or both are equal. `a != b` is NOT `a == b`, so it is true for nil and a value.
/// (3) `<`, `<=`, `>`, `>=`, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES are false if a side (or a bound)
///     is nil.
/// (4) `a IN list` is true if (2) holds for a member of the list, so a nil `a` is in a list that contains nil only.
///     A nil list has no members.
/// (5) Kinds: number (booleans are 0 and 1, whole, real and decimal numbers), text (strings, and URLs as their absolute
///     text), date, data, UUID, object. Values of different kinds are not equal, and neither is less than the other.
/// (6) Numbers compare by value over all widths; a whole number is not rounded to compare it with a real one. A decimal
///     meets a real number as a real number. NaN equals nothing and is neither less nor greater.
/// (7) Text compares as UTF-8 bytes: `"é"` in its two spellings differs. `[d]` takes diacritics away (Foundation's
///     `diacriticInsensitive` folding without a locale), then `[c]` lowers the case (Unicode's mapping, no locale), on
///     both sides and for every operator; `[n]` changes nothing.
/// (8) Dates compare as seconds, data as bytes (a shorter prefix is less), UUIDs as 16 bytes, objects by identity.
/// (9) LIKE: `?` is one Unicode scalar, `*` any number of them, a backslash takes the next character as it is. The whole
///     text must fit. MATCHES: the whole text must fit the regular expression (ICU syntax); `[c]` is its own option there.
///     CONTAINS, BEGINSWITH and ENDSWITH of an empty string are true for every text.
/// (10) ANY is true if the comparison holds for one member at least, ALL if it holds for each, so ANY over nothing is
///     false and ALL is true. A key path behind a to-many one gives a member for each object, nil included. Over a key
///     path that is not to-many, ANY and ALL mean its one value.
/// (11) A key path through a nil to-one relationship is nil; one that is to-many behind it has no members.
/// (12) `list CONTAINS a` with a to-many key path on the left is `a IN list`.
extension PredicateNode {
  /// Whether the predicate holds for a subject.
  package func evaluate(on subject: some PredicateSubject) throws(PredicateEvaluationError) -> Bool {
    try holds(for: SubjectRoot(subject: subject))
  }

  /// Whether the predicate holds for what `SELF` is: a subject, a plain value or a list.
  package func evaluate(on root: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    try holds(for: root)
  }

  private func holds(for root: some EvaluationRoot) throws(PredicateEvaluationError) -> Bool {
    switch self {
    case .constant(let value): return value
    case .comparison(let comparison): return try comparison.holds(for: root)
    case .and(let nodes):
      for node in nodes where try !node.holds(for: root) { return false }
      return true
    case .or(let nodes):
      for node in nodes where try node.holds(for: root) { return true }
      return false
    case .not(let node): return try !node.holds(for: root)
    }
  }
}

extension ComparisonNode {
  fileprivate func holds(for root: some EvaluationRoot) throws(PredicateEvaluationError) -> Bool {
    let leftSide = try left.answer(in: root)
    let rightSide = try right.answer(in: root)
    switch quantifier {
    case .one: return try holds(leftSide, rightSide)
    case .any:
      for member in leftSide.quantified where try holds(member, rightSide) { return true }
      return false
    case .all:
      for member in leftSide.quantified where try !holds(member, rightSide) { return false }
      return true
    }
  }

  private func holds(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch comparison {
    case .equal: return left.equals(right, options)
    case .notEqual: return !left.equals(right, options)
    case .in: return try isMember(left, of: right)
    case .contains:
      if let members = left.listed { return members.contains { $0.equals(right, options) } }
      return try compares(left, right)
    case .between: return try isWithin(left, right)
    default: return try compares(left, right)
    }
  }

  private func isMember(_ left: PredicateAnswer, of right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch right {
    case .value(.null): return false
    case .value(.list(let values)):
      if let members { return members.table(of: values, options).contains(left) }
      return values.contains { left.equals(.value($0), options) }
    case .members(let members): return members.contains { left.equals($0, options) }
    default: throw .needsCollection(comparison)
    }
  }

  private func isWithin(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    switch right {
    case .value(.null): return false
    case .value(.list(let bounds)) where bounds.count == 2: return isWithin(left, bounds[0], bounds[1])
    case .members(let bounds) where bounds.count == 2:
      guard case .value(let lowest) = bounds[0], case .value(let highest) = bounds[1] else { return false }
      return isWithin(left, lowest, highest)
    default: throw .needsRange
    }
  }

  private func isWithin(_ left: PredicateAnswer, _ lowest: PredicateValue, _ highest: PredicateValue) -> Bool {
    guard case .value(let value) = left, let fromLowest = value.compared(to: lowest, options),
      let fromHighest = value.compared(to: highest, options)
    else { return false }
    return fromLowest != .orderedAscending && fromHighest != .orderedDescending
  }

  /// The operators between two single values.
  private func compares(_ left: PredicateAnswer, _ right: PredicateAnswer) throws(PredicateEvaluationError) -> Bool {
    guard case .value(let leftValue) = left, case .value(let rightValue) = right else {
      if left.listed != nil { throw .needsQuantifier(keyPath: description) }
      return false
    }
    switch comparison {
    case .less: return leftValue.compared(to: rightValue, options) == .orderedAscending
    case .greater: return leftValue.compared(to: rightValue, options) == .orderedDescending
    case .lessOrEqual:
      return leftValue.compared(to: rightValue, options).map { $0 != .orderedDescending } ?? false
    case .greaterOrEqual:
      return leftValue.compared(to: rightValue, options).map { $0 != .orderedAscending } ?? false
    default:
      if case .list = leftValue { throw .needsQuantifier(keyPath: description) }
      guard let text = leftValue.text, let pattern = rightValue.text else { return false }
      return try PredicateText.holds(text, comparison, pattern, options)
    }
  }
}

extension ExpressionNode {
  /// What the expression comes down to when `SELF` is `root`.
  package func answer(for root: PredicateAnswer) throws(PredicateEvaluationError) -> PredicateAnswer {
    try answer(in: root)
  }

  fileprivate func answer(in root: some EvaluationRoot) throws(PredicateEvaluationError) -> PredicateAnswer {
    switch self {
    case .value(let value): return .value(value)
    case .keyPath(let path): return try root.answer(at: path)
    case .evaluatedObject: return root.whole
    case .variable(let name): throw .unboundVariable(name)
    case .aggregate(let nodes):
      var members: [PredicateAnswer] = []
      for node in nodes { members.append(try node.answer(in: root)) }
      return .members(members)
    default: throw .noAnswer(description, reason: "memory cannot compute it yet.")
    }
  }
}

/// What `SELF` is while a tree is evaluated.
private protocol EvaluationRoot {
  var whole: PredicateAnswer { get }
  func answer(at path: [String]) throws(PredicateEvaluationError) -> PredicateAnswer
}

extension PredicateAnswer: EvaluationRoot {
  fileprivate var whole: PredicateAnswer { self }
}

/// A subject by its own type, so that its attributes are reached without an existential.
private struct SubjectRoot<Subject: PredicateSubject>: EvaluationRoot {
  let subject: Subject

  var whole: PredicateAnswer { .subject(subject) }

  func answer(at path: [String]) throws(PredicateEvaluationError) -> PredicateAnswer {
    guard let key = path.first else { return whole }
    let first = subject.predicateAnswer(forKey: key)
    if case .unknownKey = first { throw .unknownKey(missing: key, keyPath: path) }
    if path.count == 1 { return first }
    if case .value(.null) = first { return subject.leadsToMany(path[...]) ? .members([]) : first }
    return try first.answer(at: path, from: 1)
  }
}
