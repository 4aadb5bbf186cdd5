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
    if metadata.isEmpty, mayShareTransaction(batch, of: writer) { return try writer.commit(batch, in: self) }
    return try writer.write { connection, statements in
      try Commit(of: batch, setting: metadata, in: self, on: connection, with: statements).run()
    }
  }

  /// Whether a save may be made in one transaction with others. Files next to the store belong to a whole transaction. Without
  /// a history, a coordinator makes one save at a time.
  private func mayShareTransaction(_ batch: ChangeBatch, of writer: Writer) -> Bool {
    guard keepsHistory, batch.isSmall else { return false }
    guard writer.connection.writesExternalFiles else { return true }
    let entities = Set(
      batch.inserted.map(\.layout.number) + batch.updated.map(\.row.layout.number) + batch.deleted.map(\.id.entity))
    return entities.allSatisfy { number in
      schema.table(of: schema.model.layout(number: number)).columns.allSatisfy { $0?.isExternal != true }
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
        writer.adjustUnlistedCount(by: 1)
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

extension ChangeBatch {
  /// The most rows and links of a save that others may wait for in one transaction.
  private static let maximumSmall = 50

  fileprivate var isSmall: Bool {
    let rows = inserted.count + updated.count + deleted.count + checked.count
    return rows <= Self.maximumSmall
      && links.reduce(0) { $0 + $1.added.count + $1.removed.count } <= Self.maximumSmall
  }
}
