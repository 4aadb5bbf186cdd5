import Foundation
import StrataTestSupport
import Testing

/// Connections that fail or stall. A fetch ends with the right status, and a signal ends it immediately.
@Suite(.waitsForProcesses) struct HostileConnectionTests {
  typealias Response = RawServer.Response

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let letter = Data("a".utf8)

  /// Responses that do not end within a minute. The client requests `tls` through TLS.
  private static let endless: [String: Response] = [
    "silent": Response("", end: .stays), "tls": Response("", end: .stays),
    "half": Response(ok + "Content-", end: .stays), "drip-status": Response("", part: letter, count: 100, pause: 1),
    "drip-fields": Response(ok + "X: ", part: letter, count: 100, pause: 1),
    "drip-body": Response(ok + "Content-Length: 9999\r\n\r\n", part: letter, count: 100, pause: 1),
    "drip-chunks": Response(
      ok + "Transfer-Encoding: chunked\r\n\r\n", part: Data("1\r\na\r\n".utf8), count: 100, pause: 1),
    "drip-continue": Response("", part: Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), count: 100, pause: 1),
  ]

  @Test(arguments: endless.keys.sorted()) func `a signal ends the worker immediately`(path: String) throws {
    let server = RawServer([path == "tls" ? path : "/\(path)": try #require(Self.endless[path])])
    let base = path == "tls" ? "https" + server.base.dropFirst("http".count) : server.base
    let home = try Home()
    for (options, signal, status) in [([], SIGTERM, Int32(0)), (["--once"], SIGTERM, 0), (["--once"], SIGINT, 130)] {
      let before = server.connectionCount
      let worker = try Program("quakes-fetch", options + ["\(base)/\(path)"], home: home.url)
      #expect(worker.wait { _ in server.connectionCount > before })
      let start = ContinuousClock.now
      worker.signal(signal)
      #expect(worker.status() == status, "\(options): \(worker.errorText)")
      #expect(worker.errorText == "", "an interrupted worker does not report an error")
      // Far below the transfer's own limit of a minute, with room for a busy machine.
      #expect(ContinuousClock.now - start < .seconds(50), "\(options)")
    }
  }

  private static let letters = Data(repeating: UInt8(ascii: "a"), count: 65_536)

  /// Responses, with the exit status and the message of a program that fetches them once.
  private static let statuses: [String: (response: Response, status: Int32, message: String)] = [
    "nothing": (Response(""), 5, "Empty reply"), "reset": (Response("", end: .resets), 5, "Connection reset"),
    "half": (Response(ok + "Content-"), 6, "is empty"),
    "part": (Response(ok + "Content-Length: 9\r\n\r\nabc"), 5, "reach"),
    "old": (Response("<html>"), 6, "HTTP/0.9"), "two": (Response("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 6, "HTTP/0.9"),
    "frames": (Response("\0\0\u{12}\u{4}\0\0\0\0\0\0\u{3}\0\0\0"), 6, "HTTP/0.9"),
    "login": (Response(ok + "\r\n<html>"), 6, "web page"),
    "gone": (Response("HTTP/1.1 410 Gone\r\n\r\n"), 6, "HTTP 410"),
    "loop": (Response("HTTP/1.1 301 Moved\r\nLocation: /loop\r\n\r\n"), 6, "more than 5 times"),
    "file": (Response("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"), 6, "redirects to an address"),
    "named": (
      Response("HTTP/1.1 302 Found\r\nLocation: http://root:secret@127.0.0.1:1/\r\n\r\n"), 6, "redirects to an address"
    ), "limited": (Response("HTTP/1.1 429 Too Many\r\nRetry-After: soon\r\n\r\n"), 7, "HTTP 429"),
    "large": (Response(ok + "\r\n", part: letters, count: 1_100), 6, "larger than 64 MB"),
  ]

  @Test func `each failure of a fetch has its status`() throws {
    let home = try Home()
    var responses = Dictionary(uniqueKeysWithValues: Self.statuses.map { ("/\($0.key)", $0.value.response) })
    responses["tls"] = Response("HTTP/1.1 400 Bad Request\r\n\r\n")
    // The requests that a proxy receives.
    responses["http://feeds.invalid/feed"] = responses["/login"]
    responses["http://feeds.invalid/guarded"] = Response(
      "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"a\"\r\n\r\n")
    let server = RawServer(responses)
    let dead = "http://127.0.0.1:1/"
    let fetch = { (address: String, variables: [String: String]) in
      try Program("quakes-fetch", ["--once", address], home: home.url, variables: variables)
    }
    var cases = try Self.statuses.map { path, expected in
      (fetch: try fetch("\(server.base)/\(path)", [:]), status: expected.status, message: expected.message)
    }
    cases += [
      (try fetch(dead, [:]), 5, "cannot reach"), (try fetch("http://127.0.0.1:0/", [:]), 5, "cannot reach"),
      (try fetch("http://127.0.0.1:99999/", [:]), 2, "cannot fetch"),
      (try fetch("http://[::1", [:]), 2, "cannot fetch"),
      (try fetch("http://no.such.host.invalid/", [:]), 5, "resolv"),
      (try fetch("https\(server.base.dropFirst(4))/login", [:]), 5, "safely"),
      (try fetch("http://feeds.invalid/feed", ["http_proxy": server.base]), 6, "web page"),
      (try fetch("http://feeds.invalid/guarded", ["http_proxy": server.base]), 6, "HTTP 407"),
      (try fetch("http://feeds.invalid/", ["http_proxy": dead]), 5, "port 1:"),
      (try fetch("https://feeds.invalid/", ["https_proxy": server.base]), 5, "CONNECT"),
      (try fetch("http://feeds.invalid/", ["http_proxy": "gopher://127.0.0.1:1"]), 5, "proxy scheme"),
      (try fetch("\(server.base)/login", ["http_proxy": dead, "no_proxy": "127.0.0.1"]), 6, "web page"),
    ]
    for (fetch, status, message) in cases {
      #expect(fetch.status() == status, "\(fetch.errorText)")
      #expect(fetch.errorText.localizedCaseInsensitiveContains(message), "\(message): \(fetch.errorText)")
      #expect(fetch.errorText.split(separator: "\n").count == 1, "\(fetch.errorText)")
      #expect(!fetch.errorText.contains("secret"), "\(fetch.errorText)")
    }
    #expect(!server.received.contains { $0.contains("Authorization") }, "\(server.received)")
  }

  @Test(.enabled(if: TLSServer.isAvailable)) func `only trusted certificates are accepted`() throws {
    let home = try Home()
    let plain = RawServer(["/feed": Response(Self.ok + "\r\n<html>")])
    _ = try home.write("page", Self.ok + "\r\n<html>")
    _ = try home.write("redirect", "HTTP/1.1 302 Found\r\nLocation: \(plain.base)/feed\r\n\r\n")
    try TLSServer.makeAuthority(in: home)
    try TLSServer.makeCertificate("good", in: home)
    try TLSServer.makeCertificate("expired", days: -1, in: home)
    try TLSServer.makeCertificate("other", host: "DNS:other.example", in: home)
    try TLSServer.makeCertificate("own", isTrusted: false, in: home)
    let servers = try Dictionary(
      uniqueKeysWithValues: ["good", "expired", "other", "own"].map { ($0, try TLSServer($0, in: home)) })
    let authority = ["SSL_CERT_FILE": home.url.appendingPathComponent("authority.pem").path]
    let cases: [(server: String, path: String, variables: [String: String], status: Int32, message: String)] = [
      ("good", "page", authority, 6, "it is a web page"), ("good", "page", [:], 5, "unable to get local issuer"),
      ("good", "page", ["SSL_CERT_FILE": "/no/such/file"], 5, "/no/such/file"),
      ("good", "redirect", authority, 6, "redirects to an address that cannot be fetched: Protocol \"http\""),
      ("expired", "page", authority, 5, "certificate has expired"), ("other", "page", authority, 5, "127.0.0.1"),
      ("own", "page", authority, 5, "self-signed certificate"),
    ]
    for (server, path, variables, status, message) in cases {
      let fetch = try Program(
        "quakes-fetch", ["--once", "\(servers[server]?.base ?? "")/\(path)"], home: home.url, variables: variables)
      #expect(fetch.status() == status, "\(server): \(fetch.errorText)")
      #expect(fetch.errorText.contains(message), "\(server): \(fetch.errorText)")
      #expect(fetch.errorText.contains(" safely: ") == (status == 5), "\(server): \(fetch.errorText)")
    }
    #expect(plain.connectionCount == 0)
    // A server that expects TLS refuses plain HTTP.
    let address = try #require(servers["good"]).base.replacing("https", with: "http")
    let fetch = try Program("quakes-fetch", ["--once", "\(address)/page"], home: home.url)
    #expect(fetch.status() != 0)
    #expect(!fetch.errorText.isEmpty)
  }
}
