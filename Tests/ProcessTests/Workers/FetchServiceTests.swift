import Foundation
import StrataTestSupport
import Testing

/// The fetch worker as a service: its notifications to the service manager, and its response to signals.
@Suite(.waitsForProcesses, .serialized) struct FetchServiceTests {
  private func feed(_ identifier: String) -> String {
    """
    {"type":"FeatureCollection","metadata":{"generated":1},"features":[
    {"type":"Feature","properties":{"mag":1,"place":"Chile","time":1397520000000,"updated":1397520000000},
    "geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"\(identifier)"}]}
    """
  }

  /// The service manager's end of the notification socket.
  private final class Manager {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    private(set) var received: [String] = []

    /// - Parameter name: A path, or an abstract name with `@`.
    init(_ name: String) {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { path in
        path.copyBytes(from: name.utf8.prefix(path.count - 1))
        if name.hasPrefix("@") { path[0] = 0 }
      }
      let size = socklen_t(2 + name.utf8.count)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
      #expect(result == 0)
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Receives until a message begins with the text, and returns it, or nil after a minute without messages.
    func next(_ text: String) -> String? {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return nil }
        let message = String(decoding: buffer[..<count], as: UTF8.self)
        received.append(message)
        if message.hasPrefix(text) { return message }
      }
    }
  }

  @Test func `the service manager is notified of each step`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed("us1"))
    for name in [home.url.appendingPathComponent("notify").path, "@\(UUID().uuidString)"] {
      let manager = Manager(name)
      let worker = try Program(
        "quakes-fetch", ["--daemon", "--interval", "3600", file], home: home.url,
        variables: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "200000"])
      #expect(manager.next("READY=1") != nil, "\(worker.errorText)")
      #expect(manager.next("STATUS=1 feed; \(file): 1 event:") != nil)
      for _ in 0..<3 { #expect(manager.next("WATCHDOG=1") != nil) }
      worker.signal(SIGHUP)
      #expect(manager.next("RELOADING=1\nMONOTONIC_USEC=") != nil)
      #expect(manager.next("READY=1") != nil)
      worker.signal(SIGTERM)
      #expect(manager.next("STOPPING=1") != nil)
      #expect(worker.status() == 0, "\(worker.errorText)")
    }
  }

  @Test func `the watchdog of another process is not notified`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed("us1"))
    let manager = Manager(home.url.appendingPathComponent("notify").path)
    let worker = try Program(
      "quakes-fetch", ["--daemon", "--interval", "1", file], home: home.url,
      variables: [
        "NOTIFY_SOCKET": home.url.appendingPathComponent("notify").path, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1",
      ])
    #expect(worker.wait { $0.count > 1 }, "\(worker.errorText)")
    worker.signal(SIGTERM)
    #expect(manager.next("STOPPING=1") != nil)
    #expect(!manager.received.contains("WATCHDOG=1"))
  }

  @Test func `lines have a timestamp and SIGUSR1 starts a fetch`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed("us1"))
    let worker = try Program("quakes-fetch", ["--interval", "3600", file], home: home.url)
    #expect(worker.wait { $0.contains { $0.contains("1 new") } }, "\(worker.errorText)")
    _ = try home.write("feed.geojson", feed("us2"))
    worker.signal(SIGUSR1)
    #expect(worker.wait { $0.count == 2 && $0[1].contains("1 new") }, "\(worker.lines)")
    #expect(worker.lines.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ .*/) != nil })
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
  }

  @Test func `SIGHUP reopens the log`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed("us1"))
    let start = try Program("quakes", ["workers", "start", "--", "--interval", "3600", file], home: home.url)
    #expect(start.status() == 0, "\(start.errorText)")
    let line = try #require(start.lines.first)
    let match = try #require(line.firstMatch(of: /process (\d+)\); it writes to (.*)/))
    let (process, log) = (try #require(pid_t(match.1)), String(match.2))
    defer { kill(process, SIGKILL) }
    let old = log + ".1"
    try FileManager.default.moveItem(atPath: log, toPath: old)
    kill(process, SIGHUP)
    // A file appears a moment before its first line does.
    let text = { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
    #expect(start.wait { _ in text().contains("reloaded") }, "\(text())")
    let stop = try Program("quakes", ["workers", "stop"], home: home.url)
    #expect(stop.status() == 0, "\(stop.errorText)")
  }
}
