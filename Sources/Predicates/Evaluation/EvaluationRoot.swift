/// The bindings of `SELF` and of variables during an evaluation.
protocol EvaluationRoot {
  var whole: PredicateResult { get }
  func result(at path: [String]) throws(PredicateEvaluationError) -> PredicateResult
  /// The member that a subquery binds to a variable.
  func value(of variable: String) -> PredicateResult?
}

extension EvaluationRoot {
  func value(of variable: String) -> PredicateResult? { nil }
}

extension PredicateResult: EvaluationRoot {
  var whole: PredicateResult { self }
}

/// A subject by its concrete type, so that reading its attributes needs no existential.
struct SubjectRoot<Subject: PredicateSubject>: EvaluationRoot {
  let subject: Subject

  var whole: PredicateResult { .subject(subject) }

  func result(at path: [String]) throws(PredicateEvaluationError) -> PredicateResult {
    guard let key = path.first else { return whole }
    let first = subject.predicateResult(forKey: key)
    if case .unknownKey = first { throw .unknownKey(missing: key, keyPath: path) }
    if path.count == 1 { return first }
    if case .value(.null) = first { return subject.leadsToMany(path[...]) ? .members([]) : first }
    return try first.result(at: path, from: 1)
  }
}

/// The scope inside a subquery, with one more variable bound.
struct BindingRoot: EvaluationRoot {
  let outside: any EvaluationRoot
  let variable: String
  let member: PredicateResult

  var whole: PredicateResult { outside.whole }

  func result(at path: [String]) throws(PredicateEvaluationError) -> PredicateResult { try outside.result(at: path) }

  func value(of name: String) -> PredicateResult? { name == variable ? member : outside.value(of: name) }
}
