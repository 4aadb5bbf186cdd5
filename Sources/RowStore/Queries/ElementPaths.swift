import StrataManagedModel
import StrataPredicates

/// Resolves key paths into composite attributes: `magnitude.richter` becomes a slot's name before the query reaches a
/// source, so that sources need not know composite attributes.
extension EntityLayout {
  /// A filter of rows of the entity.
  package func flattened(_ filter: PredicateNode) -> PredicateNode {
    modelHasComposites ? filter.flattened(in: self, bound: [:]) : filter
  }

  /// An expression of a row of the entity.
  package func flattened(_ expression: ExpressionNode) -> ExpressionNode {
    modelHasComposites ? expression.flattened(in: self, bound: [:]) : expression
  }

  package func flattened(_ key: SortKey) -> SortKey {
    SortKey(flattened(key.keyPath), ascending: key.isAscending, comparison: key.comparison)
  }
}

extension ExpressionNode {
  /// - Parameter bound: the key paths that the variables of enclosing subqueries are bound to.
  fileprivate func flattened(in layout: EntityLayout, bound: [String: [String]]) -> ExpressionNode {
    switch self {
    case .keyPath(let path): return .keyPath(layout.flattened(path))
    case .path(of: let start, let path):
      let owner = start.base(bound: bound).flatMap { layout.destination(of: layout.flattened($0)) }
      return start.flattened(in: layout, bound: bound).following(owner?.flattened(path) ?? path)
    case .subquery(let collection, let variable, let predicate):
      var inner = bound
      inner[variable] = collection.base(bound: bound)
      return .subquery(
        collection.flattened(in: layout, bound: bound), variable: variable,
        predicate.flattened(in: layout, bound: inner))
    default:
      return mappingParts {
        $0.flattened(in: layout, bound: bound)
      } predicates: {
        $0.flattened(in: layout, bound: bound)
      }
    }
  }
}

extension PredicateNode {
  fileprivate func flattened(in layout: EntityLayout, bound: [String: [String]]) -> PredicateNode {
    switch self {
    case .constant: return self
    case .and(let nodes): return .and(nodes.map { $0.flattened(in: layout, bound: bound) })
    case .or(let nodes): return .or(nodes.map { $0.flattened(in: layout, bound: bound) })
    case .not(let node): return .not(node.flattened(in: layout, bound: bound))
    case .comparison(let comparison):
      let node = mappingSides { $0.flattened(in: layout, bound: bound) }
      return comparison.presence(in: layout) ?? node
    }
  }
}

extension ComparisonNode {
  /// Expands a comparison of a composite attribute with nil: it is nil if all its elements are.
  fileprivate func presence(in layout: EntityLayout) -> PredicateNode? {
    guard quantifier == .one, comparison == .equal || comparison == .notEqual else { return nil }
    let path: [String]
    switch (left, right) {
    case (.keyPath(let names), .value(.null)), (.value(.null), .keyPath(let names)): path = layout.flattened(names)
    default: return nil
    }
    guard let name = path.last, let owner = layout.destination(of: Array(path.dropLast())),
      let composite = owner.composite(named: name)
    else { return nil }
    let parts = composite.slots.map { slot in
      PredicateNode.comparison(
        ComparisonNode(.keyPath(path.dropLast() + [owner.slots[slot].name]), comparison, .value(.null)))
    }
    return comparison == .equal ? .and(parts) : .or(parts)
  }
}
