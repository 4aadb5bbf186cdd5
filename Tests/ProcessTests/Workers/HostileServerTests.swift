import Foundation
import StrataTestSupport
import Testing

/// Invalid responses. The worker reports each problem, keeps its data, and does not use much memory.
@Suite(.waitsForProcesses, .serialized) struct HostileServerTests {
  typealias Response = RawServer.Response

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let place = #""properties":{"mag":5,"place":"Chile","time":1397520000000,"updated":1397520000000}"#
  private static func body(id: String = "us1") -> String {
    #"{"type":"FeatureCollection","metadata":{"generated":1},"features":[{"type":"Feature",\#(place),"#
      + #""geometry":{"type":"Point","coordinates":[-70,-20,10]},"id":"\#(id)"}]}"#
  }

  private static func whole(_ body: String, _ fields: String = "") -> Response {
    Response("\(ok)\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  private static func redirect(_ location: String) -> Response {
    Response("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
  }

  /// Responses from which nothing is stored, with their error messages.
  private static let refused = fields.merging(statuses) { first, _ in first }.merging(redirects) { first, _ in first }
    .merging(codings) { first, _ in first }.merging(bodies) { first, _ in first }

  /// The factor of the repetitions in endless responses. In a sample, they are just long enough to be refused.
  private static let repetitionFactor = Thoroughness.repetitions(1, all: 5)

  private static let letters = Data(repeating: UInt8(ascii: "a"), count: 65_536)

  private static let fields: [String: (response: Response, message: String)] = {
    let many = Data("X-Field: 0123456789012345678901234567890123456789\r\n".utf8)
    let tag = Data("ETag: \"01234567890123456789\"\r\n".utf8)
    let body = Self.body()
    return [
      "fields": (Response(ok, part: many, count: 20_000 * repetitionFactor), "more than 256 kB of header fields"),
      "tags": (Response(ok, part: tag, count: 10_000 * repetitionFactor), "more than 256 kB of header fields"),
      "longfield": (Response("\(ok)X: ", part: letters, count: 64), "too large"),
      "lengths": (Response("\(ok)Content-Length: 5\r\nContent-Length: 7\r\n\r\n1234567"), "not in a format"),
      "toolong": (Response("\(ok)Content-Length: 999999\r\n\r\n\(body)"), "remaining to read"),
      "tooshort": (Response("\(ok)Content-Length: 20\r\n\r\n\(body)"), "is not a feed"),
      "negative": (Response("\(ok)Content-Length: -5\r\n\r\n\(body)"), "negative"),
      "badchunk": (Response("\(ok)Transfer-Encoding: chunked\r\n\r\n-1\r\n\(body)\r\n0\r\n\r\n"), "chunk"),
      "hugechunk": (Response("\(ok)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n\(body)"), "chunk"),
    ]
  }()

  private static let statuses: [String: (response: Response, message: String)] = {
    var statuses: [String: (response: Response, message: String)] = [
      "old": (Response(body()), "HTTP/0.9"), "two": (Response("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP/0.9"),
      "nostatus": (Response("HTTP/1.1 abc\r\n\r\n\(body())"), "status"), "nothing": (Response(""), "Empty reply"),
      "reset": (Response("", end: .resets), "reset by peer"), "half": (Response(ok), "is empty"),
      "empty": (whole(""), "is empty"), "none": (Response("HTTP/1.1 204 No Content\r\n\r\n"), "is empty"),
      "login": (whole("<!doctype html><html><body>Log in</body></html>", "Content-Type: text/html\r\n"), "web page"),
    ]
    for status in [
      206, 300, 304, 400, 401, 403, 405, 406, 407, 408, 409, 410, 416, 418, 451, 500, 501, 502, 504, 511, 999,
    ] {
      let fields = "WWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 3\r\n\r\nabc"
      statuses["status\(status)"] = (Response("HTTP/1.1 \(status) Odd\r\n\(fields)"), "HTTP \(status)")
    }
    let waits = [
      "-99999999999999999999", "99999999999999999999", "1e9", "soon", "", "\u{1}", "Fri, 31 Dec 9999 23:59:59 GMT",
      "Mon, 01 Jan 0001 00:00:00 GMT", String(repeating: "9", count: 5000),
    ]
    for (index, wait) in waits.enumerated() {
      statuses["wait\(index)"] = (
        Response("HTTP/1.1 \(index % 2 == 0 ? 429 : 503) No\r\nRetry-After: \(wait)\r\nContent-Length: 0\r\n\r\n"),
        index % 2 == 0 ? "HTTP 429" : "HTTP 503"
      )
    }
    return statuses
  }()

  private static let redirects: [String: (response: Response, message: String)] = [
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

  /// A gigabyte of zeros, compressed by deflate: a zero, then codes of 13 bits for 258 more zeros each, so that 13 bytes
  /// repeat.
  private static func bomb(_ coding: String, _ head: [UInt8]) -> Response {
    let pair: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    let bits: [UInt8] = [0, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0] + (0..<16).flatMap { _ in pair }
    let bytes = (0..<15).map { index in (0..<8).reduce(UInt8(0)) { $0 | bits[index * 8 + $1] << $1 } }
    let part = Data((0..<5_000).flatMap { _ in bytes[2..<15] })
    var response = Response("\(ok)\(coding)\r\n\r\n", part: part, count: 100)
    response.head += head + bytes[..<2]
    return response
  }

  private static let codings: [String: (response: Response, message: String)] = {
    let body = Self.body()
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    // A frame of zstd with a window of 128 MB, which libcurl would accept.
    let window = Response(
      "\(ok)Content-Encoding: zstd\r\n\r\n", part: Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x88]), count: 1)
    var codings: [String: (response: Response, message: String)] = [
      "gzip": (Response("\(ok)Content-Encoding: gzip\r\n\r\n\(body)"), "unencoding"),
      "deflate": (Response("\(ok)Content-Encoding: deflate\r\n\r\n\(body)"), "unencoding"),
      "stacked": (
        Response(
          "\(ok)Content-Encoding: \(Array(repeating: "gzip", count: 20).joined(separator: ", "))\r\n\r\n\(body)"),
        "encodings"
      ), "unknown": (Response("\(ok)Content-Encoding: rot13\r\n\r\n\(body)"), "does not accept"),
      "brotli": (Response("\(ok)Content-Encoding: br\r\n\r\n\(body)"), "does not accept"),
      "window": (window, "does not accept"),
      "transfer": (Response("\(ok)Transfer-Encoding: gzip, chunked\r\n\r\n\(body)"), "does not accept"),
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

  private static let bodies: [String: (response: Response, message: String)] = {
    let feature = #"{"type":"Feature",\#(place),"geometry":{"coordinates":[1,2,3]}"#
    let list = "\(ok)\r\n{\"type\":\"FeatureCollection\",\"features\":["
    let table = "\(ok)\r\ntime,latitude,longitude,id"
    return [
      "deep": (Response("\(ok)\r\n", part: Data(repeating: UInt8(ascii: "["), count: 65_536), count: 16), "64 deep"),
      "deeper": (
        Response("\(ok)\r\n{\"features\":", part: Data(#"{"a":"#.utf8), count: 40_000 * repetitionFactor), "64 deep"
      ),
      "deepest": (
        Response(list, part: Data(#"{"type":"Feature","a":"#.utf8), count: 2_000), "nothing usable"
      ),
      "string": (Response("\(list){\"id\":\"", part: letters, count: 60 * repetitionFactor), "nothing usable"),
      "name": (
        Response("\(list){\"", part: letters, count: 32 * repetitionFactor, tail: Data("\":1}]}".utf8)),
        "nothing usable"
      ),
      "endless": (Response("\(ok)\r\n", part: letters, count: 1_100), "larger than 64 MB"),
      "nothings": (
        Response(list, part: Data("{},".utf8), count: 20_000 * repetitionFactor, tail: Data("{}]}".utf8)),
        "nothing usable"
      ),
      "longid": (
        Response("\(list)\(feature),\"id\":\"", part: letters, count: 16, tail: Data("\"}]}".utf8)), "nothing usable"
      ),
      "wide": (Response("\(ok)\r\n", part: Data([0xFF, 0xFE, 0x7B, 0]), count: 1), "UTF-16"),
      "north": (whole(body().replacing("-20,", with: "91,")), "nothing usable"),
      "early": (whole(body().replacing("1397520000000", with: "-62135596800000")), "nothing usable"),
      "late": (whole(body().replacing("1397520000000", with: "8640000000000000")), "nothing usable"),
      "huge": (whole(body().replacing("1397520000000", with: "1e400")), "nothing usable"),
      "digits": (
        whole(body().replacing("-70,", with: String(repeating: "9", count: 400) + ",")), "nothing usable"
      ),
      "attributes": (
        Response(
          "\(ok)\r\n\(quakeML)\(event)<x", part: Data(" a=\"b\"".utf8), count: 20_000 * repetitionFactor,
          tail: Data("/></origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "names": (
        Response(
          "\(ok)\r\n\(quakeML)\(event)<x", part: Data((0..<4_000).map { " a\($0)=\"\"" }.joined().utf8),
          count: 2 * repetitionFactor,
          tail: Data("/></origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "elements": (
        Response(
          "\(ok)\r\n\(quakeML)\(event)", part: Data("<a/>".utf8), count: 20_000 * repetitionFactor,
          tail: Data("</origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      // Each of them is an error.
      "ampersands": (
        Response(
          "\(ok)\r\n\(quakeML)\(event)", part: Data(repeating: UInt8(ascii: "&"), count: 65_536),
          count: 20 * repetitionFactor,
          tail: Data("</origin></event></eventParameters></q:quakeml>".utf8)), "nothing usable"
      ),
      "kml": (whole("<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>"), "its root is <kml>"),
      "columns": (Response(table, part: Data(",x".utf8), count: 100_000 * repetitionFactor), "not in a format"),
      "values": (
        Response("\(table)\n2020-01-01T00:00:00Z,1,2,us1", part: Data(",".utf8), count: 200_000 * repetitionFactor),
        "nothing usable"
      ), "quote": (Response("\(table)\n\"", part: letters, count: 40 * repetitionFactor), "nothing usable"),
    ]
  }()

  /// Unusual responses that contain an earthquake.
  private static let accepted: [String: Response] = [
    "continues": Response(
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000) + "\(ok)\r\n\(body(id: "us_continues"))"),
    "length": Response("\(ok)Content-Length: 99999999999999999999\r\n\r\n\(body(id: "us_length"))"),
    "type": whole(body(id: "us_type"), "Content-Type: image/png\r\n"),
    "injected": whole(body(id: "us_injected"), "ETag: \"a\rX-Injected: b\"\r\nLast-Modified: \u{1}\r\n"),
    "cookie": whole(
      body(id: "us_cookie"), "Set-Cookie: a=b; Path=/\r\nStrict-Transport-Security: max-age=99999999\r\n"),
  ]

  /// Responses without an earthquake. Their entities are not expanded, and no other file is read.
  private static let withoutEvents: [String: Response] = [
    "laughs": whole(
      "<?xml version=\"1.0\"?><!DOCTYPE q [<!ENTITY a0 \"ha\">"
        + (1..<40).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
        + "]><q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><x>&a39;</x></q:quakeml>"),
    "outside": whole(
      "<?xml version=\"1.0\"?><!DOCTYPE q [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
        + "<q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\"><x>&x;</x></q:quakeml>"),
  ]

  /// The maximum memory in kB. A sanitizer keeps records of all memory, which nearly double it.
  private static let maximumMemory = (Program.isSanitized ? 80 : 40) << 10
  /// Options that reduce the freed memory that the address sanitizer keeps, which is 256 MB by default.
  private static let sanitizerOptions = Program.sanitizer["ASAN_OPTIONS"].map {
    ["ASAN_OPTIONS": "\($0) quarantine_size_mb=1 thread_local_quarantine_size_kb=16"]
  }

  /// The peak memory of a process in kB, without its program's file, which is large in a debug build.
  private func peakMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func size(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return try #require(line.flatMap { Int($0.filter(\.isNumber)) }, "\(name)")
    }
    return try size("VmHWM") - size("RssFile")
  }

  @Test func `the worker reports a bad response and continues`() throws {
    let home = try Home()
    let responses = Self.refused.mapValues(\.response).merging(Self.accepted) { response, _ in response }
      .merging(Self.withoutEvents) { response, _ in response }
    let server = RawServer(Dictionary(uniqueKeysWithValues: responses.map { ("/\($0.key)", $0.value) }))
    let names = responses.keys.sorted()
    let stored = Array(Self.accepted.keys) + Array(Self.withoutEvents.keys)
    let worker = try Program(
      "quakes-fetch", ["--interval", "3600"] + names.map { "\(server.base)/\($0)" }, home: home.url,
      variables: Self.sanitizerOptions ?? [:])
    let isReported = { (name: String) in worker.errorText.contains("/\(name)") }
    let isAccepted = { (lines: [String]) in
      stored.allSatisfy { name in lines.contains { $0.contains("/\(name): ") } }
    }
    #expect(
      worker.wait { isAccepted($0) && Self.refused.keys.allSatisfy(isReported) },
      "not reported: \(Self.refused.keys.filter { !isReported($0) }), \(worker.lines) \(worker.errorText)")
    let lines = worker.errorText.split(separator: "\n")
    for (name, message) in Self.refused.mapValues(\.message) {
      #expect(
        lines.contains { $0.contains("/\(name)") && $0.contains(message) },
        "\(message): \(lines.filter { $0.contains("/\(name)") })")
    }
    #expect(!lines.contains { $0.utf8.count > 1_000 }, "a line is too long")
    #expect(!worker.errorText.contains("root:"), "a local file was read")
    let memory = try peakMemory(of: worker.identifier)
    #expect(memory <= Self.maximumMemory, "\(memory) kB")

    // The next request does not contain the fields that a server injected into its tag.
    worker.signal(SIGUSR1)
    #expect(worker.wait { _ in server.received.count { $0.hasPrefix("GET /injected ") } == 2 })
    #expect(!server.received.contains { $0.contains("X-Injected") || $0.contains("Cookie") })
    worker.signal(SIGTERM)
    #expect(worker.status() == 0, "\(worker.errorText)")
    let list = try Program("quakes", ["list", "--json", "--limit", "0"], home: home.url)
    #expect(list.status() == 0)
    for name in Self.accepted.keys { #expect(list.lines.joined().contains("us_\(name)"), "\(name)") }
  }
}
