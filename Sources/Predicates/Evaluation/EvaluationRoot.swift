/// The bindings of `SELF` and of variables during an evaluation.
protocol EvaluationRoot {
  var whole: PredicateAnswer { get }
  func answer(at path: [String]) throws(PredicateEvaluationError) -> PredicateAnswer
  /// The member that a subquery binds to a variable.
  func value(of variable: String) -> PredicateAnswer?
}

extension EvaluationRoot {
  func value(of variable: String) -> PredicateAnswer? { nil }
}

extension PredicateAnswer: EvaluationRoot {
  var whole: PredicateAnswer { self }
}

/// A subject by its concrete type, so that reading its attributes needs no existential.
struct SubjectRoot<Subject: PredicateSubject>: EvaluationRoot {
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

/// The scope inside a subquery, with one more variable bound.
struct BindingRoot: EvaluationRoot {
  let outside: any EvaluationRoot
  let variable: String
  let member: PredicateAnswer

  var whole: PredicateAnswer { outside.whole }

  func answer(at path: [String]) throws(PredicateEvaluationError) -> PredicateAnswer { try outside.answer(at: path) }

  func value(of name: String) -> PredicateAnswer? { name == variable ? member : outside.value(of: name) }
}
