/// Rewriting a tree and asking what it names, for those who plan a fetch.
extension PredicateNode {
  /// The tree with each constant put through `transform`; a list is put through after its members.
  package func mappingValues<Failure: Error>(
    _ transform: (PredicateValue) throws(Failure) -> PredicateValue
  ) throws(Failure) -> PredicateNode {
    try mappingExpressions { expression throws(Failure) in
      guard case .value(let value) = expression else { return expression }
      return .value(try value.mapping(transform))
    }
  }

  /// The tree with each variable replaced by its value.
  /// - Throws: the first variable that has none.
  package func substituting(
    variables: [String: PredicateValue]
  ) throws(PredicateEvaluationError) -> PredicateNode {
    try mappingExpressions { expression throws(PredicateEvaluationError) in
      guard case .variable(let name) = expression else { return expression }
      guard let value = variables[name] else { throw .unboundVariable(name) }
      return .value(value)
    }
  }

  /// The tree with each expression put through `transform`, the members of an aggregate before the aggregate.
  package func mappingExpressions<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.mapping(transform)
      comparison.right = try comparison.right.mapping(transform)
      return .comparison(comparison)
    case .and(let nodes): return .and(try Self.mapping(nodes, transform))
    case .or(let nodes): return .or(try Self.mapping(nodes, transform))
    case .not(let node): return .not(try node.mappingExpressions(transform))
    }
  }

  private static func mapping<Failure: Error>(
    _ nodes: [PredicateNode], _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> [PredicateNode] {
    var mapped: [PredicateNode] = []
    for node in nodes { mapped.append(try node.mappingExpressions(transform)) }
    return mapped
  }

  /// The comparisons in the order of the text.
  package var comparisons: [ComparisonNode] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .and(let nodes), .or(let nodes): nodes.flatMap(\.comparisons)
    case .not(let node): node.comparisons
    }
  }

  /// The key paths that the predicate reads, each once.
  package var keyPaths: Set<[String]> {
    comparisons.reduce(into: []) { $0.formUnion($1.left.keyPaths + $1.right.keyPaths) }
  }

  /// The variables that still want a value.
  package var variables: Set<String> {
    comparisons.reduce(into: []) { $0.formUnion($1.left.variables + $1.right.variables) }
  }
}

extension ExpressionNode {
  fileprivate func mapping<Failure: Error>(
    _ transform: (ExpressionNode) throws(Failure) -> ExpressionNode
  ) throws(Failure) -> ExpressionNode {
    guard case .aggregate(let members) = self else { return try transform(self) }
    var mapped: [ExpressionNode] = []
    for member in members { mapped.append(try member.mapping(transform)) }
    return try transform(.list(mapped))
  }

  /// The key paths of the expression.
  package var keyPaths: [[String]] {
    switch self {
    case .keyPath(let path): [path]
    case .aggregate(let members): members.flatMap(\.keyPaths)
    default: []
    }
  }

  fileprivate var variables: [String] {
    switch self {
    case .variable(let name): [name]
    case .aggregate(let members): members.flatMap(\.variables)
    default: []
    }
  }
}

extension PredicateValue {
  fileprivate func mapping<Failure: Error>(
    _ transform: (PredicateValue) throws(Failure) -> PredicateValue
  ) throws(Failure) -> PredicateValue {
    guard case .list(let values) = self else { return try transform(self) }
    var mapped: [PredicateValue] = []
    for value in values { mapped.append(try value.mapping(transform)) }
    return try transform(.list(mapped))
  }
}
