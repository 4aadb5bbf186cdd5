import Foundation
import Glibc
import StrataCPostgreSQL
import StrataRowStore
import Synchronization

/// Calls a handler when a channel may have been notified, on a connection that does nothing else. It sleeps until the
/// server wakes it: an idle listener costs nothing.
///
/// Notifications that were sent while the connection was lost are not delivered, so the handler is called after each
/// reconnection too (invariant 4). See https://www.postgresql.org/docs/current/sql-listen.html
package final class ServerListener: Sendable {
  private let address: ServerAddress
  private let channel: String
  private let onNotify: @Sendable () -> Void
  private let isCancelled = Atomic(false)
  /// A pipe that ends the thread's sleep when it is written to.
  private let wakeup: (reading: Int32, writing: Int32)

  /// Milliseconds before the first attempt to connect again, which double up to the last.
  private static let (firstDelay, lastDelay): (Int32, Int32) = (20, 5_000)

  /// Listens once this returns: read afterwards, and nothing is missed. If the server cannot be reached at the moment, it
  /// listens, and calls the handler, once it can.
  /// - Parameter onNotify: is called on a thread of the listener's, once for any number of notifications. It must not
  ///   block.
  package init(to channel: String, at address: ServerAddress, onNotify: @escaping @Sendable () -> Void) throws {
    (self.address, self.channel, self.onNotify) = (address, channel, onNotify)
    var connection: ServerConnection?
    do {
      connection = try Self.connect(address, channel)
    } catch let error as StoreError where error.isLostConnection {
      // The thread retries.
    }
    var ends: [Int32] = [-1, -1]
    let isMade = pipe(&ends) == 0
    for end in ends where isMade { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeup = (ends[0], ends[1])
    guard isMade else {
      throw StoreError(
        .io, "Cannot listen to the store '\(address)': \(String(cString: strerror(errno))). Close some files.")
    }
    let held = HeldConnection(connection)
    let thread = Thread { [self] in run(held) }
    thread.start()
  }

  /// Passes a connection to the thread.
  private final class HeldConnection: @unchecked Sendable {
    // Sendable: used by the thread alone once it runs.
    var connection: ServerConnection?

    init(_ connection: ServerConnection?) { self.connection = connection }
  }

  /// Ends listening: after this returns no call of the handler begins, except one already under way.
  package func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = write(wakeup.writing, [1], 1)
  }

  private static func connect(_ address: ServerAddress, _ channel: String) throws -> ServerConnection {
    let connection = try ServerConnection(to: address, name: "Core Data listener")
    try connection.run("LISTEN \(ServerConnection.quoted(channel))")
    return connection
  }

  /// The thread keeps the listener alive until it is canceled.
  private func run(_ held: HeldConnection) {
    // A name for `top`, debuggers and tests.
    try? Data(channel.utf8).write(to: URL(fileURLWithPath: "/proc/thread-self/comm"))
    while !isCancelled.load(ordering: .acquiring) {
      if let connection = held.connection {
        if wait(on: connection) { notify() }
        if !connection.isAlive { held.connection = nil }
      } else {
        held.connection = reconnected()
        // Notifications may have been missed while the connection was lost.
        if held.connection != nil { notify() }
      }
    }
  }

  // The thread has ended and no longer sleeps on the pipe.
  deinit { for end in [wakeup.reading, wakeup.writing] where end >= 0 { close(end) } }

  private func notify() { if !isCancelled.load(ordering: .acquiring) { onNotify() } }

  /// Sleeps until the server sends something, the connection is lost, or the listener is canceled.
  /// - Returns: whether there was a notification.
  private func wait(on connection: ServerConnection) -> Bool {
    var isNotified = false
    // They may have come with the result of LISTEN.
    while let notification = PQnotifies(connection.handle) {
      PQfreemem(notification)
      isNotified = true
    }
    if isNotified { return true }
    var ready = [
      pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&ready, 2, -1) > 0, ready[0].revents != 0 else { return false }
    PQconsumeInput(connection.handle)
    return false
  }

  private func reconnected() -> ServerConnection? {
    var delay = Self.firstDelay
    while true {
      var ready = pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, delay)
      guard !isCancelled.load(ordering: .acquiring) else { return nil }
      if let connection = try? Self.connect(address, channel) { return connection }
      delay = min(delay * 2, Self.lastDelay)
    }
  }
}
