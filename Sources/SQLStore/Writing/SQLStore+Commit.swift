import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine

/// Saves.
extension SQLStore {
  /// Writes rows and their history in one COMMIT (invariant 1), as the only writer of all processes.
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt { try commit(batch, metadata: nil) }

  /// Writes the metadata in the same COMMIT: a program may keep there how far its rows have come.
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    if batch.isEmpty { try setMetadata(metadata) }
    return try commit(batch, metadata: metadata)
  }

  private func commit(_ batch: ChangeBatch, metadata: [String: any Sendable]?) throws -> CommitReceipt {
    let writer = try writableStore()
    guard !batch.isEmpty else { return CommitReceipt() }
    return try writer.withLock { connection, statements in
      let commit = Commit(of: batch, to: self, on: connection, writing: statements)
      commit.metadata = metadata
      return try withCache(for: batch, in: connection) { cache in
        commit.cache = cache
        return try commit.run()
      }
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
    return try writer.withLock { connection, _ in
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

  /// From this many rows on, a save touches more pages of tables and indexes than SQLite caches (500), so each would be
  /// written to the log and reread several times. With enough cache, saves of 1,000 rows take 0.7 of the time.
  private static let manyRows = 100

  /// The cache that the writer keeps after such a save, 8 MB, for the next one.
  private static let kept = "PRAGMA cache_size = -8000"

  /// A big cache cuts a big save to 0.55 to 0.8 of the time, as each page is written once. A small save is faster
  /// without: allocating the memory would cost more.
  private func withCache<T>(
    for batch: ChangeBatch, in connection: Connection, body: (GrowingCache?) throws -> T
  ) throws -> T {
    let rows = batch.inserted.count + batch.updated.count + batch.deleted.count
    guard rows >= 5_000, options.pragmas["cache_size"] == nil else {
      if rows >= Self.manyRows, options.pragmas["cache_size"] == nil { try connection.run(Self.kept) }
      return try body(nil)
    }
    let cache = try GrowingCache(holdingFileOf: connection)
    defer { try? connection.run(Self.kept) }
    return try body(cache)
  }

  /// Runs a change of an unknown number of rows with the biggest cache.
  func withBigCache<T>(_ connection: Connection, body: () throws -> T) throws -> T {
    guard options.pragmas["cache_size"] == nil else { return try body() }
    try connection.run("PRAGMA cache_size = -\(GrowingCache.maximum)")
    defer { try? connection.run(Self.kept) }
    return try body()
  }
}
