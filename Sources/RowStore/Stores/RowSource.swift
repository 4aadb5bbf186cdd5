import StrataManagedModel

/// Reads of a row source: of its current state, or of a snapshot.
///
/// Thread-safe; a view bound to a queue dispatches to it. Each call sees one consistent state.
package protocol RowView: AnyObject, Sendable {
  /// The rows that a query selects, in its order.
  func rows(for query: FetchQuery) throws -> RowList

  /// Only their IDs.
  func ids(for query: FetchQuery) throws -> [RowID]

  /// The number of rows.
  func count(for query: FetchQuery) throws -> Int

  /// The results of an aggregate query, in its order.
  func values(for query: AggregateQuery) throws -> ValueTable

  /// Rows by ID, in any order. Omits rows that do not exist; that is not an error.
  func rows(with ids: [RowID]) throws -> RowList

  /// The destination IDs of a to-many relationship, in its order if it is ordered, else by key.
  /// - Parameter relationship: its number in the layout of the owner's entity.
  func related(to owner: RowID, relationship: Int) throws -> [RowID]

  /// The same for many owners of one hierarchy.
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists
}

/// The interface that a parent context, the coordinator and a store have in common. Only values cross it.
package protocol RowSource: RowView {
  /// Reserves permanent IDs for new rows of the given entities, in order. nil if the source assigns none before saving.
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]?

  /// Commits a batch atomically. A coordinator also writes the metadata that the program has set; an empty batch is a save
  /// of nothing else.
  func commit(_ batch: ChangeBatch) throws -> CommitReceipt

  /// Executes a batch request atomically.
  func execute(_ change: BulkChange) throws -> BulkReceipt
}
