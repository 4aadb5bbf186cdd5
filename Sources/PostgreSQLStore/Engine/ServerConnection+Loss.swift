import Glibc
import StrataRowStore
import StrataSQLText

/// The time to wait for an unreachable server: it may be restarting, or the network may be down.
package struct RetryBackoff: Sendable {
  private let seconds: Double
  /// From the first failure on: most that is asked succeeds, and need not look at the clock.
  private var end: ContinuousClock.Instant?
  /// Milliseconds before the next attempt, which double up to the last.
  private var delay: UInt32 = 10
  private static let lastDelay: UInt32 = 500

  package init(seconds: Double) { self.seconds = max(0, seconds) }

  /// Sleeps before another attempt; false if it is too late for one.
  package mutating func sleepBeforeRetry() -> Bool {
    let now = ContinuousClock.now
    if end == nil { end = now + .seconds(seconds) }
    guard let end, now < end else { return false }
    usleep(delay * 1_000)
    delay = min(delay * 2, Self.lastDelay)
    return true
  }
}

extension StoreError {
  /// Whether the connection to the server is gone. What it was doing may or may not have happened.
  package var isLostConnection: Bool { (cause as? ServerFailure)?.isLost == true }
}

extension ServerConnection {
  /// Connects to a server that was there before, and may be back soon.
  package convenience init(to address: ServerAddress, name: String, _ backoff: inout RetryBackoff) throws {
    while true {
      do {
        try self.init(to: address, name: name)
        return
      } catch let error as StoreError where (error.cause as? ServerFailure)?.isTemporary == true {
        guard backoff.sleepBeforeRetry() else { throw error }
      }
    }
  }

  /// The identity of a connection on the server.
  package struct Session: Sendable {
    fileprivate let process: Int64
    fileprivate let began: String

    /// - Parameters:
    ///   - process: `pid` of `pg_stat_activity`.
    ///   - began: its `backend_start`, as a process may get the number of another.
    package init(process: Int64, began: String) { (self.process, self.began) = (process, began) }
  }

  /// Ends the session of a lost connection. The server may not have noticed the loss, or still be busy with what was asked
  /// last: afterwards that is rolled back or committed for good, and its locks are free.
  package func end(_ session: Session, _ backoff: inout RetryBackoff) throws {
    let statement = SQLStatement(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::integer AND backend_start::text = $2
      """, [.integer(session.process), .text(session.began)])
    while try run(statement).rowCount > 0 {
      guard backoff.sleepBeforeRetry() else {
        throw StoreError(
          .busy,
          "The server of '\(address)' still runs a statement of a lost connection: find process "
            + "\(session.process) in pg_stat_activity.")
      }
    }
  }
}
