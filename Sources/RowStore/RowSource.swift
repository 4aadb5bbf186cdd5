import StrataManagedModel

/// What can be read: of a source as it is, or of one that was kept as it was at one moment.
///
/// Any thread may ask; a view that lives on a queue goes there itself. Every answer of one call is of one moment.
package protocol RowView: AnyObject, Sendable {
  /// The rows that a plan selects, in its order.
  func rows(for plan: FetchQuery) throws -> RowList

  /// Their ids alone.
  func ids(for plan: FetchQuery) throws -> [RowID]

  /// How many rows there are.
  func count(for plan: FetchQuery) throws -> Int

  /// What a plan of values comes to, in its order.
  func values(for plan: AggregateQuery) throws -> ValueTable

  /// Rows by id, in any order. Rows that are not there are left out: that is an answer, not an error.
  func rows(with ids: [RowID]) throws -> RowList

  /// The ids at the other end of a to-many relationship, in its order if it has one, else in the order of keys.
  /// - Parameter relationship: its number in the layout of the owner's entity.
  func related(to owner: RowID, relationship: Int) throws -> [RowID]

  /// The same of many owners of one hierarchy.
  func related(to owners: [RowID], relationship: Int) throws -> MemberLists
}

/// The waist: the few questions that a parent context, the coordinator and a store all answer. Only values pass.
package protocol RowSource: RowView {
  /// Permanent ids for new rows: of entities, in order. A source that gives none until rows are saved answers nil.
  func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]?

  /// Does everything that a batch asks, or throws and has done nothing.
  func commit(_ batch: ChangeBatch) throws -> CommitReceipt

  /// Does what a batch request asks, or throws and has done nothing.
  func execute(_ change: BulkChange) throws -> BulkReceipt
}

/// A store: a source that keeps what it was told.
package protocol BackEnd: RowSource {
  /// The number in the ids of this store's rows, 1…255.
  var number: Int { get }

  /// The store's UUID, upper-case text: the host of its objects' URIs.
  var identifier: String { get }

  /// The store's metadata: property-list values by key.
  var metadata: [String: any Sendable] { get throws }

  /// Adds to or replaces the program's own metadata, key by key and at once; type and UUID stay.
  func setMetadata(_ metadata: [String: any Sendable]) throws

  /// Does what `commit` and `setMetadata` do, together or, of a store that cannot, one after the other.
  func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt

  /// What the store remembers of its commits, in their order and of one moment; empty without history.
  func history(_ plan: HistoryQuery) throws -> HistoryStretch

  /// Forgets the transactions with smaller numbers, and answers how many they were. The numbers are not used again.
  func purgeHistory(before transaction: Int64) throws -> Int

  /// The number of the newest transaction; 0 if there is none.
  func newestTransaction() throws -> Int64

  /// The store as it is at this moment, for as long as the answer lives: nothing that is committed later is in it. nil of
  /// a store that cannot keep a moment. Once the store is closed, the view throws `.notOpen` too.
  func pinned() throws -> (any RowView)?

  /// Permanent ids for new rows, in order; nil of a store that gives none until rows are saved.
  func reserveIDs(for rows: [Row]) throws -> [RowID]?

  /// Ends the use of the store. What is asked afterwards throws `.notOpen`.
  func close()
}

extension BackEnd {
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    try setMetadata(metadata)
    return try commit(batch)
  }
}

extension BackEnd {
  /// Most stores give ids by entities alone.
  package func reserveIDs(for rows: [Row]) throws -> [RowID]? { try reserveIDs(for: rows.map(\.layout)) }

  /// Transactions after one with a number, in the order of their commits.
  /// - Parameter limit: the most to read; 0 is all of them.
  package func history(after transaction: Int64, limit: Int) throws -> [HistoryTransaction] {
    try history(HistoryQuery(after: transaction, limit: limit)).transactions
  }
}
