import StrataManagedModel
import StrataPredicates

/// What a fetch asks of a source of rows.
package struct FetchQuery: @unchecked Sendable {
  // Sendable: a layout never changes and everything else is a value.

  package var layout: EntityLayout
  package var includesSubentities: Bool
  /// About a row of the entity, by property names; references to objects are `.row` here. nil is every row. Paths into
  /// composite attributes are names of slots here and in `sort`.
  package var filter: PredicateNode?
  /// Most significant first. Rows that are equal in all of them come in the order of their keys in the store, in the
  /// direction of the last one: as an index has them that is read from either end.
  package var sort: [SortKey]
  /// The most rows to return; 0 is all of them. Never negative.
  package var limit: Int
  /// Rows to leave out at the start. Never negative.
  package var offset: Int
  /// The numbers of the stores that are asked; nil is all of them.
  package var stores: Set<Int>?

  package init(
    layout: EntityLayout, includesSubentities: Bool = true, filter: PredicateNode? = nil, sort: [SortKey] = [],
    limit: Int = 0, offset: Int = 0
  ) {
    self.layout = layout
    self.includesSubentities = includesSubentities
    if layout.meetsComposites {
      self.filter = filter.map(layout.flattened)
      self.sort = sort.map(layout.flattened)
    } else {
      self.filter = filter
      self.sort = sort
    }
    self.limit = max(0, limit)
    self.offset = max(0, offset)
  }
}

extension FetchQuery {
  /// The plan from its first row on, with room for some more: what those need who cut the rows themselves.
  package func fromStart(andMore spare: Int = 0) -> FetchQuery {
    var wide = self
    wide.offset = 0
    // A program may ask for as many as there are numbers.
    if limit > 0 { wide.limit = offset.addingCapped(limit).addingCapped(spare) }
    return wide
  }

  /// The rows of the window among all rows, which are in the plan's order.
  package func window<Rows: RandomAccessCollection>(of rows: Rows) -> Rows.SubSequence {
    let rest = rows.dropFirst(offset)
    return limit > 0 ? rest.prefix(limit) : rest
  }

  /// Whether rows that are equal in all that they are sorted by come in the reversed order of their keys.
  package var reversesTies: Bool { sort.last?.isAscending == false }
}

extension FixedWidthInteger {
  /// The sum, or the number nearest to it that fits.
  package func addingCapped(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }
}

/// One key of an order: nil comes first when ascending.
package struct SortKey: Hashable, Sendable {
  /// Property names, all to-one but the last: `region.name`.
  package var keyPath: [String]
  package var isAscending: Bool
  /// How texts compare.
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
