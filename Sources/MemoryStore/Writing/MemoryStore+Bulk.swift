import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Batch requests, executed as change batches.
extension MemoryStore {
  package func execute(_ change: BulkChange) throws -> BulkReceipt {
    switch change.work {
    case .insert(let insertion):
      // Built outside the lock, because a handler may use the store.
      let rows = try BulkRowCopies(of: insertion)
      for _ in rows.rows.prefix(1) { try checkHolds(insertion.layout) }
      return try commit(change) { try rows.batch(for: $0) }
    case .update(slots: let update): return try commit(change) { try update.batch(for: StoreView($0)) }
    case .delete(let deletion):
      return try commit(change) { try DeletionCascade(deletion, contents: $0, store: number).batch() }
    }
  }

  /// Commits the batch that `make` builds from the current contents.
  private func commit(
    _ change: BulkChange, make: (StoreContents) throws -> ChangeBatch
  ) throws -> BulkReceipt {
    try self.change { state in
      var batch = try make(state.contents)
      guard !batch.isEmpty else { return BulkReceipt() }
      batch.author = change.author
      batch.contextName = change.contextName
      let prepared = try PreparedBatch(batch, store: number, contents: state.contents)
      var receipt = BulkReceipt()
      receipt.transaction = appendHistory(of: batch, prepared: prepared, to: &state)
      prepared.apply(to: &state.contents)
      receipt.insertedCount = prepared.inserted.count
      receipt.updatedCount = prepared.updated.count
      receipt.deletedCount = prepared.deleted.count
      guard change.wantsIDs else { return receipt }
      receipt.inserted = prepared.inserted.map(\.id)
      receipt.updated = prepared.updated.map(\.new.id)
      receipt.deleted = prepared.deleted.map(\.id)
      return receipt
    }
  }
}

/// The rows of a batch insert.
private struct BulkRowCopies {
  private(set) var rows: [(row: Row, given: [UInt64])] = []
  private let insertion: BulkInsertion

  init(of insertion: BulkInsertion) throws {
    self.insertion = insertion
    var pages = BatchPages()
    while let page = try insertion.rows.next() {
      for index in 0..<page.page.count {
        let id = RowID.temporary(entity: insertion.layout.number)
        let copy = pages.append(id: id, version: 0, insertion.layout)
        for slot in insertion.layout.slots.indices {
          copy.page.copySlot(slot, to: copy.index, from: page.page, row: index)
        }
        rows.append((copy, Array(page.given(index))))
      }
    }
  }

  /// Resolves rows whose unique values exist already: they update the stored row or are dropped, as the request says.
  func batch(for contents: StoreContents) throws -> ChangeBatch {
    var resolver = BulkInsertionResolver(insertion)
    for (row, given) in rows {
      try resolver.add(
        row, given: given, keys: { contents.uniqueKeys(of: $0).map(\.key) },
        storedRow: { contents.uniqueRows[$0].flatMap(contents.row) })
    }
    return resolver.batch
  }
}

extension BulkUpdate {
  /// The update as a change batch of the affected rows.
  fileprivate func batch(for view: StoreView) throws -> ChangeBatch {
    var batch = ChangeBatch()
    for row in try view.rows(for: query) {
      batch.updated.append(try change(of: row, as: StoredRow(row: row, view: view)))
    }
    return batch
  }
}
