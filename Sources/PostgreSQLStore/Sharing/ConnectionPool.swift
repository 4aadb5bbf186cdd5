import Foundation
import StrataPostgreSQLEngine
import StrataRowStore
import Synchronization

/// The reading connections of a store. Each serves one thread at a time; who finds none waits while the greatest number
/// is open, as a server has few.
final class ConnectionPool: Sendable {
  private struct State: @unchecked Sendable {
    // Sendable: a connection at rest is nobody's, and the lock passes it on.
    var atRest: [ServerConnection] = []
    var isOpen = true
  }

  private let address: ServerAddress
  private let state = Mutex(State())
  private let places: DispatchSemaphore
  private let mostAtRest: Int
  private let make: @Sendable () throws -> ServerConnection

  /// - Parameters:
  ///   - most: the maximum number of connections.
  ///   - mostAtRest: how many stay open while nobody reads.
  init(
    _ address: ServerAddress, most: Int, mostAtRest: Int, make: @escaping @Sendable () throws -> ServerConnection
  ) {
    (self.address, self.mostAtRest, self.make) = (address, mostAtRest, make)
    places = DispatchSemaphore(value: most)
  }

  /// Reads on a connection, and once more on a new one if the first is lost: reading twice does no harm.
  func read<T>(_ body: (ServerConnection) throws -> T) throws -> T {
    places.wait()
    defer { places.signal() }
    let (connection, isNew) = try checkOut()
    do {
      defer { checkIn(connection) }
      return try body(connection)
    } catch let error as StoreError
      where !isNew && !connection.isAlive && (error.cause as? ServerFailure)?.isLost == true
    {
      let (connection, _) = try checkOut(isNew: true)
      defer { checkIn(connection) }
      return try body(connection)
    }
  }

  private func checkOut(isNew: Bool = false) throws -> (ServerConnection, isNew: Bool) {
    let resting = try state.withLock { state -> ServerConnection? in
      guard state.isOpen else { throw closed }
      return isNew ? nil : state.atRest.popLast()
    }
    if let resting { return (resting, false) }
    return (try make(), true)
  }

  private func checkIn(_ connection: ServerConnection) {
    guard connection.isAlive, !connection.isInTransaction else { return }
    state.withLock { state in
      if state.isOpen, state.atRest.count < mostAtRest { state.atRest.append(connection) }
    }
  }

  func close() {
    let closed = state.withLock { state in
      defer { state = State(atRest: [], isOpen: false) }
      return state.atRest
    }
    _ = closed
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  var closed: StoreError {
    StoreError(.notOpen, "The store '\(address)' was asked something after it had been closed.")
  }
}
