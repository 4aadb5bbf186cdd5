import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine

/// Saves.
extension SQLStore {
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt { try commit(batch, setting: [:]) }

  /// Writes rows, their history (invariant 1) and metadata in one COMMIT, as the only writer of all processes. A program
  /// may keep in the metadata how far its rows have come.
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    let writer = try writableStore()
    guard !batch.isEmpty else {
      if !metadata.isEmpty { try setMetadata(metadata) }
      return CommitReceipt()
    }
    return try writer.write { connection, statements in
      try Commit(of: batch, setting: metadata, in: self, on: connection, with: statements).run()
    }
  }

  /// Tells the observer that a transaction failed. If the files were replaced while it was written, it may be committed,
  /// and arrives through the history then.
  func endCommit(_ transaction: Int64, after error: any Error) {
    observer?.didNotCommit(transaction: transaction)
    if (error as? StoreError)?.code == .notOpen { observer?.mayHaveCommitted() }
  }

  package func reserveIDs(for entities: [EntityLayout]) throws -> [RowID]? {
    let writer = try writableStore()
    return try writer.write { connection, _ in
      try connection.writing {
        let ids = try PrimaryKeyAllocator(of: self, on: connection).nextIDs(for: entities)
        writer.announceUnlisted()
        return ids
      }
    }
  }

  func writableStore() throws -> Writer {
    readers.endLease()
    guard let writer else {
      throw StoreError(
        .readOnly,
        "Cannot write the store '\(path)': it is open for reading only. "
          + (options.isReadOnly
            ? "Open it without the read-only option."
            : "It has a history: open it with NSPersistentHistoryTrackingKey, or purge all of the history first."))
    }
    return writer
  }
}
