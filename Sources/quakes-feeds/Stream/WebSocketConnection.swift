import Foundation
import StrataCCurl
import StrataQuakes

/// A connection to a WebSocket. libcurl makes the network's part, with TLS and proxies; the handshake and the frames are our own
/// code, because supported distributions, such as Debian 12, build libcurl without `ws`.
///
/// It is not thread-safe, and never waits: its owner waits for `awaited` until `deadline`, and calls `advance`.
final class WebSocketConnection {
  enum Event {
    case opened
    case message([UInt8])
    case ended(FetchFailure)

    var isLast: Bool { if case .ended = self { true } else { false } }
  }

  private enum State {
    /// libcurl connects, with a timeout of its own.
    case connecting
    case handshaking
    case open
    case failed(FetchFailure)
    case ended
  }

  /// The largest message, in bytes: that of the largest event.
  private static let maximumMessageSize = BodyWindow.maximumSize
  /// The messages of one call of `advance`: a busy server waits, and other feeds do not.
  private static let maximumBatch = 8
  /// The reads of one call of `advance`, of 16 kB each, for the same reason: a flood of pings has no messages.
  private static let maximumReads = 16

  let handle: WebHandle
  private let limits: WebLimits
  private var state = State.connecting
  private var handshake: WebSocketHandshake
  private var reader: WebSocketReader
  /// Bytes that the network has not taken.
  private var outgoing: [UInt8] = []
  /// When something arrived last; before a response, when the request was sent.
  private var lastArrival = ContinuousClock.now
  /// When the server was asked whether it is there; nil once something arrives.
  private var pinged: ContinuousClock.Instant?
  /// Whether more may have arrived than was taken.
  private var hasMore = false

  /// A connection that begins once its handle is added to a multi handle.
  ///
  /// - Parameter url: begins with `ws://` or `wss://`.
  /// - Throws: `Failure` if it is not a valid address.
  init(_ url: String, limits: WebLimits) throws(Failure) {
    handshake = try WebSocketHandshake(url, userAgent: limits.userAgent)
    reader = WebSocketReader(maximumSize: min(limits.maximumSize, Self.maximumMessageSize))
    // `http` and `https` are the same connections.
    handle = try WebHandle(url, address: "http" + url.dropFirst(2), limits: limits)
    self.limits = limits
    handle.set(CURLOPT_CONNECT_ONLY, 1)
    // HTTP/2 has another handshake.
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
  }

  /// Sends the request once libcurl has connected.
  ///
  /// - Parameter code: libcurl's result.
  func begin(_ code: CURLcode) {
    guard code == CURLE_OK else {
      state = .failed(FetchFailure(handle.failure(code, limits: limits)))
      return
    }
    state = .handshaking
    lastArrival = .now
    outgoing = Array(handshake.request.utf8)
  }

  /// The socket to wait for; nil while libcurl connects.
  var awaited: curl_waitfd? {
    guard let descriptor = socket else { return nil }
    let events = CURL_WAIT_POLLIN | (outgoing.isEmpty ? 0 : CURL_WAIT_POLLOUT)
    return curl_waitfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  /// When to call `advance` even if nothing arrives.
  var deadline: ContinuousClock.Instant? {
    switch state {
    case .connecting, .ended: nil
    case .failed: .now
    case .handshaking: lastArrival + .milliseconds(limits.connectTimeout)
    case .open where hasMore: .now
    case .open: pinged.map { $0 + limits.pongTimeout } ?? lastArrival + limits.pingInterval
    }
  }

  private var socket: Int32? {
    var socket = curl_socket_t(-1)
    switch state {
    case .handshaking, .open: return ccurl_socket(handle.pointer, &socket) == CURLE_OK ? socket : nil
    case .connecting, .failed, .ended: return nil
    }
  }

  /// Sends and receives without waiting.
  ///
  /// - Returns: what happened, in order.
  func advance(at now: ContinuousClock.Instant) -> [Event] {
    var events: [Event] = []
    do throws(FetchFailure) {
      switch state {
      case .connecting, .ended: return []
      case .failed(let failure): throw failure
      case .handshaking, .open:
        try send()
        try receive(at: now, into: &events)
        try checkSilence(at: now)
        try send()
      }
    } catch {
      state = .ended
      events.append(.ended(error))
    }
    return events
  }

  private func failure(_ reason: String, _ status: ExitStatus = .network) -> FetchFailure {
    FetchFailure(Failure(status, "\(handle.url) \(reason); will connect again"))
  }
}

// MARK: - Receiving

extension WebSocketConnection {
  /// Reads messages that have arrived earlier first. The rest stays with the network, which stops a server that sends faster
  /// than its messages are stored.
  private func receive(at now: ContinuousClock.Instant, into events: inout [Event]) throws(FetchFailure) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    hasMore = true
    if case .open = state { try takeItems(into: &events) }
    for _ in 0..<Self.maximumReads where events.count < Self.maximumBatch {
      var count = 0
      let code = curl_easy_recv(handle.pointer, &buffer, buffer.count, &count)
      guard code != CURLE_AGAIN else {
        hasMore = false
        return
      }
      guard code == CURLE_OK else { throw FetchFailure(handle.failure(code, limits: limits)) }
      guard count > 0 else { throw failure("closed the connection") }
      if case .open = state { (lastArrival, pinged) = (now, nil) }
      try take(Array(buffer[..<count]), into: &events)
    }
  }

