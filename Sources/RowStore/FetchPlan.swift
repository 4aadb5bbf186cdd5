import ManagedModel
import Predicates

/// What a fetch asks of a source of rows.
package struct FetchPlan: @unchecked Sendable {
  // Sendable: a layout never changes and everything else is a value.

  package var layout: EntityLayout
  package var includesSubentities: Bool
  /// About a row of the entity, by property names; references to objects are `.row` here. nil is every row.
  package var filter: PredicateNode?
  /// Most significant first. Rows that are equal in all keys come in the order of their keys in the store.
  package var sort: [SortKey]
  /// The most rows to return; 0 is all of them.
  package var limit: Int
  /// Rows to leave out at the start.
  package var offset: Int

  package init(
    layout: EntityLayout, includesSubentities: Bool = true, filter: PredicateNode? = nil, sort: [SortKey] = [],
    limit: Int = 0, offset: Int = 0
  ) {
    self.layout = layout
    self.includesSubentities = includesSubentities
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }
}

/// One key of an order: nil comes first when ascending, text goes by its bytes.
package struct SortKey: Hashable, Sendable {
  /// Property names, all to-one but the last: `region.name`.
  package var keyPath: [String]
  package var isAscending: Bool

  package init(_ keyPath: [String], ascending: Bool = true) {
    self.keyPath = keyPath
    isAscending = ascending
  }
}
