import Foundation

/// Rewriting expressions and collecting names.
extension ExpressionNode {
  /// The expression with `transform` applied to every node, bottom-up.
  package func mapping<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> ExpressionNode {
    try transform(
      mappingParts { part throws(Failure) in
        try part.mapping(transform)
      } predicates: { predicate throws(Failure) in
        try predicate.mappingExpressions(transform)
      })
  }

  /// The expression with its direct children transformed.
  package func mappingParts<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode,
    predicates: (PredicateNode) throws(Failure) -> PredicateNode
  ) throws(Failure) -> ExpressionNode {
    func mapped(_ nodes: [ExpressionNode]) throws(Failure) -> [ExpressionNode] {
      var result: [ExpressionNode] = []
      for node in nodes { result.append(try transform(node)) }
      return result
    }
    switch self {
    case .value, .keyPath, .evaluatedObject, .variable: return self
    case .path(let start, let path): return try transform(start).following(path)
    case .aggregate(let members): return .list(try mapped(members))
    case .function(let function, let arguments): return .function(function, try mapped(arguments))
    case .conditional(let condition, let first, let second):
      return .conditional(try predicates(condition), try transform(first), try transform(second))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(try transform(collection), variable: variable, try predicates(predicate))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try transform(left), try transform(right))
    case .element(let list, .at(let index)): return .element(of: try transform(list), .at(try transform(index)))
    case .element(let list, let index): return .element(of: try transform(list), index)
    case .opaque(let opaque):
      guard !opaque.arguments.isEmpty else { return self }
      return .opaque(
        OpaqueExpression(
          opaque.text, arguments: try mapped(opaque.arguments), source: opaque.source, evaluation: opaque.evaluation))
    }
  }

  /// The direct subexpressions, without those in predicates.
  package var parts: [ExpressionNode] {
    switch self {
    case .value, .keyPath, .evaluatedObject, .variable: []
    case .path(let start, _): [start]
    case .aggregate(let members): members
    case .function(_, let arguments): arguments
    case .conditional(_, let first, let second): [first, second]
    case .subquery(let collection, _, _): [collection]
    case .setOperation(_, let left, let right): [left, right]
    case .element(let list, .at(let index)): [list, index]
    case .element(let list, _): [list]
    case .opaque(let opaque): opaque.arguments
    }
  }

  /// The expression with each variable replaced, except those bound by a subquery.
  package func substituting<Failure: Error>(
    _ value: (String) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> ExpressionNode {
    switch self {
    case .variable(let name): return try value(name)
    case .subquery(let collection, let variable, let predicate):
      let inner = try predicate.substituting { name throws(Failure) in
        name == variable ? .variable(name) : try value(name)
      }
      return .subquery(try collection.substituting(value), variable: variable, inner)
    default:
      return try mappingParts { part throws(Failure) in
        try part.substituting(value)
      } predicates: { predicate throws(Failure) in
        try predicate.substituting(value)
      }
    }
  }

  /// The expression with `now()` replaced by a fixed instant.
  package func fixingNow(at date: Date) -> ExpressionNode { mapping { $0.isNow ? .value(.date(date)) : $0 } }

  private var isNow: Bool { if case .function(.now, _) = self { true } else { false } }

  /// Whether the expression contains `now()`.
  package var usesNow: Bool {
    switch self {
    case .value, .keyPath, .evaluatedObject, .variable: false
    case .function(.now, _): true
    case .conditional(let predicate, let first, let second): predicate.usesNow || first.usesNow || second.usesNow
    case .subquery(let collection, _, let predicate): collection.usesNow || predicate.usesNow
    default: parts.contains(where: \.usesNow)
    }
  }
}

extension PredicateNode {
  /// The tree with each variable replaced, except those bound by a subquery.
  package func substituting<Failure: Error>(
    _ value: (String) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> PredicateNode {
    try mappingSides { side throws(Failure) in try side.substituting(value) }
  }

  /// The tree with `now()` replaced by a fixed instant; done before a fetch, so that every row sees the same one.
  package func fixingNow(at date: Date) -> PredicateNode {
    usesNow ? mappingSides { $0.fixingNow(at: date) } : self
  }

  /// Whether the tree contains `now()`.
  package var usesNow: Bool {
    switch self {
    case .constant: false
    case .comparison(let comparison): comparison.left.usesNow || comparison.right.usesNow
    case .and(let nodes), .or(let nodes): nodes.contains(where: \.usesNow)
    case .not(let node): node.usesNow
    }
  }
}

/// The names in a tree.
extension ExpressionNode {
  /// The key paths that the expression reads from `SELF`, also through members of a subquery: for
  /// `SUBQUERY(shocks, $s, $s.mag > 5)` they are `shocks` and `shocks.mag`.
  package var keyPaths: [[String]] { keyPaths(bound: [:]) }

  func keyPaths(bound: [String: [String]]) -> [[String]] {
    if let base = base(bound: bound), !base.isEmpty {
      return [base] + parts.flatMap { $0.keyPaths(bound: bound) } + predicateKeyPaths(bound: bound)
    }
    return parts.flatMap { $0.keyPaths(bound: bound) } + predicateKeyPaths(bound: bound)
  }

  private func predicateKeyPaths(bound: [String: [String]]) -> [[String]] {
    switch self {
    case .conditional(let condition, _, _): return condition.keyPaths(bound: bound)
    case .subquery(let collection, let variable, let predicate):
      var inner = bound
      inner[variable] = collection.base(bound: bound)
      return predicate.keyPaths(bound: inner)
    default: return []
    }
  }

  /// The key path from `SELF` to the expression's value or members; nil for other expressions.
  /// - Parameter bound: the key paths that variables are bound to.
  package func base(bound: [String: [String]]) -> [String]? {
    switch self {
    case .keyPath(let path): path
    case .evaluatedObject: []
    case .variable(let name): bound[name]
    case .path(let start, let path): start.base(bound: bound).map { $0 + path }
    case .subquery(let collection, _, _), .element(let collection, _): collection.base(bound: bound)
    default: nil
    }
  }

  /// The free variables.
  package var variables: Set<String> {
    switch self {
    case .variable(let name): [name]
    case .conditional(let condition, let first, let second):
      condition.variables.union(first.variables).union(second.variables)
    case .subquery(let collection, let variable, let predicate):
      predicate.variables.subtracting([variable]).union(collection.variables)
    default: parts.reduce(into: []) { $0.formUnion($1.variables) }
    }
  }
}

extension PredicateNode {
  /// The key paths that the predicate reads, without duplicates.
  package var keyPaths: Set<[String]> { Set(keyPaths(bound: [:])) }

  func keyPaths(bound: [String: [String]]) -> [[String]] {
    comparisons.flatMap { $0.left.keyPaths(bound: bound) + $0.right.keyPaths(bound: bound) }
  }

  /// The free variables.
  package var variables: Set<String> {
    comparisons.reduce(into: []) { $0.formUnion($1.left.variables.union($1.right.variables)) }
  }
}