  private func take(_ bytes: [UInt8], into events: inout [Event]) throws(FetchFailure) {
    if case .handshaking = state {
      guard let rest = try handshake.append(bytes) else { return }
      (state, lastArrival) = (.open, .now)
      events.append(.opened)
      reader.append(rest)
    } else {
      reader.append(bytes)
    }
    try takeItems(into: &events)
  }

  private func takeItems(into events: inout [Event]) throws(FetchFailure) {
    while events.count < Self.maximumBatch, let item = try nextItem() {
      switch item {
      case .message(let message): events.append(.message(message))
      case .pong: break
      case .ping(let payload): put(.pong, payload)
      case .close(let code, let reason):
        close(with: code)
        throw failure(Self.text(code: code, reason: reason))
      }
    }
  }

  private func nextItem() throws(FetchFailure) -> WebSocketReader.Item? {
    do {
      return try reader.next()
    } catch {
      close(with: error.code.rawValue)
      throw failure(error.reason, .badResponse)
    }
  }

  private static func text(code: UInt16?, reason: String) -> String {
    let reason = reason.filter { !$0.isNewline }.prefix(200)
    let details = code.map { reason.isEmpty ? " (\($0))" : " (\($0): \(reason))" }
    return "closed the connection" + (details ?? "")
  }

  /// Asks the server whether it is there after a silence: a connection does not end when the network breaks.
  private func checkSilence(at now: ContinuousClock.Instant) throws(FetchFailure) {
    guard case .open = state else {
      guard now < lastArrival + .milliseconds(limits.connectTimeout) else {
        throw failure("did not respond in time")
      }
      return
    }
    if let pinged {
      if pinged + limits.pongTimeout <= now { throw failure("does not respond anymore") }
    } else if lastArrival + limits.pingInterval <= now {
      pinged = now
      put(.ping, [])
    }
  }
}

// MARK: - Sending

extension WebSocketConnection {
  /// The bytes that may wait for the network: a server that asks without reading the answers is not served.
  private static let maximumBacklog = 1 << 20

  private func put(_ kind: WebSocketFrame.Kind, _ payload: [UInt8]) {
    guard outgoing.count < Self.maximumBacklog else { return }
    outgoing += WebSocketFrame(kind: kind, payload: payload).masked(with: .random(in: .min ... .max))
  }

  /// Answers or announces the end, unless the network does not take it immediately.
  private func close(with code: UInt16?) {
    put(.close, code?.bigEndianBytes ?? [])
    // The connection ends for another reason, which the caller reports.
    try? send()
  }

  private func send() throws(FetchFailure) {
    while !outgoing.isEmpty {
      var count = 0
      let code = curl_easy_send(handle.pointer, outgoing, outgoing.count, &count)
      guard code != CURLE_AGAIN else { return }
      guard code == CURLE_OK else { throw FetchFailure(handle.failure(code, limits: limits)) }
      outgoing.removeFirst(count)
    }
  }
}
