/// The transactions of a history to read, and the level of detail.
package struct HistoryQuery: Sendable {
  /// The detail of the changes.
  package enum Changes: Sendable {
    case none
    /// Kinds and row IDs. The transactions may lack their texts, such as the author.
    case ids
    /// Also the properties and values that the history preserves.
    case whole
  }

  /// Only transactions with greater numbers.
  package var after: Int64
  /// Of these, those up to this number; nil for no bound.
  package var upTo: Int64?
  /// Of these, those with a later timestamp: seconds since 2001-01-01 00:00 UTC.
  package var later: Double?
  /// The maximum number; 0 for all.
  package var limit: Int
  package var changes: Changes
  /// Called for each transaction before its changes are read; nil for all. Not with a limit.
  package var filter: (@Sendable (HistoryTransaction) throws -> Bool)?

  package init(
    after: Int64, upTo: Int64? = nil, later: Double? = nil, limit: Int = 0, changes: Changes = .whole,
    filter: (@Sendable (HistoryTransaction) throws -> Bool)? = nil
  ) {
    self.after = after
    self.upTo = upTo
    self.later = later
    self.limit = limit
    self.changes = changes
    self.filter = filter
  }
}

/// A part of a store's history, and the history's bounds when it was read.
package struct HistoryRange: Sendable {
  package var transactions: [HistoryTransaction] = []
  /// The number of the oldest remaining transaction; one more than the newest if none remains.
  package var oldest: Int64 = 1
  /// The highest transaction number ever assigned; 0 if none. A purge does not reset it.
  package var newest: Int64 = 0
  /// The timestamp of the transaction that the query starts after, if it remains.
  package var start: Double?

  package init() {}

  /// Whether requested transactions were purged, or the history does not reach that far, as in an older copy of the
  /// store.
  package func lacksPart(after number: Int64) -> Bool { number.addingCapped(1) < oldest || number > newest }
}

/// The transactions after a reader's position.
package struct HistoryBatch: Sendable {
  package var transactions: [HistoryTransaction] = []
  /// The number up to which transactions are missing: they were purged unread, or the history no longer reaches that far.
  /// nil if none is.
  package var gapEnd: Int64?
  /// Whether a foreign writer, whose commits the history does not list, has committed since the last batch that reached the
  /// end of the history (invariant 4). False in a batch that does not reach the end.
  package var hasForeignCommit = false
  /// Whether `hasForeignCommit` is known. It is not if a process commits while the batch is read; then a later batch has it.
  package var knowsForeignCommits = true

  package init() {}

  package init(_ range: HistoryRange, after number: Int64) {
    transactions = range.transactions
    if range.lacksPart(after: number) { gapEnd = min(range.oldest.addingCapped(-1), range.newest) }
  }
}
