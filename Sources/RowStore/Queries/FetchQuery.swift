import StrataManagedModel
import StrataPredicates

/// A query for rows.
package struct FetchQuery: @unchecked Sendable {
  // @unchecked: a layout is immutable, and everything else is a value.

  package var layout: EntityLayout
  package var includesSubentities: Bool
  /// Evaluated on rows of the entity, by property names; objects are `.row` references here. nil for all rows. Paths
  /// into composite attributes are slot names, here and in `sort`.
  package var filter: PredicateNode?
  /// Most significant first. Ties are ordered by the rows' keys; in descending order if a fetch index has the order of
  /// the sort keys when it is read backwards.
  package var sort: [SortKey]
  /// The maximum number of rows; 0 for all. Never negative.
  package var limit: Int
  /// The number of rows to skip. Never negative.
  package var offset: Int
  /// The numbers of the stores to query; nil for all.
  package var stores: Set<Int>?

  package init(
    layout: EntityLayout, includesSubentities: Bool = true, filter: PredicateNode? = nil, sort: [SortKey] = [],
    limit: Int = 0, offset: Int = 0, stores: Set<Int>? = nil
  ) {
    self.layout = layout
    self.includesSubentities = includesSubentities
    if layout.modelHasComposites {
      self.filter = filter.map(layout.flattened)
      self.sort = sort.map(layout.flattened)
    } else {
      self.filter = filter
      self.sort = sort
    }
    self.limit = max(0, limit)
    self.offset = max(0, offset)
    self.stores = stores
  }
}

extension FetchQuery {
  /// The query without offset and with a limit extended by `spare`, for callers that cut the window themselves.
  package func fromStart(andMore spare: Int = 0) -> FetchQuery {
    var wide = self
    wide.offset = 0
    // A program may ask for Int.max rows.
    if limit > 0 { wide.limit = offset.addingCapped(limit).addingCapped(spare) }
    return wide
  }

  /// The window's part of all rows, which must be in the query's order.
  package func window<Rows: RandomAccessCollection>(of rows: Rows) -> Rows.SubSequence {
    let rest = rows.dropFirst(offset)
    return limit > 0 ? rest.prefix(limit) : rest
  }

  /// Whether ties are in descending key order.
  package var reversesTies: Bool { layout.hasIndex(oppositeTo: sort) }
}

extension FixedWidthInteger {
  /// The sum, saturating on overflow.
  package func addingCapped(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }
}

extension EntityLayout {
  /// Whether sort keys that end with a descending one are the order of a fetch index that is read backwards. SQLite
  /// returns equal values of such an index in descending key order, and Apple's framework does not sort them again.
  /// Without an index, equal values stay in the order of their keys, whatever the direction.
  func hasIndex(oppositeTo sort: [SortKey]) -> Bool {
    guard sort.last?.isAscending == false else { return false }
    return lineage.contains { $0.indexes.contains { $0.isOrdered(oppositeTo: sort) } }
  }
}

extension IndexLayout {
  fileprivate func isOrdered(oppositeTo sort: [SortKey]) -> Bool {
    guard predicate == nil, elements.count >= sort.count else { return false }
    return zip(sort, elements).allSatisfy { key, element in
      element.collationType == .binary && key.comparison == .binary && key.isAscending != element.isAscending
        && key.keyPath.count == 1 && key.keyPath[0] == element.path
    }
  }
}

/// One sort key; nil sorts first when ascending.
package struct SortKey: Hashable, Sendable {
  /// Property names, all to-one except the last: `region.name`.
  package var keyPath: [String]
  package var isAscending: Bool
  /// The comparison of texts.
  package var comparison: SortComparison

  package init(_ keyPath: [String], ascending: Bool = true, comparison: SortComparison = .binary) {
    self.keyPath = keyPath
    isAscending = ascending
    self.comparison = comparison
  }

  /// A sort descriptor's key.
  package init(_ sort: FetchableSort) {
    self.init(sort.keyPath, ascending: sort.isAscending, comparison: sort.comparison)
  }
}
