/// One save or batch request in a store's history.
package struct HistoryTransaction: Sendable, Hashable {
  /// Increases with every commit and is never reused.
  package var number: Int64
  /// Seconds since 2001-01-01 00:00 UTC by the writer's clock; not monotonic.
  package var timestamp: Double
  package var author: String?
  package var contextName: String?
  package var bundleID: String?
  package var processID: String?
  package var changes: [HistoryChange]
  /// Whether the back end that answered made the transaction itself, if it marks those in its history. The commit's
  /// receipt is then on its way; a transaction whose commit threw is not marked.
  package var isOwn = false

  package init(
    number: Int64, timestamp: Double, author: String?, contextName: String?, bundleID: String?, processID: String?,
    changes: [HistoryChange]
  ) {
    self.number = number
    self.timestamp = timestamp
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID
    self.processID = processID
    self.changes = changes
  }
}

/// The change of one row in a transaction.
package struct HistoryChange: Sendable, Hashable {
  /// The raw values are those of `NSPersistentHistoryChangeType` and `ZCHANGETYPE`.
  package enum Kind: Int64, Sendable { case insert = 0, update = 1, delete = 2 }

  package var number: Int64
  package var kind: Kind
  package var id: RowID
  /// The names of the properties that an update changed; empty for other kinds.
  package var updatedProperties: [String]
  /// The values that the history preserves of a deleted row; without nil values.
  package var tombstone: [Int: SlotValue]

  package init(
    number: Int64, kind: Kind, id: RowID, updatedProperties: [String] = [], tombstone: [Int: SlotValue] = [:]
  ) {
    self.number = number
    self.kind = kind
    self.id = id
    self.updatedProperties = updatedProperties
    self.tombstone = tombstone
  }
}
