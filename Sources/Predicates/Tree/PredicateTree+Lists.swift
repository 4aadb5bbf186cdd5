/// Long chains of comparisons, as a program writes that joins one for each of many values.
extension PredicateNode {
  /// Chains with fewer members stay as they are, so that their statements are found prepared.
  private static let longChain = 64

  /// The predicate with the equalities of a property in long chains of OR replaced by `IN`, and those by `!=` in chains of
  /// AND by `NOT … IN`: a list is searched with a table, and an engine compiles it in linear time.
  package var listingEqualities: PredicateNode { hasLongChain ? listed : self }

  private var hasLongChain: Bool {
    switch self {
    case .constant, .comparison: false
    case .not(let node): node.hasLongChain
    case .and(let nodes), .or(let nodes): nodes.count >= Self.longChain || nodes.contains(where: \.hasLongChain)
    }
  }

  private var listed: PredicateNode {
    switch self {
    case .constant, .comparison: return self
    case .not(let node): return .not(node.listed)
    case .or(let nodes):
      let nodes = Self.listed(nodes.map(\.listed), by: .equal)
      return nodes.count == 1 ? nodes[0] : .or(nodes)
    case .and(let nodes):
      let nodes = Self.listed(nodes.map(\.listed), by: .notEqual)
      return nodes.count == 1 ? nodes[0] : .and(nodes)
    }
  }

  fileprivate struct ListedSubject: Hashable {
    var path: [String]
    var options: ComparisonNode.Options
  }

  private static func listed(_ nodes: [PredicateNode], by comparison: ComparisonNode.Operator) -> [PredicateNode] {
    guard nodes.count >= longChain else { return nodes }
    var values: [ListedSubject: [PredicateValue]] = [:]
    for case .comparison(let node) in nodes {
      if let (subject, value) = node.equality(by: comparison) { values[subject, default: []].append(value) }
    }
    values = values.filter { $0.value.count >= longChain }
    guard !values.isEmpty else { return nodes }
    // Each list stands where its first member was.
    return nodes.compactMap { node in
      guard case .comparison(let part) = node, let (subject, _) = part.equality(by: comparison) else { return node }
      guard let members = values[subject] else { return node }
      guard !members.isEmpty else { return nil }
      values[subject] = []
      let list = PredicateNode.comparison(
        ComparisonNode(part.left, .in, .value(.list(members)), options: part.options))
      return comparison == .equal ? list : .not(list)
    }
  }

  /// The number of comparisons, with those in subqueries and conditions.
  package var comparisonCount: Int {
    switch self {
    case .constant: 0
    case .comparison(let comparison): 1 + comparison.left.comparisonCount + comparison.right.comparisonCount
    case .not(let node): node.comparisonCount
    case .and(let nodes), .or(let nodes): nodes.reduce(0) { $0 + $1.comparisonCount }
    }
  }
}

extension ComparisonNode {
  /// The property that is compared with a constant by an operator, and the constant; nil for another comparison.
  fileprivate func equality(by wanted: Operator) -> (PredicateNode.ListedSubject, PredicateValue)? {
    guard comparison == wanted, quantifier == .one, case .keyPath(let path) = left, case .value(let value) = right,
      value.canBeListed
    else { return nil }
    return (PredicateNode.ListedSubject(path: path, options: options), value)
  }
}

extension PredicateValue {
  /// Whether a list may hold the value instead of an equality. Data equals a transformable attribute in a way of its own.
  fileprivate var canBeListed: Bool {
    switch self {
    case .bool, .integer, .real, .string, .date, .uuid, .row: true
    case .null, .decimal, .data, .url, .list, .reference: false
    }
  }
}

extension ExpressionNode {
  fileprivate var comparisonCount: Int {
    let inside =
      switch self {
      case .conditional(let condition, _, _): condition.comparisonCount
      case .subquery(_, _, let predicate): predicate.comparisonCount
      default: 0
      }
    return parts.reduce(inside) { $0 + $1.comparisonCount }
  }
}
