/// Which transactions of a store's history are wanted, and how much of each.
package struct HistoryQuery: Sendable {
  /// How much is read of the changes.
  package enum Changes: Sendable {
    case none
    /// What happened to which row.
    case ids
    /// That, and the properties and values that the history keeps.
    case whole
  }

  /// The transactions with greater numbers.
  package var after: Int64
  /// Of these, the ones up to a number; nil is no bound.
  package var upTo: Int64?
  /// Of these, the ones that were made later: seconds since 2001-01-01 00:00 UTC.
  package var later: Double?
  /// The most to read; 0 is all of them.
  package var limit: Int
  package var changes: Changes
  /// Which of these are wanted, asked of each before its changes are read; nil is all. Not together with a limit.
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

/// A part of a store's history, and how far the history reached when it was read.
package struct HistoryStretch: Sendable {
  package var transactions: [HistoryTransaction] = []
  /// The number of the oldest transaction that is kept; one more than the newest if none is.
  package var oldest: Int64 = 1
  /// The number of the newest transaction; 0 if there never was one. A purge does not take it back.
  package var newest: Int64 = 0
  /// The timestamp of the transaction that the plan reads on from, if it is kept.
  package var start: Double?

  package init() {}

  /// Whether transactions that the plan asks for are gone, or the store is older than the place in its history.
  package func lacksPart(after number: Int64) -> Bool { number.addingCapped(1) < oldest || number > newest }
}
