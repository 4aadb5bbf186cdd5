import StrataManagedModel

/// The changes of one save, applied atomically.
package struct ChangeBatch: Sendable {
  /// New rows. Their IDs may be temporary, and so may references to them anywhere in the batch; the source assigns
  /// permanent IDs in the order of this array.
  package var inserted: [Row] = []
  package var updated: [RowUpdate] = []
  package var deleted: [RowDeletion] = []
  /// Changes of to-many relationships that no to-one slot in the batch expresses: many-to-many relationships, each pair
  /// once and from one side only, and relationships without an inverse.
  package var links: [LinkChange] = []
  /// Rows that do not change but must still have the version that the context knows.
  package var checked: [RowCheck] = []
  /// The numbers of the stores that new rows are assigned to, by row ID; other rows go to the first store that fits.
  package var assigned: [RowID: Int] = [:]
  /// The saving context's `transactionAuthor`, for the history.
  package var author: String?
  /// The saving context's `name`, for the history.
  package var contextName: String?
  /// Identifies the saving context, which is not notified of its own changes.
  package var origin: ObjectIdentifier?

  /// The changed rows that derived attributes of other rows read; nil if they are unknown.
  package var derivationInputs: DerivationInputs? = DerivationInputs()

  package init() {}

  /// The IDs of the rows that the batch writes or deletes.
  package var writtenIDs: [RowID] { inserted.map(\.id) + updated.map(\.row.id) + deleted.map(\.id) }

  /// Whether there is nothing to write; rows that are only checked do not count.
  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty }
}

/// A changed row.
package struct RowUpdate: Sendable {
  /// The new values. `row.version` is the version that they are based on; the store must still have it.
  package var row: Row
  /// A bit set of the slots to write: slot 0 is the lowest bit of the first word. If empty, only the version increases.
  package var slots: [UInt64]
  /// The numbers of the to-many relationships that changed, for the history.
  package var toMany: [Int]
  /// Whether the update writes no slot, and may be applied to a newer version of the row. A store that can do that returns the
  /// row as it is then with the rows that triggers changed; other stores report a conflict.
  package var allowsNewerVersion: Bool

  package init(row: Row, slots: [UInt64], toMany: [Int] = [], allowsNewerVersion: Bool = false) {
    self.row = row
    self.slots = slots
    self.toMany = toMany
    self.allowsNewerVersion = allowsNewerVersion
  }

  package func writes(_ slot: Int) -> Bool { slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 }
}

extension RowUpdate {
  /// The names of the persistent properties that the update writes.
  package var propertyNames: [String] {
    row.layout.propertyNames(slots: slots) + toMany.map { row.layout.toMany[$0].name }
  }
}

extension EntityLayout {
  /// The names of the persistent properties with some slots.
  /// - Parameter bits: slot 0 is the lowest bit of the first word.
  package func propertyNames(slots bits: [UInt64]) -> [String] {
    var names: [String] = []
    for (slot, property) in slots.enumerated()
    where bits[slot >> 6] >> UInt64(slot & 63) & 1 != 0 && !property.isTransient {
      if names.last != property.ownerName { names.append(property.ownerName) }
    }
    return names
  }
}

/// A row to delete.
package struct RowDeletion: Sendable {
  package var id: RowID
  /// The version that the store must still have; nil for any.
  package var version: Int64?

  package init(id: RowID, version: Int64?) {
    self.id = id
    self.version = version
  }
}

/// A row that others must not have changed.
package struct RowCheck: Sendable {
  package var id: RowID
  /// The version that the store must still have.
  package var version: Int64

  package init(id: RowID, version: Int64) {
    self.id = id
    self.version = version
  }
}

/// The members added to and removed from one object's to-many relationship.
///
/// In an ordered relationship the remaining members keep their order, followed by the added ones in theirs; an ID in
/// both lists moves to the end. For an ordered one-to-many relationship the change conveys only the order; membership
/// follows from the to-one slots.
package struct LinkChange: Sendable {
  package var owner: RowID
  /// The relationship's number in the owner's layout.
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

/// The result of a save.
package struct CommitReceipt: Sendable {
  /// The IDs of the inserted rows, in batch order.
  package var inserted: [RowID]
  /// The versions of the updated rows, in batch order.
  package var updatedVersions: [Int64]
  /// The versions of the inserted rows, in batch order; nil if all are at version 1.
  package var insertedVersions: [Int64]?
  /// The transaction's number in the history; nil without history, and for a commit to several stores.
  package var transaction: Int64?
  /// Of a commit to several stores, the transactions' numbers by store number.
  package var transactions: [Int: Int64] = [:]
  /// The new and updated rows that the store's triggers may have changed or deleted, and those whose links were merged.
  package var triggered: [RowID] = []
  /// Those rows as the commit left them, if they still exist.
  package var triggeredRows = RowList()

  package init(inserted: [RowID] = [], updatedVersions: [Int64] = [], transaction: Int64? = nil) {
    self.inserted = inserted
    self.updatedVersions = updatedVersions
    self.transaction = transaction
  }
}
