import Glibc
import StrataRowStore
import StrataSQLiteEngine

/// A connection whose read transaction stays open between the questions of a burst. It is used only as long as nobody
/// commits, so each answer is as new as one of a transaction of its own; beginning and ending that cost more than a
/// look-up.
final class ReadLease {
  /// A log cannot start anew behind a moment that is being read, so none is held for long.
  private static let longest: Int64 = 20

  let reader: Reader
  private let pool: ReaderPool
  private let moment: LogMoment
  private let began = ReadLease.milliseconds

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
      try taken.beginMoment()
    } catch {
      taken.endMoment()
      pool.giveBack(taken)
      throw error
    }
    self.pool = pool
    self.moment = moment
    reader = taken
  }

  var isFresh: Bool { reader.connection.logMoment == moment && Self.milliseconds - began < Self.longest }

  /// A clock that goes on by the system's tick, and costs a tenth of an exact one.
  private static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  deinit {
    reader.endMoment()
    pool.giveBack(reader)
  }
}
