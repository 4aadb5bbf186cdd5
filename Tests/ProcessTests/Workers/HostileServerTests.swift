import Foundation
import Testing

/// Whatever a server sends: the worker says what was wrong, keeps what it had, and stays small.
@Suite(.serialized) struct HostileServerTests {
  typealias Answer = RawServer.Answer

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let place = #""properties":{"mag":5,"place":"Chile","time":1397520000000,"updated":1397520000000}"#
  private static func body(id: String = "us1") -> String {
    #"{"type":"FeatureCollection","metadata":{"generated":1},"features":[{"type":"Feature",\#(place),"#
      + #""geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"\#(id)"}]}"#
  }

  private static func whole(_ body: String, _ fields: String = "") -> Answer {
    Answer("\(ok)\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  private static func redirect(_ location: String) -> Answer {
    Answer("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
  }

  /// Answers from which nothing is stored, and what is told of them.
  private static let refused: [String: (answer: Answer, told: String)] = {
    let many = Data("X-Field: 0123456789012345678901234567890123456789\r\n".utf8)
    let tag = Data("ETag: \"01234567890123456789\"\r\n".utf8)
    let letters = Data(repeating: UInt8(ascii: "a"), count: 65_536)
    let body = Self.body()
    return [
      // Header fields.
      "fields": (Answer(ok, part: many, count: 100_000), "header"),
      "tags": (Answer(ok, part: tag, count: 50_000), "header"),
      "longfield": (Answer("\(ok)X: ", part: letters, count: 64), "too large"),
      "lengths": (Answer("\(ok)Content-Length: 5\r\nContent-Length: 7\r\n\r\n1234567"), ""),
      "toolong": (Answer("\(ok)Content-Length: 999999\r\n\r\n\(body)"), "reach"),
      "tooshort": (Answer("\(ok)Content-Length: 20\r\n\r\n\(body)"), ""),
      "negative": (Answer("\(ok)Content-Length: -5\r\n\r\n\(body)"), ""),
      "badchunk": (Answer("\(ok)Transfer-Encoding: chunked\r\n\r\n-1\r\n\(body)\r\n0\r\n\r\n"), "reach"),
      "hugechunk": (Answer("\(ok)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n\(body)"), "reach"),
      "gzip": (Answer("\(ok)Content-Encoding: gzip\r\n\r\n\(body)"), "reach"),
      "stacked": (
        Answer("\(ok)Content-Encoding: \(Array(repeating: "gzip", count: 20).joined(separator: ", "))\r\n\r\n\(body)"),
        "reach"
      ), "unknown": (Answer("\(ok)Content-Encoding: rot13\r\n\r\n\(body)"), "reach"),
      // Status lines and protocols.
      "old": (Answer(body), "HTTP/0.9"),
      "two": (Answer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP/0.9"),
      "nostatus": (Answer("HTTP/1.1 abc\r\n\r\n\(body)"), ""), "nothing": (Answer(""), "reach"),
      "reset": (Answer("", end: .resets), "reach"), "half": (Answer(ok), ""),
      "empty": (whole(""), ""), "none": (Answer("HTTP/1.1 204 No Content\r\n\r\n"), ""),
      "part": (Answer("HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\nabc"), "HTTP 206"),
      "limited": (
        Answer("HTTP/1.1 429 Too Many Requests\r\nRetry-After: -99999999999999999999\r\nContent-Length: 0\r\n\r\n"),
        "HTTP 429"
      ),
      "later": (
        Answer("HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n"), "HTTP 503"
      ), "odd": (Answer("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"), "HTTP 999"),
      "login": (whole("<!doctype html><html><body>Log in</body></html>", "Content-Type: text/html\r\n"), ""),
      // Redirects.
      "file": (redirect("file:///etc/passwd"), "file"), "ftp": (redirect("ftp://127.0.0.1/x"), "ftp"),
      "gopher": (redirect("gopher://127.0.0.1:1/x"), "gopher"), "dict": (redirect("dict://127.0.0.1:1/x"), "dict"),
      "script": (redirect("javascript:alert(1)"), "fetch"), "loop": (redirect("/loop"), "redirects more than 5 times"),
      // Bodies.
      "deep": (Answer("\(ok)\r\n", part: Data(repeating: UInt8(ascii: "["), count: 65_536), count: 16), ""),
      "deeper": (Answer("\(ok)\r\n{\"features\":", part: Data(#"{"a":"#.utf8), count: 200_000), ""),
      "string": (Answer("\(ok)\r\n{\"features\":[{\"id\":\"", part: letters, count: 300), ""),
      "endless": (Answer("\(ok)\r\n", part: letters, count: 1_100), "larger than 64 MB"),
    ]
  }()

  /// Answers that are odd, but have an earthquake.
  private static let taken: [String: Answer] = [
    "continues": Answer(
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000) + "\(ok)\r\n\(body(id: "us_continues"))"),
    "length": Answer("\(ok)Content-Length: 99999999999999999999\r\n\r\n\(body(id: "us_length"))"),
    "type": whole(body(id: "us_type"), "Content-Type: image/png\r\n"),
    "injected": whole(body(id: "us_injected"), "ETag: \"a\rX-Injected: b\"\r\nLast-Modified: \u{1}\r\n"),
    "cookie": whole(
      body(id: "us_cookie"), "Set-Cookie: a=b; Path=/\r\nStrict-Transport-Security: max-age=99999999\r\n"),
  ]

  /// Answers without an earthquake. Their entities are not expanded, and no other file is read.
  private static let withoutEvents: [String: Answer] = [
    "laughs": whole(
      "<?xml version=\"1.0\"?><!DOCTYPE q [<!ENTITY a0 \"ha\">"
        + (1..<40).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
        + "]><q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><x>&a39;</x></q:quakeml>"),
    "outside": whole(
      "<?xml version=\"1.0\"?><!DOCTYPE q [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
        + "<q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><x>&x;</x></q:quakeml>"),
  ]

  /// The most memory that a process has had, in kB, without its program's file, which is large in a debug build.
  private func highestMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func size(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return try #require(line.flatMap { Int($0.filter(\.isNumber)) }, "\(name)")
    }
    return try size("VmHWM") - size("RssFile")
  }

  @Test func theWorkerTellsWhatWasWrongAndGoesOn() throws {
    let home = try Home()
    let answers = Self.refused.mapValues(\.answer).merging(Self.taken) { answer, _ in answer }
      .merging(Self.withoutEvents) { answer, _ in answer }
    let server = RawServer(Dictionary(uniqueKeysWithValues: answers.map { ("/\($0.key)", $0.value) }))
    let names = answers.keys.sorted()
    let stored = Array(Self.taken.keys) + Array(Self.withoutEvents.keys)
    let worker = try Program(
      "quakes-fetch", ["--interval", "3600"] + names.map { "\(server.base)/\($0)" }, home: home.url)
    let isTold = { (name: String) in worker.errorText.contains("/\(name)") }
    let isTaken = { (lines: [String]) in
      stored.allSatisfy { name in lines.contains { $0.contains("/\(name): ") } }
    }
    #expect(
      worker.wait { isTaken($0) && Self.refused.keys.allSatisfy(isTold) },
      "not told: \(Self.refused.keys.filter { !isTold($0) }), \(worker.lines) \(worker.errorText)")
    for (name, told) in Self.refused.mapValues(\.told) where !told.isEmpty {
      let line = worker.errorText.split(separator: "\n").first { $0.contains("/\(name)") } ?? ""
      #expect(line.contains(told), "\(name): \(line)")
    }
    #expect(!worker.errorText.contains("root:"), "a local file was read")
    let memory = try highestMemory(of: worker.identifier)
    #expect(memory <= 40 << 10, "\(memory) kB")

    // It fetches again, without what a server smuggled into its tag.
    let before = server.received.count
    worker.signal(SIGUSR1)
    #expect(worker.wait { _ in server.received.count >= before + names.count })
    #expect(!server.received.contains { $0.contains("X-Injected") || $0.contains("Cookie") })
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
    let list = try Program("quakes", ["list", "--json", "--limit", "0"], home: home.url)
    #expect(list.status() == 0)
    for name in Self.taken.keys { #expect(list.lines.joined().contains("us_\(name)"), "\(name)") }
  }
}
