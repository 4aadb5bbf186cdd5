import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Hints to use an index of the model.
///
/// Without statistics, which Apple's stores never have, SQLite assumes that an entity of a hierarchy has few rows, and
/// it prefers the order of keys to a range of an index. `SQLDialect.unindexed(_:)` steers it.
///
/// `[c]` and `[d]` have no index: its expression would call a function of this framework, so that other programs could
/// not write to the table.
extension SelectWriter {
  /// Whether an index of the model finds or orders the rows.
  func usesIndex(_ query: FetchQuery) -> Bool {
    let names = schema.indexedNames(of: query.layout)
    if let first = query.sort.first, first.comparison == .binary, first.keyPath.count == 1,
      names.contains(first.keyPath[0])
    {
      return true
    }
    return query.filter?.hasIndexedTerm(among: names, \.isIndexable) ?? false
  }

  /// Whether the rows are found through conditions on the destinations of their to-one relationships: not if an index
  /// of the entity finds or orders them, nor if the first rows are enough.
  func asksDestinations(_ query: FetchQuery) -> Bool {
    guard let filter = query.filter, filter.asksDestinations(of: query.layout) else { return false }
    return !usesIndex(query) && (!query.hasWindow || !query.sort.isEmpty)
  }

  /// Whether an open range of an index finds the rows, which then come in the order of the index.
  func usesOpenRange(_ query: FetchQuery) -> Bool {
    guard query.sort.isEmpty, query.limit == 0, let filter = query.filter else { return false }
    return filter.hasIndexedTerm(among: schema.indexedNames(of: query.layout), \.isOpenRange)
  }
}

extension PredicateNode {
  /// Whether a comparison that must hold compares an indexed property with a constant.
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
  /// The first properties of the indexes of the entity and its ancestors, and the to-one relationships.
  var indexedNames: Set<String> {
    var names = Set(slots.filter { $0.kind == .toOne }.map(\.name))
    for layout in lineage {
      names.formUnion(layout.uniqueNames.compactMap { $0.first })
      for index in layout.indexes where index.predicate == nil {
        if let first = index.elements.first(where: { $0.collationType == .binary }) { names.insert(first.path) }
      }
    }
    return names
  }
}
