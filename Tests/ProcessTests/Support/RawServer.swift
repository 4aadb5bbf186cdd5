import Foundation
import Synchronization

/// A server on the loopback interface that responds to each path with exactly the given bytes, valid or not.
final class RawServer: Sendable {
  enum End: Sendable {
    case closes
    /// Resets the connection.
    case resets
    /// Keeps the connection open and silent.
    case stays
  }

  struct Response: Sendable {
    var head: Data
    /// Follows the head any number of times.
    var part = Data()
    var count = 0
    /// Seconds before each part.
    var pause = 0.0
    /// Follows the parts.
    var tail = Data()
    var end = End.closes

    init(
      _ head: String, part: Data = Data(), count: Int = 0, pause: Double = 0, tail: Data = Data(), end: End = .closes
    ) {
      (self.head, self.part, self.count, self.pause) = (Data(head.utf8), part, count, pause)
      (self.tail, self.end) = (tail, end)
    }
  }

  let port: UInt16
  private let descriptor: Int32
  private let responses: Mutex<[String: Response]>
  private let requests = Mutex<[String]>([])
  private let connections = Mutex(0)

  /// - Parameter responses: The responses by path, which begins with a slash. "tls" is for clients that begin a TLS
  ///   handshake.
  init(_ responses: [String: Response]) {
    self.responses = Mutex(responses)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(descriptor, pointer, size)
        _ = listen(descriptor, 128)
        _ = getsockname(descriptor, pointer, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self, descriptor] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        // The server may be released before its last client connects.
        guard let self else {
          close(connection)
          return
        }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  var base: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, with their header fields.
  var received: [String] { requests.withLock { $0 } }

  /// Changes the response to a path.
  func respond(to path: String, with response: Response) { responses.withLock { $0[path] = response } }

  /// The number of connections, including those without a request.
  var connectionCount: Int { connections.withLock { $0 } }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    connections.withLock { $0 += 1 }
    let request = Self.request(from: connection)
    requests.withLock { $0.append(request) }
    let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? request
    guard let response = responses.withLock({ $0[path] }) else { return }
    guard Self.send(response.head, to: connection) else { return }
    for _ in 0..<response.count {
      if response.pause > 0 { Thread.sleep(forTimeInterval: response.pause) }
      guard Self.send(response.part, to: connection) else { return }
    }
    guard Self.send(response.tail, to: connection) else { return }
    switch response.end {
    case .closes: shutdown(connection, Int32(SHUT_WR))
    case .resets:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return
    case .stays: break
    }
    // Waits until the client closes its end.
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private static func request(from connection: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(connection, &byte, 1, 0) == 1 {
      // The first byte of a handshake.
      if bytes.isEmpty, byte == 0x16 { return "tls" }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: False if the client does not accept more.
  private static func send(_ data: Data, to connection: Int32) -> Bool {
    data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.send(connection, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
