import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// A connection whose read transaction stays open: everything it reads is as of the moment the transaction began.
///
/// Until it ends, checkpoints stop at that snapshot, and the WAL grows with every commit. It shrinks at the first
/// checkpoint after the end. See https://sqlite.org/isolation.html
final class PinnedReader: Readers {
  private let reader: Mutex<Reader?>
  private let pool: ReaderPool
  private let path: String

  /// - Returns: nil if the file has a rollback journal, where a reader would block all writers.
  init?(of pool: ReaderPool, path: String) throws {
    let acquired = try pool.checkOutSnapshot {
      try $0.connection.value("PRAGMA journal_mode") == .text("wal")
    }
    guard let acquired else { return nil }
    self.pool = pool
    self.path = path
    reader = Mutex(acquired)
  }

  func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try reader.withLock { reader in
      guard let reader else {
        throw StoreError(.notOpen, "This query generation of the store '\(path)' is gone: the store was closed.")
      }
      return try body(reader)
    }
  }

  func readInOneTransaction<T>(_ body: (Reader) throws -> T) throws -> T { try read(body) }

  /// Ends the transaction. A second call does nothing.
  func end() {
    reader.withLock { reader in
      guard let acquired = reader else { return }
      reader = nil
      pool.checkInSnapshot(acquired)
    }
  }

  deinit { end() }
}
