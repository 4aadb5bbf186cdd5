import Foundation
import Testing

struct StatusServerTests {
  private let home: TemporaryFolder
  private var store: String { home.url.appendingPathComponent("Machines.sqlite").path }

  init() throws { home = try TemporaryFolder() }

  @Test func `concurrent reports create each machine once`() async throws {
    let lines = (0..<400).map { "machine\(10 + $0 % 20) status\($0)" }.joined(separator: "\n")
    let server = try Program("status-server", [store], home: home, input: lines)
    #expect(await server.status() == 0)
    let answers = ["ready"] + Array(repeating: "ok", count: 400)
    #expect(server.lines == answers + (10..<30).map { "machine\($0) has 20 reports" })
    // A second run, with existing machines.
    let again = try Program("status-server", [store], home: home, input: lines)
    #expect(await again.status() == 0)
    #expect(again.lines == answers + (10..<30).map { "machine\($0) has 40 reports" })
  }

  @Test func `a bad request gets a response`() async throws {
    let server = try Program("status-server", [store], home: home, input: "pluto\npluto up\n")
    #expect(await server.status() == 0)
    #expect(server.lines.sorted() == ["bad request", "ok", "pluto has 1 reports", "ready"])
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `accepted reports are finished after a signal`(signal: Int32) async throws {
    let input = Pipe()
    let server = try Program("status-server", [store], home: home, input: input)
    func send(_ count: Int) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(String(repeating: "pluto up\n", count: count).utf8))
    }
    try send(20)
    #expect(await eventually { server.lines.filter { $0 == "ok" }.count == 20 })
    try send(300)
    server.signal(signal)
    #expect(await server.status() == 0)
    let served = server.lines.filter { $0 == "ok" }.count
    #expect(server.lines == ["ready"] + Array(repeating: "ok", count: served) + ["pluto has \(served) reports"])
    // The store was closed, which checkpointed the log.
    #expect(!FileManager.default.fileExists(atPath: store + "-wal"))
  }
}
