import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataSQLText
import Synchronization
import Testing

/// Listeners receive every notification, immediately or after a reconnection.
@Suite struct ServerListenerTests {
  private final class Calls: Sendable {
    let count = Atomic(0)

    func reached(_ number: Int) -> Bool {
      for _ in 0..<600_000 {
        if count.load(ordering: .acquiring) >= number { return true }
        usleep(1_000)
      }
      return false
    }
  }

  let server: PostgreSQLServer
  let connection: ServerConnection

  init() throws {
    server = try PostgreSQLServer.shared.get()
    connection = try server.connect()
  }

  private var channel: String { connection.address.schema }

  private func listener(_ calls: Calls) throws -> ServerListener {
    try ServerListener(to: channel, at: connection.address) { calls.count.add(1, ordering: .acquiringAndReleasing) }
  }

  private func notify() throws { try connection.run(SQLStatement("SELECT pg_notify($1, '')", [.text(channel)])) }

  @Test func `a notification arrives after its commit`() throws {
    let calls = Calls()
    let listener = try listener(calls)
    try connection.transaction(.writing) {
      try notify()
      usleep(50_000)
      #expect(calls.count.load(ordering: .acquiring) == 0)
    }
    #expect(calls.reached(1))
    listener.cancel()
    try notify()
    usleep(50_000)
    #expect(calls.count.load(ordering: .acquiring) == 1)
  }

  @Test func `a lost connection is replaced and reported`() throws {
    let calls = Calls()
    let listener = try listener(calls)
    defer { listener.cancel() }
    let victims: SQLStatement = """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = \
      \(SQLStatement("$1", [.text("LISTEN \(ServerConnection.quoted(channel))")]))
      """
    #expect(try connection.run(victims).rows == [[.integer(1)]])
    // The listener reports the reconnection, because notifications may have been missed.
    #expect(calls.reached(1))
    try notify()
    #expect(calls.reached(2))
  }

  @Test func `an idle listener sleeps`() throws {
    let calls = Calls()
    let listener = try listener(calls)
    defer { listener.cancel() }
    func switches() throws -> Int {
      let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      for task in tasks {
        let folder = "/proc/self/task/\(task)"
        // Threads of other tests may have ended.
        let name = try? String(contentsOfFile: "\(folder)/comm", encoding: .utf8)
        guard name?.hasPrefix(channel) == true else { continue }
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
      }
      return -1
    }
    usleep(100_000)
    let before = try switches()
    usleep(500_000)
    let after = try switches()
    #expect(before > 0 && after == before)
  }
}
