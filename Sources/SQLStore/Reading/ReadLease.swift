import Glibc
import StrataRowStore
import StrataSQLiteEngine

/// A connection whose read transaction stays open between the reads of a burst. It is used only until a process
/// commits, so its results are as fresh as those of separate transactions, which cost more to begin and end than a
/// lookup.
final class ReadLease {
  /// Milliseconds. The WAL cannot restart while an old snapshot is being read, so no lease is held for long.
  private static let maximumDuration: Int64 = 20

  let reader: Reader
  private let pool: ReaderPool
  private let walSnapshot: WALSnapshot
  private let began = ReadLease.milliseconds

  /// - Returns: nil if the file has a rollback journal, where a reader would block all writers, or if the connection
  ///   has not read the log yet.
  init?(of pool: ReaderPool) throws {
    // Taken before the transaction begins: a commit in between only ends the lease early.
    var walSnapshot: WALSnapshot?
    let acquired = try pool.checkOutSnapshot {
      walSnapshot = $0.connection.walSnapshot
      return walSnapshot != nil
    }
    guard let acquired, let walSnapshot else { return nil }
    self.pool = pool
    self.walSnapshot = walSnapshot
    reader = acquired
  }

  var isFresh: Bool { reader.connection.walSnapshot == walSnapshot && Self.milliseconds - began < Self.maximumDuration }

  /// A clock with the resolution of the system's tick, at a tenth of the cost of an exact one.
  private static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  deinit { pool.checkInSnapshot(reader) }
}
