import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// One connection whose read transaction stays open: all that it reads is of the moment when that began.
///
/// Meanwhile the WAL cannot start anew behind that moment, and grows with every commit of anybody: SQLite copies it back
/// only up to there. It shrinks at the first checkpoint after the end. See https://sqlite.org/isolation.html
final class PinnedReader: Readers {
  private let reader: Mutex<Reader?>
  private let pool: ReaderPool
  private let path: String

  /// - Returns: nil of a file whose journal is no WAL, where a reader would keep all writers waiting.
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
