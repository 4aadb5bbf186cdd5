import Foundation
import StrataRowStore
import Synchronization

/// The reading connections of a store. Each serves one thread at a time; who finds none waits while the greatest number
/// is open, as a server has few.
final class ConnectionPool: Sendable {
  private struct State: @unchecked Sendable {
    // Sendable: no thread uses an idle connection, and the lock passes it on.
    var idle: [ServerConnection] = []
    var isOpen = true
  }

  private let address: ServerAddress
  private let state = Mutex(State())
  private let permits: DispatchSemaphore
  private let maximumIdle: Int
  private let reconnectTimeout: Double

  /// - Parameters:
  ///   - maximum: the maximum number of connections.
  ///   - maximumIdle: the maximum number of connections that stay open when idle.
  ///   - reconnectTimeout: the seconds to wait for a server that cannot be reached.
  init(_ address: ServerAddress, maximum: Int, maximumIdle: Int, reconnectTimeout: Double) {
    (self.address, self.maximumIdle, self.reconnectTimeout) = (address, maximumIdle, reconnectTimeout)
    permits = DispatchSemaphore(value: maximum)
  }

  /// Reads on a connection, and again on a new one if it is lost: reading twice does no harm.
  func read<T>(_ body: (ServerConnection) throws -> T) throws -> T {
    permits.wait()
    defer { permits.signal() }
    var backoff = RetryBackoff(seconds: reconnectTimeout)
    var isNew = false
    while true {
      let connection = try checkOut(isNew: isNew, &backoff)
      do {
        defer { checkIn(connection) }
        return try body(connection)
      } catch let error as StoreError where error.isLostConnection && !connection.isAlive {
        // Those at rest are lost too, as a rule.
        guard !isNew || backoff.sleepBeforeRetry() else { throw error }
        isNew = true
      }
    }
  }

  private func checkOut(isNew: Bool, _ backoff: inout RetryBackoff) throws -> ServerConnection {
    let idle = try state.withLock { state -> ServerConnection? in
      guard state.isOpen else { throw closed }
      if isNew { state.idle = [] }
      return state.idle.popLast()
    }
    return try idle ?? ServerConnection(to: address, name: "Core Data reader", &backoff)
  }

  private func checkIn(_ connection: ServerConnection) {
    guard connection.isAlive, !connection.isInTransaction else { return }
    state.withLock { state in
      if state.isOpen, state.idle.count < maximumIdle { state.idle.append(connection) }
    }
  }

  func close() {
    // Closing them may take a while, so it is done outside the lock.
    let former = state.withLock { state in
      defer { state = State(idle: [], isOpen: false) }
      return state
    }
    withExtendedLifetime(former) {}
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  var closed: StoreError {
    StoreError(.notOpen, "The store '\(address)' was used after it was closed.")
  }
}
