import Foundation
import StrataTestSupport
import Testing

/// The duration of the run in seconds. 0 skips it.
let leakSeconds = Double(ProcessInfo.processInfo.environment["STRATA_LEAK_SECONDS"] ?? "") ?? 0

/// The memory of long-running programs. `sh Tests/leaks.sh` sets the duration.
@Suite(.waitsForProcesses, .enabled(if: leakSeconds > 0)) struct LeakTests {
  /// The maximum growth of a program, in kB.
  private static let maximumGrowth = 1024

  /// A feed whose earthquakes change, vanish and come back. After 20 rounds, others replace them, because services do
  /// not revise an earthquake forever. Every fourth response is invalid.
  private static func response(_ round: Int) -> RawServer.Response {
    let ok = "HTTP/1.1 200 OK\r\nETag: \"\(round)\"\r\n\r\n"
    let letters = Data(repeating: UInt8(ascii: "a"), count: 65_536)
    switch round % 24 {
    case 3: return .init(ok + "{\"features\":", part: Data("{\"a\":".utf8), count: 10_000)
    case 7: return .init(ok + "{\"type\":\"FeatureCollection\",\"features\":[{\"id\":\"", part: letters, count: 20)
    case 11: return .init("HTTP/1.1 503 No\r\nRetry-After: 0\r\n\r\n")
    case 15: return .init("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc", end: .resets)
    case 19:
      return .init(ok + "<q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><event><", part: letters, count: 9)
    case 23: return .init("HTTP/1.1 302 Found\r\nLocation: /feed\r\n\r\n")
    default: break
    }
    let now = Int(Date().timeIntervalSince1970) * 1000
    let features = (0..<50).filter { ($0 + round) % 7 != 0 }.map { id in
      #"{"type":"Feature","properties":{"mag":\#(Double((id + round) % 60) / 10),"place":"place \#(round % 9)","time":"#
        + #"\#(now / 3_600_000 * 3_600_000 - id * 60_000),"updated":\#(now),"type":"earthquake"},"#
        + #""geometry":{"type":"Point","coordinates":[\#(id),20,10]},"id":"us\#(round / 20 * 50 + id)"}"#
    }
    return .init(
      ok + #"{"type":"FeatureCollection","metadata":{"generated":\#(now),"status":200},"features":["#
        + features.joined(separator: ",") + "]}")
  }

  /// The size of a process's own memory in kB, without its files.
  private func memory(of process: Program) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process.identifier)/smaps_rollup", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
    return try #require(line.flatMap { Int($0.filter(\.isNumber)) })
  }

  @Test func `long-running programs do not grow`() throws {
    let home = try Home()
    let server = RawServer(["/feed": Self.response(0)])
    let worker = try Program("quakes-fetch", ["--interval", "1", "\(server.base)/feed"], home: home.url)
    #expect(worker.wait { !$0.isEmpty }, "\(worker.errorText)")
    let programs = [
      ("quakes-fetch", worker), ("quakes watch", try Program("quakes", ["watch"], home: home.url)),
      ("quakes idle --loop", try Program("quakes", ["idle", "--loop"], home: home.url)),
      ("quakes-summary --follow", try Program("quakes-summary", ["--follow"], home: home.url)),
    ]
    let start = Date()
    var round = 1
    /// - Returns: The minimum memory of each program, because a body that is read takes some for a moment.
    func serve(until end: Date, pause: TimeInterval) throws -> [Int] {
      var minimum = programs.map { _ in Int.max }
      while Date() < end {
        server.respond(to: "/feed", with: Self.response(round))
        round += 1
        // A failure makes the worker wait longer.
        worker.signal(SIGUSR1)
        Thread.sleep(forTimeInterval: pause)
        minimum = try zip(minimum, programs).map { min($0, try memory(of: $1.1)) }
      }
      return minimum
    }
    // The page caches of SQLite have 2 MB each, and are full after some 700 feeds.
    let warm = min(120, leakSeconds / 3)
    _ = try serve(until: start + warm, pause: 0.05)
    let first = try serve(until: start + warm + (leakSeconds - warm) / 6, pause: 1)
    _ = try serve(until: start + leakSeconds - (leakSeconds - warm) / 6, pause: 1)
    let last = try serve(until: start + leakSeconds, pause: 1)
    for ((name, program), (before, after)) in zip(programs, zip(first, last)) {
      print("\(name): \(before) kB, then \(after) kB after \(round) feeds; \(program.lines.count) lines")
      #expect(after - before < Self.maximumGrowth, "\(name) grew by \(after - before) kB")
      program.signal(SIGTERM)
      #expect(program.status() != nil)
    }
  }
}
