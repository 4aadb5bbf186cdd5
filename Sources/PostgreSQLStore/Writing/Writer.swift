import Foundation
import StrataDiagnostics
import StrataPostgreSQLEngine
import StrataRowStore
import StrataSQLText
import Synchronization

/// The writing connection of a store, which serves one thread at a time.
final class Writer: Sendable {
  private struct State {
    /// nil while there is none, or it was lost.
    var connection: ServerConnection?
    var isPrepared = false
    var isOpen = true
  }

  private let address: ServerAddress
  private let timeout: Double
  private let isReadOnly: Bool
  private let readsOnRequest: Bool
  private let state: Mutex<State>

  init(_ address: ServerAddress, _ options: PostgreSQLStoreOptions, first: ServerConnection, isReadOnly: Bool) {
    (self.address, self.isReadOnly) = (address, isReadOnly)
    (timeout, readsOnRequest) = (options.timeout, options.isReadOnly)
    state = Mutex(State(connection: isReadOnly ? nil : first))
  }

  /// Runs `body`, which leaves no transaction open. If the connection turns out to be lost, `body` runs once more on a new
  /// one: what it had begun, the server rolls back.
  /// - Throws: `.notOpen`, `.readOnly`, what connecting throws, and what `body` throws.
  func withConnection<T>(_ body: (ServerConnection) throws -> T) throws -> T {
    try state.withLock { state in
      guard state.isOpen else {
        throw StoreError(.notOpen, "The store '\(address)' was asked something after it had been closed.")
      }
      if isReadOnly { throw refusal }
      let isNew = state.connection?.isAlive != true
      let connection = try prepared(&state)
      do {
        return try body(connection)
      } catch let error as UnknownCommit {
        throw error.cause
      } catch let error as StoreError where !isNew && (error.cause as? ServerFailure)?.isLost == true {
        state.connection = nil
        return try body(prepared(&state))
      }
    }
  }

  private func prepared(_ state: inout State) throws -> ServerConnection {
    if let connection = state.connection, connection.isAlive {
      if !state.isPrepared { try prepare(connection) }
      state.isPrepared = true
      return connection
    }
    let connection = try ServerConnection(to: address, name: "Core Data writer")
    try prepare(connection)
    (state.connection, state.isPrepared) = (connection, true)
    return connection
  }

  /// A commit that the server has only in memory can be lost with it after others have seen it, and its number would be
  /// given again: so nobody may turn the flush off (invariants 5 and 6).
  private func prepare(_ connection: ServerConnection) throws {
    let milliseconds = Int64(min(max(timeout, 0) * 1_000, Double(Int32.max)))
    try connection.run(
      SQLStatement("SELECT set_config('lock_timeout', $1, false)", [.text("\(max(1, milliseconds))ms")]))
    guard try connection.run("SHOW synchronous_commit").text(0, 0) == "off" else { return }
    Diagnostics.warnOnce(
      "the server of '\(address)' has synchronous_commit = off, with which it may lose what was saved; this store's "
        + "commits wait for the disk all the same")
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
