import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Where a query is to use an index of the model.
///
/// SQLite knows nothing of the values in a table unless somebody counts them, which Apple's stores never do. It then
/// takes an entity of a hierarchy for a few rows, and prefers the order of keys to a range of an index. A unary plus
/// keeps an index out: https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
///
/// There is no index for `[c]` and `[d]`: it would hold folded texts, by a function that only this framework has, so that
/// no other program could write to the table any more.
extension SelectWriter {
  /// Whether an index of the model finds or orders the rows.
  func usesIndex(_ plan: FetchQuery) -> Bool {
    let names = schema.indexedNames(of: plan.layout)
    if let first = plan.sort.first, first.comparison == .binary, first.keyPath.count == 1,
      names.contains(first.keyPath[0])
    {
      return true
    }
    return plan.filter?.hasIndexedTerm(among: names, \.isIndexable) ?? false
  }

  /// Whether the rows are found by what is asked of the destinations of their to-one relationships: not where an index of
  /// the entity finds or orders them, nor where the first rows are enough.
  func asksDestinations(_ plan: FetchQuery) -> Bool {
    guard let filter = plan.filter, filter.asksDestinations(of: plan.layout) else { return false }
    return !usesIndex(plan) && (!plan.hasWindow || !plan.sort.isEmpty)
  }

  /// Whether a range of an index finds the rows, which then come in the order of the index.
  func usesOpenRange(_ plan: FetchQuery) -> Bool {
    guard plan.sort.isEmpty, plan.limit == 0, let filter = plan.filter else { return false }
    return filter.hasIndexedTerm(among: schema.indexedNames(of: plan.layout), \.isOpenRange)
  }
}

extension PredicateNode {
  /// Whether a comparison that must hold is one of an indexed property with a constant.
  fileprivate func hasIndexedTerm(
    among names: Set<String>, _ fits: (ComparisonNode.Operator) -> Bool
  ) -> Bool {
    switch self {
    case .and(let nodes): nodes.contains { $0.hasIndexedTerm(among: names, fits) }
    case .comparison(let comparison):
      comparison.quantifier == .one && comparison.options.isEmpty && fits(comparison.comparison)
        && comparison.comparedName.map(names.contains) == true
    case .constant, .or, .not: false
    }
  }
}

extension ComparisonNode {
  /// The property of the row itself that is compared with a constant; nil for other comparisons.
  fileprivate var comparedName: String? {
    switch (left, right) {
    case (.keyPath(let path), .value) where path.count == 1: path[0]
    case (.value, .keyPath(let path)) where path.count == 1 && comparison != .in: path[0]
    default: nil
    }
  }
}

extension ComparisonNode.Operator {
  fileprivate var isIndexable: Bool {
    switch self {
    case .equal, .in, .between, .beginsWith: true
    default: isOpenRange
    }
  }

  fileprivate var isOpenRange: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }
}

extension EntityLayout {
  /// The properties that an index of the entity or of one above it begins with, and the to-one relationships.
  var indexedNames: Set<String> {
    var names = Set(slots.filter { $0.kind == .toOne }.map(\.name))
    var next: NSEntityDescription? = entity
    while let entity = next {
      names.formUnion(entity.uniqueNames.compactMap(\.first))
      for index in entity.indexes where index.partialIndexPredicate == nil {
        let columns = index.elements.filter { $0.collationType == .binary }
        if let name = columns.first?.path { names.insert(name) }
      }
      next = entity.superentity
    }
    return names
  }
}
