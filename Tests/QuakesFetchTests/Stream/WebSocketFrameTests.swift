import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// The examples are those of RFC 6455, sections 1.3 and 5.7, and of RFC 3174.
@Suite("Frames of WebSockets") struct WebSocketFrameTests {
  private static let hello = Array("Hello".utf8)

  private func items(_ bytes: [UInt8], maximumSize: Int = 1 << 20) throws(WebSocketViolation) -> [WebSocketReader.Item]
  {
    var reader = WebSocketReader(maximumSize: maximumSize)
    reader.append(bytes)
    return try rest(of: &reader)
  }

  private func rest(of reader: inout WebSocketReader) throws(WebSocketViolation) -> [WebSocketReader.Item] {
    var items: [WebSocketReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    return items
  }

  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
  ])
  func `SHA-1 gives the digests of its standard`(text: String, digest: String) {
    #expect(SHA1.digest(of: text.utf8).map { String(format: "%02x", $0) }.joined() == digest)
  }

  @Test func `a frame is masked as a client must`() {
    #expect(
      WebSocketFrame(kind: .text, payload: Self.hello).masked(with: 0x37FA_213D)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    let empty = WebSocketFrame(kind: .ping).masked(with: 0x0102_0304)
    #expect(empty == [0x89, 0x80, 1, 2, 3, 4])
    for (count, head) in [(125, [0x82, 0xFD]), (126, [0x82, 0xFE, 0, 126]), (65_535, [0x82, 0xFE, 0xFF, 0xFF])] {
      let bytes = WebSocketFrame(kind: .binary, payload: Array(repeating: 7, count: count)).masked(with: 0)
      #expect(bytes.prefix(head.count).elementsEqual(head.map { UInt8($0) }) && bytes.count == head.count + 4 + count)
    }
    let long = WebSocketFrame(kind: .binary, payload: Array(repeating: 7, count: 65_536)).masked(with: 0)
    #expect(long.prefix(10) == [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  @Test func `messages are read however their bytes arrive`() throws {
    let (small, large) = ([UInt8](repeating: 1, count: 256), [UInt8](repeating: 2, count: 65_536))
    let bytes: [UInt8] =
      [0x81, 5] + Self.hello + [0x01, 3] + Self.hello[..<3] + [0x89, 5] + Self.hello + [0x80, 2] + Self.hello[3...]
      + [0x82, 126, 1, 0] + small + [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0] + large + [0x81, 0, 0x8A, 0]
      + [0x88, 6, 0x03, 0xE9] + Array("away".utf8) + [0x88, 0]
    let expected: [WebSocketReader.Item] = [
      .message(Self.hello), .ping(Self.hello), .message(Self.hello), .message(small), .message(large), .message([]),
      .pong, .close(1001, reason: "away"), .close(nil, reason: ""),
    ]
    #expect(try items(bytes) == expected)
    var random = SeededRandom(seed: 1)
    for size in [1, 2, 3, 7, 1000] {
      var (reader, found, position) = (WebSocketReader(maximumSize: 1 << 20), [WebSocketReader.Item](), 0)
      while position < bytes.count {
        let count = min(bytes.count - position, size == 1 ? 1 : .random(in: 1...size, using: &random))
        reader.append(bytes[position..<position + count])
        found += try rest(of: &reader)
        position += count
      }
      #expect(found == expected)
    }
  }

  @Test(
    arguments: [
      ([0x83, 0], "unknown kind"), ([0x8B, 0], "unknown kind"), ([0xC1, 0], "unknown kind"),
      ([0x91, 0], "unknown kind"),
      ([0x81, 0x80], "masked"), ([0x80, 0], "had not begun"), ([0x01, 0, 0x81, 0], "within another"),
      ([0x88, 1, 3], "invalid number"), ([0x88, 2, 0x03, 0xED], "invalid number"), ([0x88, 2, 0, 7], "invalid number"),
      ([0x09, 0], "in parts"), ([0x89, 126], "too large"), ([0x88, 127], "too large"),
    ] as [([UInt8], String)])
  func `a server that breaks the protocol is refused`(bytes: [UInt8], reason: String) {
    let error = #expect(throws: WebSocketViolation.self) { try items(bytes) }
    #expect(error?.code == .protocolError && error?.reason.contains(reason) == true)
  }

  @Test func `a message that is too large is refused before it arrives`() {
    for bytes in [
      [0x81, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x81, 126, 0x08, 0x01],
      [0x01, 126, 0x08, 0] + [UInt8](repeating: 0, count: 2048) + [0x80, 1],
    ] as [[UInt8]] {
      let error = #expect(throws: WebSocketViolation.self) { try items(bytes, maximumSize: 2048) }
      #expect(error == WebSocketViolation(code: .tooLarge, reason: "sent a message of more than 2 kB"))
    }
  }
}

