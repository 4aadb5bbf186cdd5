import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine

/// Saves.
extension SQLStore {
  /// Rows and their history are written in one COMMIT (invariant 1), as the only writer of all processes.
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt { try commit(batch, metadata: nil) }

  /// The metadata are written in the same COMMIT: a program may keep there how far its rows are.
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    if batch.isEmpty { try setMetadata(metadata) }
    return try commit(batch, metadata: metadata)
  }

  private func commit(_ batch: ChangeBatch, metadata: [String: any Sendable]?) throws -> CommitReceipt {
    let writer = try writableStore()
    guard !batch.isEmpty else { return CommitReceipt(inserted: [], updatedVersions: [], transaction: nil) }
    return try writer.withLock { connection, statements in
      let commit = Commit(of: batch, to: self, on: connection, writing: statements)
      commit.metadata = metadata
      return try withCache(for: batch, connection) { try commit.run() }
    }
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

  /// From so many rows on a save meets more pages of tables and indexes than SQLite keeps (500): each would be written to the
  /// log and read again several times. With room for them saves of 1,000 rows take 0.7 of the time.
  private static let manyRows = 100

  /// What the writer may keep once there was such a save: 8 MB, for the next one.
  private static let kept = "PRAGMA cache_size = -8000"

  /// A big save takes a big cache: 0.55 to 0.8 of the time, as pages are then written once. A small one is quicker
  /// with the pages that it has: the memory for more of them must be had first.
  private func withCache<T>(for batch: ChangeBatch, _ connection: Connection, _ body: () throws -> T) throws -> T {
    let rows = batch.inserted.count + batch.updated.count + batch.deleted.count
    guard rows >= 5_000 else {
      if rows >= Self.manyRows, options.pragmas["cache_size"] == nil { try connection.run(Self.kept) }
      return try body()
    }
    return try withBigCache(connection, newRows: batch.inserted.count, body)
  }

  /// - Parameter newRows: how many rows are new, if that is known. The cache is no larger than the file, and a quarter of a
  ///   kilobyte for each of them: they lie behind each other, so that only their places in indexes are met again.
  func withBigCache<T>(_ connection: Connection, newRows: Int? = nil, _ body: () throws -> T) throws -> T {
    guard options.pragmas["cache_size"] == nil else { return try body() }
    var kilobytes = 65_536
    if let newRows {
      let pages = try Int(connection.integer("PRAGMA page_count") ?? 0)
      kilobytes = min(kilobytes, max(4_096, pages * 4 + newRows / 4))
    }
    try connection.run("PRAGMA cache_size = -\(kilobytes)")
    defer { try? connection.run(Self.kept) }
    return try body()
  }
}
