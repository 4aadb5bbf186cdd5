import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport

/// Saves: each store commits its own part of a batch, entirely or not at all.
extension NSPersistentStoreCoordinator {
  /// - Throws: what fails before anything was written; after that, `PartialCommit`.
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
    if let store = try onlyStore(for: batch) { return try write(batch, to: store) }
    let parts = try split(batch)
    try refuseOutdated(
      batch.checked.filter { check in !parts.contains { $0.store.storeIdentity.number == check.id.store } })
    let receipt = try write(parts, of: batch)
    // Last, because rows fail more often, and metadata may say how far the rows have come.
    for store in persistentStores where !parts.contains(where: { $0.store === store }) {
      do {
        try writeMetadata(of: store, alone: parts.isEmpty)
      } catch  where !parts.isEmpty {
        throw PartialCommit(receipt: receipt, missing: [], failedStores: [store.storeIdentity], cause: error)
      }
    }
    return receipt
  }

  private func write(_ parts: [StorePart], of batch: ChangeBatch) throws -> CommitReceipt {
    var receipt = CommitReceipt(
      inserted: batch.inserted.map(\.id), updatedVersions: batch.updated.map(\.row.version))
    for (number, part) in parts.enumerated() {
      do {
        receipt.add(try write(part.batch, to: part.store), of: part)
      } catch  where number > 0 {
        let left = parts[number...]
        throw PartialCommit(
          receipt: receipt, missing: Set(left.flatMap(\.batch.writtenIDs)),
          failedStores: left.map(\.store.storeIdentity), cause: error)
      }
    }
    return receipt
  }

  /// Compares the versions of rows in stores that the batch does not write; the others do it in their commit.
  private func refuseOutdated(_ checks: [RowCheck]) throws {
    if checks.isEmpty { return }
    for check in checks { _ = try owningStore(of: check.id) }
    let stored = Dictionary(try rows(with: checks.map(\.id)).rows.map { ($0.id, $0) }) { first, _ in first }
    let conflicts = checks.compactMap { check -> RowConflict? in
      guard stored[check.id]?.version != check.version else { return nil }
      return RowConflict(id: check.id, expectedVersion: check.version, stored: stored[check.id])
    }
    guard conflicts.isEmpty else {
      throw StoreError(
        .conflict,
        "Another writer changed or removed \(counted(conflicts.count, "row")) to check for conflicts since "
          + "\(conflicts.count == 1 ? "it was" : "they were") read. Nothing was changed; refresh the objects or choose a "
          + "merge policy.", conflicts: conflicts)
    }
  }

  /// Writes metadata that the program has set since the store's last commit.
  /// - Parameter alone: whether the save has nothing else to write. Incremental stores then get a request without
  ///   objects, as on Apple's platforms.
  private func writeMetadata(of store: NSPersistentStore, alone: Bool) throws {
    try store.withNewMetadata { metadata in
      if let metadata {
        try store.backEnd.setMetadata(metadata)
      } else if alone, let program = store.backEnd as? IncrementalBackEnd {
        try program.saveNothing()
      }
    }
  }
}

extension CommitReceipt {
  /// Adds the receipt of one store's part.
  fileprivate mutating func add(_ other: CommitReceipt, of part: StorePart) {
    for (index, id) in zip(part.inserted, other.inserted) { inserted[index] = id }
    for (index, version) in zip(part.updated, other.updatedVersions) { updatedVersions[index] = version }
    if let versions = other.insertedVersions {
      var all = insertedVersions ?? Array(repeating: 1, count: inserted.count)
      for (index, version) in zip(part.inserted, versions) { all[index] = version }
      insertedVersions = all
    }
    transactions[part.store.storeIdentity.number] = other.transaction
    if !other.triggered.isEmpty {
      triggered += other.triggered
      triggeredRows = RowList(rows: triggeredRows.rows + other.triggeredRows.rows)
    }
  }
}