@Suite("Handshake of WebSockets") struct WebSocketHandshakeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  private static let answer = """
    HTTP/1.1 101 Switching Protocols\r
    upgrade: WebSocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
    """

  private func handshake(_ url: String = "wss://host/a/b%20c?d=e") throws -> WebSocketHandshake {
    try WebSocketHandshake(url, userAgent: "agent/1", key: Self.key)
  }

  @Test func `the request asks for the path of the address`() throws {
    let lines = try handshake().request.components(separatedBy: "\r\n")
    #expect(lines.first == "GET /a/b%20c?d=e HTTP/1.1" && lines.suffix(2) == ["", ""])
    for line in [
      "Host: host", "User-Agent: agent/1", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(Self.key)", "Sec-WebSocket-Version: 13",
    ] {
      #expect(lines.contains(line))
    }
    #expect(try handshake("ws://[::1]:8080").request.hasPrefix("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n"))
    #expect(try handshake("ws://[fe80::1%25eth0]:8080/").request.contains("\r\nHost: [fe80::1]:8080\r\n"))
    for url in ["ws://", "ws:///path", "ws://name:secret@host/", "ws://host:99999/", "ws://host:0/"] {
      let failure = #expect(throws: Failure.self, "\(url)") { try handshake(url) }
      #expect(failure?.message.contains("secret") == false)
      #expect(throws: Failure.self, "\(url)") { try FeedRequest(url) }
    }
  }

  @Test func `bytes after the response are those of frames`() throws {
    var whole = try handshake()
    #expect(try whole.append(Array(Self.answer.utf8) + [0x81, 0]) == [0x81, 0])
    var slow = try handshake()
    let bytes = Array(Self.answer.utf8)
    for byte in bytes.dropLast() { #expect(try slow.append([byte]) == nil) }
    #expect(try slow.append([bytes.last!]) == [])
    var hinted = try handshake()
    #expect(try hinted.append(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) + bytes + [0x81]) == [0x81])
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n\r\n", "responded with HTTP 200"), ("HTTP/1.1 404 No\r\n\r\n", "does not exist (HTTP 404)"),
    ("HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n", "redirects (HTTP 301)"),
    ("SSH-2.0-OpenSSH\r\n\r\n", "as an HTTP server"),
    ("HTTP/1.1 -1 x\r\n\r\n", "as an HTTP server"), ("\r\n\r\n", "as an HTTP server"),
    (answer.replacing("s3p", with: "S3p"), "does not belong"),
    (answer.replacing("upgrade:", with: "x:"), "does not belong"),
    (answer.replacing("Connection:", with: "x:"), "does not belong"),
    (answer.replacing("Connection:", with: "Sec-WebSocket-Extensions: a\r\nConnection:"), "extension"),
    (String(repeating: "a", count: 70_000), "header fields"),
  ])
  func `another response is refused`(response: String, reason: String) throws {
    var handshake = try handshake()
    let error = #expect(throws: FetchFailure.self) { try handshake.append(Array(response.utf8)) }
    #expect(error?.failure.message.contains(reason) == true, "\(error?.failure.message ?? "")")
  }

  @Test func `a service may ask for a pause`() throws {
    var handshake = try handshake()
    let response = "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\n\r\n"
    let error = #expect(throws: FetchFailure.self) { try handshake.append(Array(response.utf8)) }
    #expect(error?.retryAfter == .seconds(120) && error?.status == 503)
  }
}
