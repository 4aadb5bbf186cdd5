import FlyingFox
import Foundation
import StrataTestSupport
import Synchronization
import Testing

/// The fetch worker with a service that pushes its events through a WebSocket, such as the EMSC's.
@Suite(.waitsForProcesses, .serialized) struct StreamWorkerTests {
  /// Sends the messages of one list to each connection in turn, then closes it, but keeps the last.
  private final class Service: WSMessageHandler {
    private let rest: Mutex<[[String]]>
    /// Keeps the last connection open.
    private let last = Mutex<AsyncStream<WSMessage>.Continuation?>(nil)

    init(_ connections: [[String]]) { rest = Mutex(connections) }

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
      let (messages, isLast) = rest.withLock { ($0.isEmpty ? [] : $0.removeFirst(), $0.isEmpty) }
      return AsyncStream { continuation in
        for message in messages { continuation.yield(.text(message)) }
        if isLast {
          last.withLock { $0 = continuation }
        } else {
          continuation.yield(.close(.goingAway))
          continuation.finish()
        }
      }
    }
  }

  private static func message(_ id: String, action: String = "create", magnitude: Double = 4.5) -> String {
    """
    {"action":"\(action)","data":{"type":"Feature","geometry":{"type":"Point","coordinates":[28.5,40.1,-7.0]},
    "id":"\(id)","properties":{"lastupdate":"2021-07-21T10:0\(action == "create" ? 0 : 5):56.1Z",
    "time":"2021-07-21T09:45:07.0Z","flynn_region":"WESTERN TURKEY","lat":40.1,"lon":28.5,"depth":7.0,"evtype":"ke",
    "auth":"AFAD","mag":\(magnitude),"magtype":"ml","unid":"\(id)"}}}
    """
  }

  /// Serves the messages while the worker runs.
  ///
  /// - Parameter body: gets the worker and its address, and returns what it printed.
  private func withWorker(
    _ connections: [[String]], home: Home, _ body: @Sendable (Program, String) throws -> Void
  ) async throws -> (lines: [String], errors: String) {
    let server = HTTPServer(address: .loopback(port: 0), timeout: 600)
    await server.appendRoute("/events", to: .webSocket(Service(connections)))
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await server.waitUntilListening(timeout: 3600)
    guard case .ip6(_, let port) = await server.listeningAddress else {
      Issue.record("the server has no address")
      return ([], "")
    }
    let url = "ws://[::1]:\(port)/events"
    return try await onOwnThread {
      let worker = try Program("quakes-fetch", ["--interval", "1", url], home: home.url)
      try body(worker, url)
      worker.signal(SIGTERM)
      #expect(worker.status() == 0)
      return (worker.lines, worker.errorText)
    }
  }

  private func list(_ home: Home, _ fields: String) async throws -> String {
    try await onOwnThread {
      let program = try Program(
        "quakes", ["list", "--since", "2021-07-01", "--limit", "0", "--json", fields], home: home.url)
      #expect(program.status() == 0, "\(program.errorText)")
      return program.lines.joined()
    }
  }

  @Test func `the worker stores the events that a service pushes, and connects again`() async throws {
    let home = try Home()
    let messages = [
      [Self.message("20210721_1"), "no JSON", Self.message("20210721_1", action: "update", magnitude: 4.8)],
      [Self.message("20210721_2")],
    ]
    let (lines, errors) = try await withWorker(messages, home: home) { worker, url in
      #expect(worker.wait { $0.count { $0.contains("1 new") } == 2 }, "\(worker.lines) \(worker.errorText)")
      #expect(worker.lines.count { $0.contains("\(url): connected") } == 2, "\(worker.lines)")
    }
    #expect(lines.contains { $0.contains("1 changed") }, "\(lines)")
    #expect(errors.contains("is not a feed") && errors.contains("closed the connection (1001"), "\(errors)")
    let list = try await list(home, "id,mag")
    #expect(list.contains("emsc20210721_1") && list.contains("4.8") && list.contains("emsc20210721_2"), "\(list)")
  }

  @Test func `an older message does not overwrite a newer one`() async throws {
    let home = try Home()
    let messages = [
      Self.message("20210721_1", action: "update", magnitude: 4.8), Self.message("20210721_1"),
      Self.message("20210721_2", action: "delete"), Self.message("20210721_2"), Self.message("20210721_3"),
    ]
    _ = try await withWorker([messages], home: home) { worker, _ in
      #expect(worker.wait { $0.count { $0.contains("1 event:") } == 5 }, "\(worker.lines) \(worker.errorText)")
    }
    let list = try await list(home, "id,mag")
    #expect(list.contains(#"{"id":"emsc20210721_1","magnitude":4.8}"#) && !list.contains("20210721_2"), "\(list)")
  }

  /// More messages than the usual limit of open files.
  @Test func `a burst of messages is stored`() async throws {
    let home = try Home()
    let messages = (0..<1500).map { Self.message("20210721_\($0)") }
    let (lines, errors) = try await withWorker([messages], home: home) { worker, _ in
      #expect(worker.wait { $0.count { $0.contains("1 event:") } == 1500 }, "\(worker.errorText)")
    }
    #expect(errors.isEmpty && lines.count == 1501, "\(errors)")
  }

  @Test func `a service that sends no earthquakes is left`() async throws {
    let messages = Array(repeating: "no JSON", count: 1000)
    let (_, errors) = try await withWorker([messages, []], home: Home()) { worker, _ in
      #expect(worker.wait { $0.count { $0.contains("connected") } == 2 }, "\(worker.errorText)")
    }
    #expect(errors.contains("sends messages without earthquakes"), "\(errors)")
    #expect(errors.split(separator: "\n").count < 25, "\(errors)")
  }

  @Test func `a stream cannot be fetched once`() throws {
    let home = try Home()
    let worker = try Program("quakes-fetch", ["--once", "ws://127.0.0.1:1/events"], home: home.url)
    #expect(
      worker.status() == 2 && worker.errorText.contains("is a WebSocket, which has no end"), "\(worker.errorText)")
  }
}
