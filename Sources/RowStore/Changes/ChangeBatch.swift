import StrataManagedModel

/// What a save asks of a source: done whole or not at all.
package struct ChangeBatch: Sendable {
  /// New rows. Their ids may be temporary, in the rows' own to-one slots and everywhere else in the batch too; the
  /// source gives permanent ones, in the order of this list.
  package var inserted: [Row] = []
  package var updated: [RowUpdate] = []
  package var deleted: [RowDeletion] = []
  /// What to-many relationships lost and gained, as far as no to-one slot of the batch says it: many-to-many
  /// relationships, each pair once and from one of the two sides, and relationships without an inverse.
  package var links: [LinkChange] = []
  /// Rows that are not changed, but must still be at the version that the context knows.
  package var checked: [RowCheck] = []
  /// The numbers of the stores that new rows were assigned to, by the rows' ids; the others go where they fit.
  package var assigned: [RowID: Int] = [:]
  /// `transactionAuthor` of the context that saves, for the history.
  package var author: String?
  /// `name` of the context that saves, for the history.
  package var contextName: String?
  /// Which context saves: it is not told of what it did itself.
  package var origin: ObjectIdentifier?

  package init() {}

  /// The ids of the rows that the batch writes or removes.
  package var writtenIDs: [RowID] { inserted.map(\.id) + updated.map(\.row.id) + deleted.map(\.id) }

  /// Whether there is nothing to write; rows that are only checked do not count.
  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty }
}

/// A row that changed.
package struct RowUpdate: Sendable {
  /// The new values. `row.version` is the version that the values were based on; the store must still be at it.
  package var row: Row
  /// The slots to write, as bits: slot 0 is the lowest bit of the first word. None: only the version moves on.
  package var slots: [UInt64]
  /// The to-many relationships that changed, as numbers; for the history.
  package var toMany: [Int]

  package init(row: Row, slots: [UInt64], toMany: [Int] = []) {
    self.row = row
    self.slots = slots
    self.toMany = toMany
  }

  package func writes(_ slot: Int) -> Bool { slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 }
}

/// A row to remove.
package struct RowDeletion: Sendable {
  package var id: RowID
  /// The version that the store must still be at; nil if it does not matter.
  package var version: Int64?

  package init(id: RowID, version: Int64?) {
    self.id = id
    self.version = version
  }
}

/// A row that others must not have changed.
package struct RowCheck: Sendable {
  package var id: RowID
  /// The version that the store must still be at.
  package var version: Int64

  package init(id: RowID, version: Int64) {
    self.id = id
    self.version = version
  }
}

/// What one object's to-many relationship lost and gained.
///
/// In an ordered relationship the members that are left keep their order, and the added ones follow in theirs; an id in
/// both lists moves to the end. Of an ordered one-to-many relationship the change says the order alone: who the members
/// are, the to-one slots say.
package struct LinkChange: Sendable {
  package var owner: RowID
  /// The number of the relationship in the owner's layout.
  package var relationship: Int
  package var removed: [RowID]
  package var added: [RowID]

  package init(owner: RowID, relationship: Int, removed: [RowID] = [], added: [RowID] = []) {
    self.owner = owner
    self.relationship = relationship
    self.removed = removed
    self.added = added
  }
}

/// What a save got.
package struct CommitReceipt: Sendable {
  /// The ids of the inserted rows, in the order of the batch.
  package var inserted: [RowID]
  /// The versions of the updated rows, in the order of the batch.
  package var updatedVersions: [Int64]
  /// The versions of the inserted rows, in the order of the batch; nil if all are at version 1.
  package var insertedVersions: [Int64]?
  /// The number of the transaction in the store's history; nil without history.
  package var transaction: Int64?
  /// The new and updated rows that triggers of the store may have changed or removed.
  package var triggered: [RowID] = []
  /// Those rows, as far as they are still there, as the commit left them.
  package var triggeredRows = RowList()

  package init(inserted: [RowID], updatedVersions: [Int64], transaction: Int64?) {
    self.inserted = inserted
    self.updatedVersions = updatedVersions
    self.transaction = transaction
  }
}
