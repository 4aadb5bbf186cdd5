import RowStore
import SQLiteEngine

/// A connection whose read transaction stays open between the questions of a burst. It is used only as long as nobody
/// commits, so each answer is as new as one of a transaction of its own; beginning and ending that cost more than a
/// look-up.
final class ReadLease {
  /// A log cannot start anew behind a moment that is being read, so none is held for long.
  private static let longest = Duration.milliseconds(20)

  let reader: Reader
  private let pool: ReaderPool
  private let moment: LogMoment
  private let began = ContinuousClock.now

  /// - Returns: nil of a file whose journal is no write-ahead log, where a reader would keep all writers waiting, and of a
  ///   connection that has not read the log yet.
  init?(of pool: ReaderPool) throws {
    let taken = try pool.takeOrOpen()
    // Before the transaction begins: what is committed meanwhile only makes the lease end early.
    let moment = taken.connection.logMoment
    guard let moment else {
      pool.giveBack(taken)
      return nil
    }
    do {
      try taken.connection.run("BEGIN DEFERRED")
      // A transaction begins with its first read.
      _ = try taken.connection.integer("SELECT 1 FROM sqlite_master LIMIT 1")
    } catch {
      taken.connection.rollback()
      pool.giveBack(taken)
      throw error
    }
    self.pool = pool
    self.moment = moment
    reader = taken
  }

  var isFresh: Bool { reader.connection.logMoment == moment && ContinuousClock.now - began < Self.longest }

  deinit {
    reader.connection.rollback()
    pool.giveBack(reader)
  }
}
