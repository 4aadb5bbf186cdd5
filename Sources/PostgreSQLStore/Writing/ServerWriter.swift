import Foundation
import StrataRowStore
import StrataSQLText
import StrataSupport
import Synchronization

/// The writing connection of a store, which serves one thread at a time.
final class ServerWriter: Sendable {
  private struct State {
    /// nil before the first use and after a loss.
    var connection: ServerConnection?
    var isPrepared = false
    var isOpen = true
  }

  private let address: ServerAddress
  private let timeout: Double
  private let reconnectTimeout: Double
  private let isReadOnly: Bool
  private let readsOnRequest: Bool
  private let state: Mutex<State>

  init(_ address: ServerAddress, _ options: PostgreSQLStoreOptions, first: ServerConnection, isReadOnly: Bool) {
    (self.address, self.isReadOnly) = (address, isReadOnly)
    (timeout, reconnectTimeout, readsOnRequest) = (options.timeout, options.reconnectTimeout, options.isReadOnly)
    state = Mutex(State(connection: isReadOnly ? nil : first))
  }

  /// Runs `body`, which leaves no transaction open. If the connection turns out to be lost, `body` runs once more on a new
  /// one: what it had begun, the server rolls back.
  /// - Throws: `.notOpen`, `.readOnly`, what connecting throws, and what `body` throws.
  func withConnection<T>(_ body: (ServerConnection) throws -> T) throws -> T {
    try state.withLock { state in
      guard state.isOpen else {
        throw StoreError(.notOpen, "The store '\(address)' was used after it was closed.")
      }
      if isReadOnly { throw refusal }
      var backoff = RetryBackoff(seconds: reconnectTimeout)
      var isFirst = true
      while true {
        do {
          return try body(prepared(&state, &backoff))
        } catch let error as UnknownCommit {
          throw StoreError(
            .io, "The outcome of the last write to the store '\(address)' is unknown: \(error.cause.message)",
            cause: error.cause.cause)
        } catch let error as StoreError where error.isLostConnection && state.connection?.isAlive != true {
          guard isFirst || backoff.sleepBeforeRetry() else { throw error }
          isFirst = false
        }
      }
    }
  }

  /// A lost connection is replaced by a new one; what it had begun, and what would be in the way, the server rolls back.
  private func prepared(_ state: inout State, _ backoff: inout RetryBackoff) throws -> ServerConnection {
    if let connection = state.connection, connection.isAlive {
      if !state.isPrepared { try prepare(connection) }
      state.isPrepared = true
      return connection
    }
    let session = state.connection?.session
    while true {
      let connection = try ServerConnection(to: address, name: "Core Data writer", &backoff)
      do {
        try prepare(connection)
        if let session { try connection.end(session, &backoff) }
        (state.connection, state.isPrepared) = (connection, true)
        return connection
      } catch let error as StoreError where error.isLostConnection {
        guard backoff.sleepBeforeRetry() else { throw error }
      }
    }
  }

  /// A commit that the server has only in memory can be lost after others have seen it, and its number would be reused:
  /// so a setting must not turn the flush off (invariants 5 and 6).
  private func prepare(_ connection: ServerConnection) throws {
    let milliseconds = Int64(min(max(timeout, 0) * 1_000, Double(Int32.max)))
    let found = try connection.run(
      SQLStatement(
        """
        SELECT set_config('lock_timeout', $1, false), current_setting('synchronous_commit'), \
        pid::bigint, backend_start::text, set_config('default_transaction_isolation', 'read committed', false), \
        set_config('default_transaction_read_only', 'off', false) \
        FROM pg_stat_activity WHERE pid = pg_backend_pid()
        """, [.text("\(max(1, milliseconds))ms")]))
    connection.session = ServerConnection.Session(process: found.integer(0, 2), began: found.text(0, 3))
    guard found.text(0, 1) == "off" else { return }
    Diagnostics.warnOnce(
      "the server of '\(address)' has synchronous_commit = off and may lose saved changes; this store's commits wait for "
        + "the disk regardless")
    try connection.run("SELECT set_config('synchronous_commit', 'on', false)")
  }

  private var refusal: StoreError {
    StoreError(
      .readOnly,
      "Cannot write the store '\(address)': it is open for reading only. "
        + (readsOnRequest
          ? "Open it without the read-only option."
          : "It has a history: open it with NSPersistentHistoryTrackingKey, or purge all of the history first."))
  }

  func close() { state.withLock { $0 = State(isOpen: false) } }
}
