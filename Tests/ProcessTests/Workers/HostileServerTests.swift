import Foundation
import StrataTestSupport
import Testing

/// Whatever a server sends: the worker says what was wrong, keeps what it had, and stays small.
@Suite(.waitsForProcesses, .serialized) struct HostileServerTests {
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
  private static let refused = fields.merging(statuses) { first, _ in first }.merging(redirects) { first, _ in first }
    .merging(codings) { first, _ in first }.merging(bodies) { first, _ in first }

  /// How often what is repeated without end in an answer is repeated, as a factor: a sample is as much as is refused.
  private static let much = Thoroughness.repetitions(1, all: 5)

  private static let letters = Data(repeating: UInt8(ascii: "a"), count: 65_536)

  private static let fields: [String: (answer: Answer, told: String)] = {
    let many = Data("X-Field: 0123456789012345678901234567890123456789\r\n".utf8)
    let tag = Data("ETag: \"01234567890123456789\"\r\n".utf8)
    let body = Self.body()
    return [
      "fields": (Answer(ok, part: many, count: 20_000 * much), "more than 256 kB of header fields"),
      "tags": (Answer(ok, part: tag, count: 10_000 * much), "more than 256 kB of header fields"),
      "longfield": (Answer("\(ok)X: ", part: letters, count: 64), "too large"),
      "lengths": (Answer("\(ok)Content-Length: 5\r\nContent-Length: 7\r\n\r\n1234567"), "neither"),
      "toolong": (Answer("\(ok)Content-Length: 999999\r\n\r\n\(body)"), "remaining to read"),
      "tooshort": (Answer("\(ok)Content-Length: 20\r\n\r\n\(body)"), "is not a feed"),
      "negative": (Answer("\(ok)Content-Length: -5\r\n\r\n\(body)"), "negative"),
      "badchunk": (Answer("\(ok)Transfer-Encoding: chunked\r\n\r\n-1\r\n\(body)\r\n0\r\n\r\n"), "chunk"),
      "hugechunk": (Answer("\(ok)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n\(body)"), "chunk"),
    ]
  }()

