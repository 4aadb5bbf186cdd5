import Foundation
import StrataTestSupport
import Testing

/// Concurrent fetch workers, and their end.
@Suite(.waitsForProcesses, .serialized) struct FetchWorkerTests {
  /// A feed of many events, some of which other feeds have too.
  private func feed(_ number: Int) -> String {
    let features = (number * 20..<number * 20 + 200).map { id in
      """
      {"type":"Feature","properties":{"mag":\(number),"place":"Chile","time":1397520000000,"updated":1397520000000},
      "geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"us\(id)"}
      """
    }
    return #"{"type":"FeatureCollection","metadata":{"generated":1},"features":["# + features.joined(separator: ",")
      + "]}"
  }

  @Test func `concurrent workers do not lose earthquakes`() throws {
    let home = try Home()
    let files = try (0..<8).map { try home.write("\($0).geojson", feed($0)) }
    let workers = try files.map { try Program("quakes-fetch", ["--once", $0], home: home.url) }
    for worker in workers { #expect(worker.status() == 0, "\(worker.errorText)") }
    let list = try Program("quakes", ["list", "--json", "--limit", "0"], home: home.url)
    #expect(list.status() == 0)
    let text = list.lines.joined()
    #expect((0..<340).allSatisfy { text.contains("\"us\($0)\"") })
  }

  @Test func `two concurrent workers store an earthquake with two IDs once`() throws {
    for _ in 0..<5 {
      let home = try Home()
      let workers = try ["us1", "ci1"].map { id in
        let file = try home.write(
          "\(id).geojson",
          """
          {"type":"FeatureCollection","metadata":{"generated":1},"features":[{"type":"Feature","properties":{"mag":5,
          "place":"Chile","time":1397520000000,"updated":1397520000000,"ids":",us1,ci1,"},
          "geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"\(id)"}]}
          """)
        return try Program("quakes-fetch", ["--once", file], home: home.url)
      }
      for worker in workers { #expect(worker.status() == 0, "\(worker.errorText)") }
      let list = try Program("quakes", ["list", "--ndjson"], home: home.url)
      #expect(list.status() == 0)
      #expect(list.lines.count == 1, "\(list.lines)")
    }
  }

  @Test func `an import that waits for another can be stopped`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed(1))
    let store = home.url.appendingPathComponent("store")
    try FileManager.default.createDirectory(
      at: store, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let lock = open(store.appendingPathComponent("quakes-import.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let worker = try Program("quakes-fetch", ["--once", "--store", store.path, file], home: home.url)
    let end = Date(timeIntervalSinceNow: 120)
    let path = "/proc/\(worker.identifier)/fd"
    func isWaiting() -> Bool {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return files.contains { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)")
        return target?.hasSuffix("import.lock") == true
      }
    }
    while !isWaiting(), Date() < end { usleep(5_000) }
    #expect(isWaiting())
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "as after each SIGTERM")
    #expect(worker.errorText.contains("nothing was imported"), "\(worker.errorText)")
  }

  @Test func `all paths to a store lead to the same worker`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed(1))
    let store = home.url.appendingPathComponent("store").path
    let link = home.url.appendingPathComponent("link").path
    let worker = try Program("quakes-fetch", ["--store", store, file], home: home.url)
    #expect(worker.wait { !$0.isEmpty }, "\(worker.errorText)")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    for path in [store, home.url.path + "/other/../store", link] {
      let second = try Program("quakes-fetch", ["--store", path, file], home: home.url)
      #expect(second.status() == 75)
      #expect(second.errorText.contains("process \(worker.identifier) already fetches"), "\(second.errorText)")
      let status = try Program("quakes", ["workers", "status", "--store", path], home: home.url)
      #expect(status.status() == 0)
      #expect(status.lines.first?.contains("process \(worker.identifier)") == true, "\(status.lines)")
    }
    let stop = try Program("quakes", ["workers", "stop", "--store", link], home: home.url)
    #expect(stop.status() == 0 && worker.status() == 0)
    let status = try Program("quakes", ["workers", "status", "--store", store], home: home.url)
    #expect(status.status() == 3)
  }

  @Test func `the death of a worker is reported immediately`() throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed(1))
    func output(_ arguments: [String]) throws -> String {
      let program = try Program("quakes", arguments, home: home.url)
      #expect(program.status() != nil)
      return program.errorText + program.lines.joined(separator: "\n")
    }
    let worker = try Program("quakes-fetch", [file], home: home.url)
    #expect(worker.wait { !$0.isEmpty }, "\(worker.errorText)")
    #expect(try !output(["list"]).contains("died"))
    worker.signal(SIGKILL)
    #expect(worker.status() == -SIGKILL)
    for command in [["list"], ["changes"], ["workers", "status"], ["doctor"]] {
      let text = try output(command)
      #expect(text.contains("died (process \(worker.identifier))"), "\(command): \(text)")
    }
    let next = try Program("quakes-fetch", [file], home: home.url)
    #expect(next.wait { !$0.isEmpty }, "\(next.errorText)")
    #expect(try !output(["list"]).contains("died"))
    next.signal(SIGTERM)
    #expect(next.status() == 0)
    #expect(try !output(["list"]).contains("died"))
    // `workers stop` clears the record of a dead worker.
    let last = try Program("quakes-fetch", [file], home: home.url)
    #expect(last.wait { !$0.isEmpty }, "\(last.errorText)")
    last.signal(SIGKILL)
    #expect(last.status() == -SIGKILL)
    #expect(try output(["list"]).contains("died") && output(["workers", "stop"]).contains("not running"))
    #expect(try !output(["list"]).contains("died"))
  }

  /// A service that accepts connections and never responds. `accept` blocks until a connection arrives.
  private struct SilentService: ~Copyable {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port: UInt16

    init() {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = bind(descriptor, pointer, size)
          _ = listen(descriptor, 8)
          _ = getsockname(descriptor, pointer, &size)
        }
      }
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
  }

  @Test func `a signal ends a transfer immediately`() throws {
    let home = try Home()
    let service = SilentService()
    let worker = try Program("quakes-fetch", ["http://127.0.0.1:\(service.port)/feed"], home: home.url)
    let connection = accept(service.descriptor, nil, nil)
    defer { close(connection) }
    let start = ContinuousClock.now
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
    #expect(worker.errorText == "")
    // Far below the transfer's own limit of a minute, with room for a busy machine.
    #expect(ContinuousClock.now - start < .seconds(50))
  }

  @Test func `an idle worker does not wake up`() async throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed(1))
    let worker = try Program("quakes-fetch", ["--interval", "3600", file], home: home.url)
    #expect(worker.wait { !$0.isEmpty }, "\(worker.errorText)")
    let wakeUps = { try Program.switches(of: worker.identifier).values.reduce(0, +) }
    // The worker becomes idle once the import has ended, unless a thread wakes every second.
    var counts: [Int] = []
    for _ in 0..<40 {
      let before = try wakeUps()
      try await Task.sleep(for: .seconds(3))
      counts.append(try wakeUps() - before)
      if counts.last == 0 { break }
    }
    #expect(counts.last == 0, "\(counts)")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
  }
}
