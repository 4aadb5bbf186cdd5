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
      return try commit(change) { try rows.batch(for: $0, store: number) }
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
  func batch(for contents: StoreContents, store: Int) throws -> ChangeBatch {
    var batch = ChangeBatch()
    var matches: [StoreContents.UniqueKey: Match] = [:]
    for (row, given) in rows {
      let keys = contents.uniqueKeys(of: row).map(\.key)
      guard insertion.onConflict != .fail,
        let match = keys.lazy.compactMap({ self.match($0, in: matches, contents: contents) }).first
      else {
        for key in keys { matches[key] = .inserted(batch.inserted.count) }
        batch.inserted.append(row)
        continue
      }
      if insertion.onConflict == .keepStored { continue }
      let slots = insertion.onConflict == .takeAll ? insertion.layout.attributes : given
      switch match {
      case .inserted(let index): copySlots(slots, from: row, to: batch.inserted[index])
      case .updated(let index):
        copySlots(slots, from: row, to: batch.updated[index].row)
        for word in slots.indices { batch.updated[index].slots[word] |= slots[word] }
      case .stored(let id):
        guard let stored = contents.row(id) else { continue }
        for key in keys { matches[key] = .updated(batch.updated.count) }
        batch.updated.append(try update(of: stored, slots: slots, from: row))
      }
    }
    return batch
  }

  private enum Match {
    case stored(RowID)
    case inserted(Int)
    case updated(Int)
  }

  private func match(
    _ key: StoreContents.UniqueKey, in matches: [StoreContents.UniqueKey: Match], contents: StoreContents
  ) -> Match? {
    matches[key] ?? contents.uniqueRows[key].map(Match.stored)
  }

  private func update(of stored: Row, slots: [UInt64], from row: Row) throws -> RowUpdate {
    guard insertion.layout.familyNumbers.contains(stored.id.entity) else {
      throw StoreError(
        .constraint,
        "A batch insert of '\(insertion.layout.name)' was refused: a \(stored.layout.name), which it cannot change, has "
          + "the same unique values.")
    }
    let copy = stored.copy()
    copySlots(slots, from: row, to: copy)
    var words = [UInt64](repeating: 0, count: stored.layout.nullWords)
    for word in slots.indices { words[word] = slots[word] }
    return RowUpdate(row: copy, slots: words)
  }

  private func copySlots(_ slots: [UInt64], from row: Row, to other: Row) {
    for slot in row.layout.slots.indices where slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      other.page.copySlot(slot, to: other.index, from: row.page, row: row.index)
    }
  }
}

extension EntityLayout {
  /// The slots that are attributes, as a bit set.
  fileprivate var attributes: [UInt64] {
    var words = [UInt64](repeating: 0, count: nullWords)
    for (slot, property) in slots.enumerated() where property.kind != .toOne {
      words[slot >> 6] |= 1 << UInt64(slot & 63)
    }
    return words
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
