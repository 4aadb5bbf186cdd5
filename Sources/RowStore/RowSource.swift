import StrataManagedModel

/// Reads of a row source: of its current state, or of a snapshot.
///
/// Thread-safe; a view bound to a queue dispatches to it. Each call sees one consistent state.
package protocol RowView: AnyObject, Sendable {
  /// The rows that a query selects, in its order.
  func rows(for plan: FetchQuery) throws -> RowList

  /// Only their ids.
  func ids(for plan: FetchQuery) throws -> [RowID]

  /// The number of rows.
  func count(for plan: FetchQuery) throws -> Int

  /// The results of an aggregate query, in its order.
  func values(for plan: AggregateQuery) throws -> ValueTable

  /// Rows by id, in any order. Omits rows that do not exist; that is not an error.
  func rows(with ids: [RowID]) throws -> RowList

  /// The destination ids of a to-many relationship, in its order if it is ordered, else by key.
  /// - Parameter relationship: its number in the layout of the owner's entity.
  func related(to owner: RowID, relationship: Int) throws -> [RowID]

  /// The same for many owners of one hierarchy.
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists
}

/// The interface that a parent context, the coordinator and a store have in common. Only values cross it.
package protocol RowSource: RowView {
  /// Reserves permanent ids for new rows of the given entities, in order. nil if the source assigns none before saving.
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]?

  /// Commits a batch atomically.
  func commit(_ batch: ChangeBatch) throws -> CommitReceipt

  /// Executes a batch request atomically.
  func execute(_ change: BulkChange) throws -> BulkReceipt
}

/// A store: a source that persists what is committed.
package protocol BackEnd: RowSource {
  /// The store's number in its rows' ids, 1…255.
  var number: Int { get }

  /// The store's UUID in upper case: the host of its objects' URIs.
  var identifier: String { get }

  /// The store's metadata: property list values by key.
  var metadata: [String: any Sendable] { get throws }

  /// Sets the program's own metadata by key, immediately; type and UUID stay.
  func setMetadata(_ metadata: [String: any Sendable]) throws

  /// `commit` and `setMetadata` in one transaction or, if the store cannot do that, in sequence.
  func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt

  /// The history of commits, in order, from one snapshot; empty if the store keeps no history.
  func history(_ plan: HistoryQuery) throws -> HistoryStretch

  /// Deletes the transactions with smaller numbers. The numbers are not reused.
  /// - Returns: how many were deleted.
  func purgeHistory(before transaction: Int64) throws -> Int

  /// The number of the newest transaction; 0 if there is none.
  func newestTransaction() throws -> Int64

  /// A snapshot of the store, held while the returned view lives. nil if the store does not support snapshots. Once the
  /// store is closed, the view throws `.notOpen` too.
  func pinned() throws -> (any RowView)?

  /// Reserves permanent ids for new rows, in order. nil if the store assigns none before saving.
  func reserveIDs(for rows: [Row]) throws -> [RowID]?

  /// Closes the store. Later calls throw `.notOpen`.
  func close()
}

extension BackEnd {
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    try setMetadata(metadata)
    return try commit(batch)
  }
}

extension BackEnd {
  /// Most stores need only the entities.
  package func reserveIDs(for rows: [Row]) throws -> [RowID]? { try reserveIDs(for: rows.map(\.layout)) }

  /// The transactions after a number, in commit order.
  /// - Parameter limit: the maximum number of transactions; 0 for all.
  package func history(after transaction: Int64, limit: Int) throws -> [HistoryTransaction] {
    try history(HistoryQuery(after: transaction, limit: limit)).transactions
  }
}