  private static let statuses: [String: (answer: Answer, told: String)] = {
    var statuses: [String: (answer: Answer, told: String)] = [
      "old": (Answer(body()), "HTTP/0.9"), "two": (Answer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP/0.9"),
      "nostatus": (Answer("HTTP/1.1 abc\r\n\r\n\(body())"), "status"), "nothing": (Answer(""), "Empty reply"),
      "reset": (Answer("", end: .resets), "reset by peer"), "half": (Answer(ok), "is empty"),
      "empty": (whole(""), "is empty"), "none": (Answer("HTTP/1.1 204 No Content\r\n\r\n"), "is empty"),
      "login": (whole("<!doctype html><html><body>Log in</body></html>", "Content-Type: text/html\r\n"), "web page"),
    ]
    for status in [
      206, 300, 304, 400, 401, 403, 405, 406, 407, 408, 409, 410, 416, 418, 451, 500, 501, 502, 504, 511, 999,
    ] {
      let fields = "WWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 3\r\n\r\nabc"
      statuses["status\(status)"] = (Answer("HTTP/1.1 \(status) Odd\r\n\(fields)"), "HTTP \(status)")
    }
    let waits = [
      "-99999999999999999999", "99999999999999999999", "1e9", "soon", "", "\u{1}", "Fri, 31 Dec 9999 23:59:59 GMT",
      "Mon, 01 Jan 0001 00:00:00 GMT", String(repeating: "9", count: 5000),
    ]
    for (index, wait) in waits.enumerated() {
      statuses["wait\(index)"] = (
        Answer("HTTP/1.1 \(index % 2 == 0 ? 429 : 503) No\r\nRetry-After: \(wait)\r\nContent-Length: 0\r\n\r\n"),
        index % 2 == 0 ? "HTTP 429" : "HTTP 503"
      )
    }
    return statuses
  }()

  private static let redirects: [String: (answer: Answer, told: String)] = [
    "file": (redirect("file:///etc/passwd"), "\"file\""), "ftp": (redirect("ftp://127.0.0.1/x"), "\"ftp\""),
    "gopher": (redirect("gopher://127.0.0.1:1/x"), "\"gopher\""),
    "dict": (redirect("dict://127.0.0.1:1/x"), "\"dict\""),
    "scp": (redirect("scp://127.0.0.1/x"), "\"scp\""),
    "script": (redirect("javascript:alert(1)"), "redirects to an address"),
    "loop": (redirect("/loop"), "redirects more than 5 times"),
    "named": (redirect("http://root:secret@127.0.0.1:1/"), "redirects to an address"),
    "port": (redirect("http://127.0.0.1:99999/"), "redirects to an address"),
    "dead": (redirect("http://127.0.0.1:1/"), "port 1"), "nowhere": (redirect("http:///"), "redirects to an address"),
    "controls": (redirect("http://127.0.0.1\u{1}\u{7F}/"), "redirects to an address"),
    "longplace": (redirect("/" + String(repeating: "a", count: 60_000)), "Empty reply"),
  ]

  /// A gigabyte of zeros in the code of deflate: a zero, then pairs of 13 bits, each for 258 more, so that 13 bytes repeat.
  private static func bomb(_ coding: String, _ head: [UInt8]) -> Answer {
    let pair: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    let bits: [UInt8] = [0, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0] + (0..<16).flatMap { _ in pair }
    let bytes = (0..<15).map { index in (0..<8).reduce(UInt8(0)) { $0 | bits[index * 8 + $1] << $1 } }
    let part = Data((0..<5_000).flatMap { _ in bytes[2..<15] })
    var answer = Answer("\(ok)\(coding)\r\n\r\n", part: part, count: 100)
    answer.head += head + bytes[..<2]
    return answer
  }

  private static let codings: [String: (answer: Answer, told: String)] = {
    let body = Self.body()
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    // A frame of zstd with a window of 128 MB, which libcurl would take.
    let window = Answer("\(ok)Content-Encoding: zstd\r\n\r\n", part: Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x88]), count: 1)
    var codings: [String: (answer: Answer, told: String)] = [
      "gzip": (Answer("\(ok)Content-Encoding: gzip\r\n\r\n\(body)"), "unencoding"),
      "deflate": (Answer("\(ok)Content-Encoding: deflate\r\n\r\n\(body)"), "unencoding"),
      "stacked": (
        Answer("\(ok)Content-Encoding: \(Array(repeating: "gzip", count: 20).joined(separator: ", "))\r\n\r\n\(body)"),
        "encodings"
      ), "unknown": (Answer("\(ok)Content-Encoding: rot13\r\n\r\n\(body)"), "does not accept"),
      "brotli": (Answer("\(ok)Content-Encoding: br\r\n\r\n\(body)"), "does not accept"),
      "window": (window, "does not accept"),
      "transfer": (Answer("\(ok)Transfer-Encoding: gzip, chunked\r\n\r\n\(body)"), "does not accept"),
      "bomb": (bomb("Content-Encoding: gzip", gzip), "larger than 64 MB"),
    ]
    if Thoroughness.isFull {
      codings["bomb2"] = (bomb("Content-Encoding: deflate", [0x78, 0x9C]), "larger than 64 MB")
      codings["bomb3"] = (bomb("Content-Encoding: deflate", []), "larger than 64 MB")
    }
    return codings
  }()

  private static let quakeML = "<q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><eventParameters>"
  private static let event = "<event publicID=\"a/us1\"><origin>"

  private static let bodies: [String: (answer: Answer, told: String)] = {
    let feature = #"{"type":"Feature",\#(place),"geometry":{"coordinates":[1,2,3]}"#
    let list = "\(ok)\r\n{\"type\":\"FeatureCollection\",\"features\":["
    let table = "\(ok)\r\ntime,latitude,longitude,id"
    return [
      "deep": (Answer("\(ok)\r\n", part: Data(repeating: UInt8(ascii: "["), count: 65_536), count: 16), "64 deep"),
      "deeper": (Answer("\(ok)\r\n{\"features\":", part: Data(#"{"a":"#.utf8), count: 40_000 * much), "64 deep"),
      "deepest": (
        Answer(list, part: Data(#"{"type":"Feature","a":"#.utf8), count: 2_000), "nothing usable"
      ),
      "string": (Answer("\(list){\"id\":\"", part: letters, count: 60 * much), "nothing usable"),
      "name": (Answer("\(list){\"", part: letters, count: 32 * much, tail: Data("\":1}]}".utf8)), "nothing usable"),
      "endless": (Answer("\(ok)\r\n", part: letters, count: 1_100), "larger than 64 MB"),
      "nothings": (
        Answer(list, part: Data("{},".utf8), count: 20_000 * much, tail: Data("{}]}".utf8)), "nothing usable"
      ),
      "longid": (
        Answer("\(list)\(feature),\"id\":\"", part: letters, count: 16, tail: Data("\"}]}".utf8)), "nothing usable"
      ),
      "wide": (Answer("\(ok)\r\n", part: Data([0xFF, 0xFE, 0x7B, 0]), count: 1), "UTF-16"),
      "north": (whole(body().replacing("-20,", with: "91,")), "nothing usable"),
      "early": (whole(body().replacing("1397520000000", with: "-62135596800000")), "nothing usable"),
      "late": (whole(body().replacing("1397520000000", with: "8640000000000000")), "nothing usable"),
      "huge": (whole(body().replacing("1397520000000", with: "1e400")), "nothing usable"),
      "digits": (
        whole(body().replacing("-70,", with: String(repeating: "9", count: 400) + ",")), "nothing usable"
      ),
      "attributes": (
        Answer(
          "\(ok)\r\n\(quakeML)\(event)<x", part: Data(" a=\"b\"".utf8), count: 20_000 * much,
          tail: Data("/></origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "names": (
        Answer(
          "\(ok)\r\n\(quakeML)\(event)<x", part: Data((0..<4_000).map { " a\($0)=\"\"" }.joined().utf8),
          count: 2 * much,
          tail: Data("/></origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "elements": (
        Answer(
          "\(ok)\r\n\(quakeML)\(event)", part: Data("<a/>".utf8), count: 20_000 * much,
          tail: Data("</origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      // An error each.
      "ampersands": (
        Answer(
          "\(ok)\r\n\(quakeML)\(event)", part: Data(repeating: UInt8(ascii: "&"), count: 65_536), count: 20 * much,
          tail: Data("</origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "kml": (whole("<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>"), "its root is <kml>"),
      "columns": (Answer(table, part: Data(",x".utf8), count: 100_000 * much), "neither GeoJSON"),
      "values": (
        Answer("\(table)\n2020-01-01T00:00:00Z,1,2,us1", part: Data(",".utf8), count: 200_000 * much), "nothing usable"
      ), "quote": (Answer("\(table)\n\"", part: letters, count: 40 * much), "nothing usable"),
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

  /// In kB. A sanitizer keeps records of all memory, which nearly double it.
  private static let mostMemory = (Program.isSanitized ? 80 : 40) << 10
  /// The address sanitizer keeps what is freed for longer, 256 MB of it, unless it is told otherwise.
  private static let keepsLittle = Program.sanitizer["ASAN_OPTIONS"].map {
    ["ASAN_OPTIONS": "\($0) quarantine_size_mb=1 thread_local_quarantine_size_kb=16"]
  }

  /// The most memory that a process has had, in kB, without its program's file, which is large in a debug build.
  private func highestMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func size(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return try #require(line.flatMap { Int($0.filter(\.isNumber)) }, "\(name)")
    }
    return try size("VmHWM") - size("RssFile")
  }

  @Test func `the worker reports a bad answer and continues`() throws {
    let home = try Home()
    let answers = Self.refused.mapValues(\.answer).merging(Self.taken) { answer, _ in answer }
      .merging(Self.withoutEvents) { answer, _ in answer }
    let server = RawServer(Dictionary(uniqueKeysWithValues: answers.map { ("/\($0.key)", $0.value) }))
    let names = answers.keys.sorted()
    let stored = Array(Self.taken.keys) + Array(Self.withoutEvents.keys)
    let worker = try Program(
      "quakes-fetch", ["--interval", "3600"] + names.map { "\(server.base)/\($0)" }, home: home.url,
      variables: Self.keepsLittle ?? [:])
    let isTold = { (name: String) in worker.errorText.contains("/\(name)") }
    let isTaken = { (lines: [String]) in
      stored.allSatisfy { name in lines.contains { $0.contains("/\(name): ") } }
    }
    #expect(
      worker.wait { isTaken($0) && Self.refused.keys.allSatisfy(isTold) },
      "not told: \(Self.refused.keys.filter { !isTold($0) }), \(worker.lines) \(worker.errorText)")
    let lines = worker.errorText.split(separator: "\n")
    for (name, told) in Self.refused.mapValues(\.told) {
      #expect(
        lines.contains { $0.contains("/\(name)") && $0.contains(told) },
        "\(told): \(lines.filter { $0.contains("/\(name)") })")
    }
    #expect(!lines.contains { $0.utf8.count > 1_000 }, "a line is too long")
    #expect(!worker.errorText.contains("root:"), "a local file was read")
    let memory = try highestMemory(of: worker.identifier)
    #expect(memory <= Self.mostMemory, "\(memory) kB")

    // It fetches again, without what a server smuggled into its tag.
    worker.signal(SIGUSR1)
    #expect(worker.wait { _ in server.received.count { $0.hasPrefix("GET /injected ") } == 2 })
    #expect(!server.received.contains { $0.contains("X-Injected") || $0.contains("Cookie") })
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
    let list = try Program("quakes", ["list", "--json", "--limit", "0"], home: home.url)
    #expect(list.status() == 0)
    for name in Self.taken.keys { #expect(list.lines.joined().contains("us_\(name)"), "\(name)") }
  }
}
