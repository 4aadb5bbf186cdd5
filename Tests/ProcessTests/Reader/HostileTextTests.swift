import Foundation
import StrataTestSupport
import Testing

/// Text of feeds and users, which the programs print without control characters.
@Suite(.waitsForProcesses) struct HostileTextTests {
  private static let id = "us1\\u001b[2J\\nquakes: forged"
  private static let place =
    "A\\u001b]0;x\\u0007\\u009b2J\\r\\nquakes: forged\\u202e\\u2066\\u2028B\\u200b\\ufeff\\udb40\\udc41"

  /// Text that a person may type or paste.
  private static let typed = "t\u{1B}[2J\u{202E}\u{9B}\r\nquakes: forged"

  private func feed(magnitude: Double) -> String {
    let now = Int(Date().timeIntervalSince1970)
    return """
      {"type":"FeatureCollection","metadata":{"generated":\(now * 1_000)},"features":[{"type":"Feature","properties":{
      "mag":\(magnitude),"magType":"\(Self.place)","place":"\(Self.place)","time":\((now - 720) * 1_000),
      "updated":\(now * 1_000),"status":"\(Self.place)","type":"\(Self.place)","net":"us","code":"\(Self.place)",
      "alert":"\(Self.place)","url":"https://example.org/\(Self.place)","title":"\(Self.place)"},
      "geometry":{"type":"Point","coordinates":[-174.5,-21.2,35.0]},"id":"\(Self.id)"}]}
      """.replacingOccurrences(of: "\n", with: "")
  }

  private func expectHarmless(_ program: Program, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for line in program.lines + program.errorText.components(separatedBy: "\n") {
      let bad = line.unicodeScalars.filter { scalar in
        scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || 0x200B...0x200F ~= scalar.value
          || 0x2028...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value || scalar.value == 0xFEFF
          || scalar.value >= 0xE0000
      }
      #expect(bad.isEmpty, "\(name): \(line.debugDescription)", sourceLocation: sourceLocation)
      #expect(!line.hasPrefix("quakes: forged"), "\(name): \(line)", sourceLocation: sourceLocation)
    }
  }

  @Test func `no command prints control characters from places or IDs`() throws {
    let home = try Home()
    let first = try home.write("first.geojson", feed(magnitude: 6.1))
    let second = try home.write("second\u{1B}[2J.geojson", feed(magnitude: 6.3))
    for file in [first, second] {
      let fetch = try Program("quakes-fetch", ["--once", file], home: home.url)
      #expect(fetch.status() == 0, "\(fetch.errorText)")
      expectHarmless(fetch, "fetch")
    }
    let id = "us1\u{1B}[2J\nquakes: forged"
    let store = home.url.appendingPathComponent("group.quakes/Quakes.sqlite").path
    let commands: [(String, [String], Int32)] = [
      ("quakes", ["list"], 0), ("quakes", ["list", "--json"], 0), ("quakes", ["changes"], 0),
      ("quakes", ["changes", "--json"], 0), ("quakes", ["workers", "status"], 3), ("quakes", ["show", id + "x"], 3),
      ("quakes", ["show", "--history", id], 0), ("quakes", ["show", "--json", "--history", id], 0),
      ("quakes", ["--\u{1B}[2J\u{9B}"], 2), ("quakes-summary", [], 0), ("quakes-summary", ["--\u{1B}[2J"], 2),
      ("quakes-summary", ["--as-of", "0m"], 0), ("quakes", ["place", "add", Self.typed, "-21,-174"], 0),
      ("quakes", ["note", id, Self.typed], 0), ("quakes", ["note", id], 0), ("quakes", ["star", id], 0),
      ("quakes", ["alert", "add", "a", "--near", Self.typed, "--exec", "/bin/echo", "{place}"], 0),
      ("quakes", ["alert", "list"], 0), ("quakes", ["alert", "test", "a", id], 0),
      ("quakes", ["alert", "remove", Self.typed], 3), ("quakes", ["place", "list"], 0),
      ("quakes", ["place", "list", "--json"], 0), ("quakes", ["place", "remove", "x" + Self.typed], 3),
      ("quakes", ["list", "--template", "{id}|{place}|{title}|{url}|{type}|{note}\u{1B}"], 0),
      ("quakes", ["map", "--since", "1d"], 0), ("quakes", ["near", id], 0), ("quakes", ["aftershocks", id], 0),
      ("quakes", ["stats"], 0), ("quakes", ["stats", "--json"], 0), ("quakes", ["export"], 0),
      ("quakes", ["export", "--format", "csv"], 0), ("quakes", ["export", "--format", "ndjson"], 0),
      ("quakes", ["export", "--format", "quakeml"], 0), ("quakes", ["export", "--format", "kml"], 0),
      ("quakes", ["open", "--print", id], 0), ("quakes", ["list", "--type", Self.typed], 0),
      ("quakes", ["doctor"], 0), ("quakes", ["doctor", "--json"], 0), ("quakes", [Self.typed], 2),
      ("quakes", ["import", "/no/" + Self.typed], 6), ("quakes", ["config", "--config", "/no/" + Self.typed], 78),
      ("quakes", ["idle", "--timeout", "0", "--after", Self.typed], 2), ("quakes", ["idle", "--timeout", "0"], 1),
      ("quakes", ["---completion", "show", "--", "positional@0", "2", "2", "quakes", "show", "us"], 0),
      ("quakes-fetch", ["join"], 0), ("quakes-fetch", ["--once", "/no/" + Self.typed], 6),
      ("quakes-fetch", ["check", "--service", "http://127.0.0.1:1/", id], 5),
      ("coredata", ["store", "history", store], 0), ("coredata", ["store", "info", store], 0),
    ]
    for (name, arguments, status) in commands.sampled(every: 2) {
      let program = try Program(name, arguments, home: home.url)
      let found = program.status()
      #expect(found == status || arguments.contains(id), "\(name) \(arguments): \(program.errorText)")
      expectHarmless(program, "\(name) \(arguments)")
    }
    let watch = try Program("quakes", ["watch"], home: home.url)
    #expect(watch.wait { $0.count > 1 }, "\(watch.errorText)")
    watch.signal(SIGTERM)
    _ = watch.status()
    expectHarmless(watch, "watch")
  }

