import Foundation
import StrataManagedModel
import StrataRowStore

extension MemoryStore {
  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    try whileOpen { state in
      try entities.map { layout in
        try checkHolds(layout)
        return RowID(store: number, entity: layout.number, key: state.contents.assignKey(for: layout))
      }
    }
  }

  /// Does everything that can fail before it changes the contents.
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    guard !batch.isEmpty else {
      return try whileOpen { _ in CommitReceipt() }
    }
    return try change { state in
      for row in batch.inserted { try checkHolds(row.layout) }
      let prepared = try PreparedBatch(batch, store: number, contents: state.contents)
      let transaction = appendHistory(of: batch, prepared: prepared, to: &state)
      prepared.apply(to: &state.contents)
      return CommitReceipt(
        inserted: prepared.inserted.map(\.id), updatedVersions: prepared.updated.map(\.new.version),
        transaction: transaction)
    }
  }

  /// Throws what `commit(_:)` would throw for a batch with conflicts or constraint violations.
  package func check(_ batch: ChangeBatch) throws {
    try whileOpen { _ = try PreparedBatch(batch, store: number, contents: $0.contents) }
  }

  /// A validated batch, valid as long as no other is committed.
  package struct Prepared {
    fileprivate var rows: PreparedBatch
  }

  /// Prepares a batch whose new rows get the given IDs, in order.
  package func prepare(_ batch: ChangeBatch, as ids: [RowID]) throws -> Prepared {
    Prepared(
      rows: try whileOpen { try PreparedBatch(batch, as: ids, store: number, contents: $0.contents) })
  }

  /// Applies a prepared batch. Records no history.
  package func commit(_ prepared: Prepared) throws -> CommitReceipt {
    try change { state in
      prepared.rows.apply(to: &state.contents)
      return CommitReceipt(
        inserted: prepared.rows.inserted.map(\.id), updatedVersions: prepared.rows.updated.map(\.new.version),
        transaction: nil)
    }
  }

  func checkHolds(_ layout: EntityLayout) throws(StoreError) {
    guard entities.contains(layout.number) else {
      throw StoreError(
        .incompatibleModel,
        "The store \(identifier) in memory cannot take a new \(layout.name): its configuration lacks the entity.")
    }
  }

  /// Appends a transaction to the history.
  /// - Returns: its number; nil if the store keeps no history.
  func appendHistory(of batch: ChangeBatch, prepared: PreparedBatch, to state: inout State) -> Int64? {
    guard keepsHistory else { return nil }
    state.lastTransaction += 1
    var changes: [HistoryChange] = []
    func add(
      _ kind: HistoryChange.Kind, _ id: RowID, properties: [String] = [], keeping values: [Int: SlotValue] = [:]
    ) {
      state.lastChange += 1
      changes.append(
        HistoryChange(
          number: state.lastChange, kind: kind, id: id, updatedProperties: properties, tombstone: values))
    }
    for row in prepared.inserted { add(.insert, row.id) }
    for update in batch.updated { add(.update, update.row.id, properties: update.propertyNames) }
    for row in prepared.deleted { add(.delete, row.id, keeping: row.tombstone) }
    let process = ProcessInfo.processInfo
    state.history.append(
      HistoryTransaction(
        number: state.lastTransaction, timestamp: Date().timeIntervalSinceReferenceDate, author: batch.author,
        contextName: batch.contextName, bundleID: Bundle.main.bundleIdentifier ?? process.processName,
        processID: String(process.processIdentifier), changes: changes))
    return state.lastTransaction
  }
}

extension Row {
  /// The values that the history keeps when the row is deleted.
  fileprivate var tombstone: [Int: SlotValue] {
    var values: [Int: SlotValue] = [:]
    for (number, slot) in layout.slots.enumerated() {
      guard slot.isKeptOnDeletion, slot.attribute?.allowsExternalStorage == false else { continue }
      if self[number] != .null { values[number] = self[number] }
    }
    return values
  }
}
