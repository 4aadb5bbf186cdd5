import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// A connection whose read transaction stays open: everything it reads is as of the moment the transaction began.
///
/// Meanwhile checkpoints stop at that moment, and the WAL grows with every commit. It shrinks at the first checkpoint
/// after the end. See https://sqlite.org/isolation.html
final class PinnedReader: Readers {
  private let reader: Mutex<Reader?>
  private let pool: ReaderPool
  private let path: String

  /// - Returns: nil if the file has a rollback journal, where a reader would block all writers.
  init?(of pool: ReaderPool, path: String) throws {
    let taken = try pool.takeOrOpen()
    do {
      guard try taken.connection.value("PRAGMA journal_mode") == .text("wal") else {
        pool.giveBack(taken)
        return nil
      }
      try taken.beginMoment()
    } catch {
      taken.endMoment()
      pool.giveBack(taken)
      throw error
    }
    self.pool = pool
    self.path = path
    reader = Mutex(taken)
  }

  func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try reader.withLock { reader in
      guard let reader else {
        throw StoreError(.notOpen, "The store '\(path)' was closed; what was kept of it is gone.")
      }
      return try body(reader)
    }
  }

  func readAtOneMoment<T>(_ body: (Reader) throws -> T) throws -> T { try read(body) }

  /// Ends the transaction. A second call does nothing.
  func end() {
    reader.withLock { reader in
      guard let taken = reader else { return }
      reader = nil
      taken.endMoment()
      pool.giveBack(taken)
    }
  }

  deinit { end() }
}
