import Foundation
import StrataQuakes

/// The HTTP request that makes a connection a WebSocket, and the response to it (RFC 6455, section 4).
struct WebSocketHandshake {
  /// More than any response has that is not an attack.
  private static let maximumSize = 64 << 10

  let url: String
  let request: String
  /// The answer by which the server shows that it speaks the protocol.
  private let proof: String
  private var received: [UInt8] = []

  /// - Parameter url: begins with `ws://` or `wss://`.
  /// - Throws: `Failure` if it is not a valid address.
  init(_ url: String, userAgent: String) throws(Failure) {
    var key = [UInt8](repeating: 0, count: 16)
    for index in key.indices { key[index] = .random(in: .min ... .max) }
    try self.init(url, userAgent: userAgent, key: Data(key).base64EncodedString())
  }

  init(_ url: String, userAgent: String, key: String) throws(Failure) {
    guard let parts = URLComponents(string: url), let host = parts.percentEncodedHost, !host.isEmpty,
      1...65_535 ~= parts.port ?? 80
    else {
      throw Failure(.usage, "\"\(url)\" is not a valid address")
    }
    guard parts.user == nil else {
      throw Failure(.usage, "the address of a WebSocket at \(host) has a user name, which is not supported")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    let lines = [
      "GET \(target) HTTP/1.1", "Host: \(Self.withoutZone(host))\(parts.port.map { ":\($0)" } ?? "")",
      "User-Agent: \(userAgent)",
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    self.url = url
    request = lines.joined(separator: "\r\n") + "\r\n\r\n"
    let digest = SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    proof = Data(digest).base64EncodedString()
  }

  /// `[fe80::1%25eth0]` has the name of an interface of this computer.
  private static func withoutZone(_ host: String) -> String {
    guard host.hasPrefix("["), let zone = host.firstIndex(of: "%") else { return host }
    return host[..<zone] + "]"
  }

  /// Takes bytes that the server sent.
  ///
  /// - Returns: the bytes after the response; nil until the response has arrived.
  /// - Throws: `FetchFailure` if the server refuses, or is not one of WebSockets.
  mutating func append(_ bytes: [UInt8]) throws(FetchFailure) -> [UInt8]? {
    received += bytes
    while let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
      let isFinal = try check(received[..<end.lowerBound])
      received.removeSubrange(..<end.upperBound)
      if isFinal { return received }
    }
    guard received.count <= Self.maximumSize else {
      throw FetchFailure(Failure(.badResponse, "\(url) sent more than \(Self.maximumSize >> 10) kB of header fields"))
    }
    return nil
  }

  /// - Returns: false for a response that another one follows, such as 103.
  private func check(_ head: ArraySlice<UInt8>) throws(FetchFailure) -> Bool {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let status = Self.status(lines[0]) else {
      throw FetchFailure(Failure(.badResponse, "\(url) does not respond as an HTTP server"))
    }
    var headers = ResponseHeaders()
    for line in lines.dropFirst() { headers.take(Array(line.utf8)) }
    if 100..<200 ~= status, status != 101 { return false }
    guard status == 101 else { throw .status(status, of: url, headers) }
    let connection = headers["connection"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
    guard headers["upgrade"]?.lowercased() == "websocket", connection.contains("upgrade"),
      headers["sec-websocket-accept"] == proof
    else {
      throw FetchFailure(
        Failure(.badResponse, "\(url) is not a WebSocket: its response does not belong to the request"))
    }
    guard headers["sec-websocket-extensions"] == nil, headers["sec-websocket-protocol"] == nil else {
      throw FetchFailure(Failure(.badResponse, "\(url) uses an extension of WebSockets that was not requested"))
    }
    return true
  }

  /// `HTTP/1.1 101 Switching Protocols`
  private static func status(_ line: Substring) -> Int? {
    let words = line.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1.") else { return nil }
    return Int(words[1]).flatMap { 100..<600 ~= $0 ? $0 : nil }
  }
}