  @Test func `a backfill does not print raw text of its service`() throws {
    let home = try Home()
    let times = "starttime=2014-04-15T00:00:00&endtime=2014-04-16T00:00:00"
    let error = #"{"type":"FeatureCollection","metadata":{"status":400,"error":"\#(Self.place)"},"features":[]}"#
    let ok = "HTTP/1.1 200 OK\r\n\r\n"
    let query = "query?\(times)&format=geojson&orderby=time-asc&limit=20000"
    let server = RawServer([
      "/words/count?\(times)": .init("\(ok)1\u{1B}[2J\u{202E}\nquakes: forged"),
      "/lists/count?\(times)": .init("HTTP/1.1 404 \u{1B}[2J\r\n\r\n"),
      "/lists/\(query)": .init("\(ok)\(feed(magnitude: 6))"), "/errors/count?\(times)": .init("\(ok)1"),
      "/errors/\(query)": .init("\(ok)\(error)"),
    ])
    let cases: [(service: String, status: Int32)] = [
      ("\(server.base)/words", 6), ("\(server.base)/lists", 0), ("\(server.base)/errors", 6),
      ("\(server.base)/\(Self.typed)", 2), (Self.typed, 2),
    ]
    for (service, status) in cases {
      let arguments = ["backfill", "--since", "2014-04-15", "--until", "2014-04-16", "--service", service]
      let backfill = try Program("quakes-fetch", arguments, home: home.url)
      #expect(backfill.status() == status, "\(service): \(backfill.errorText)")
      expectHarmless(backfill, service)
    }
    let typed = try Program("quakes-fetch", ["backfill", "--since", Self.typed, "--until", "1d"], home: home.url)
    #expect(typed.status() == 2)
    expectHarmless(typed, "since")
  }

  @Test func `an error of a service is printed without control characters`() throws {
    let home = try Home()
    let file = try home.write(
      "error.geojson",
      #"{"type":"FeatureCollection","metadata":{"status":400,"error":"\#(Self.place)"},"features":[]}"#)
    let worker = try Program("quakes-fetch", [file], home: home.url)
    // Once the status shows the error, it is in the store.
    let runStatus = { try Program("quakes", ["workers", "status"], home: home.url) }
    var status = try runStatus()
    while status.status() != nil, !status.lines.contains(where: { $0.contains("400") }) { status = try runStatus() }
    expectHarmless(status, "status")
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
    #expect(!worker.errorText.isEmpty)
    expectHarmless(worker, "fetch")
    for arguments in [["workers", "status"], ["list"], ["doctor"], ["idle", "--timeout", "0"]] {
      let program = try Program("quakes", arguments, home: home.url)
      #expect(program.status() != nil)
      expectHarmless(program, "\(arguments)")
    }
  }
}
