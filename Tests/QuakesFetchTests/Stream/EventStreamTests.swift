import FlyingFox
import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Sends frames, then answers pings, and sends back pongs as messages.
private struct FrameHandler: WSHandler {
  var frames: [WSFrame]
  /// Whether the connection ends after the frames.
  var ends = false
  /// Whether to answer pings.
  var answers = true

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    AsyncStream { continuation in
      for frame in frames { continuation.yield(frame) }
      if ends { return continuation.finish() }
      let task = Task {
        for try await frame in client where answers {
          if frame.opcode == .ping {
            continuation.yield(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
          }
          // Shown to the client, as a message.
          if frame.opcode == .pong {
            continuation.yield(WSFrame(fin: true, opcode: .text, mask: nil, payload: frame.payload))
          }
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension WSFrame {
  fileprivate static func frame(_ opcode: Opcode, _ text: String, fin: Bool = true) -> WSFrame {
    WSFrame(fin: fin, opcode: opcode, mask: nil, payload: Data(text.utf8))
  }
}

@Suite("Event streams") struct EventStreamTests {
  /// Reads a stream to its end, or until it has had a number of messages, outside of the test's thread pool, which the
  /// server needs.
  ///
  /// - Returns: a line for each arrival.
  private func arrivals(
    _ handler: some WSHandler, limits: WebLimits = WebLimits(), until count: Int = .max
  ) async throws -> [String] {
    try await arrivals(limits: limits, until: count) {
      try await WebSocketHTTPHandler(handler: handler).handleRequest($0)
    }
  }

  private func arrivals(
    limits: WebLimits = WebLimits(), until count: Int = .max, _ handler: @escaping Handler
  ) async throws -> [String] {
    var found: [String] = []
    var limits = limits
    limits.connectTimeout = 600_000
    if limits.pongTimeout >= .seconds(1) { limits.pongTimeout = .seconds(600) }
    try await withServer(["/events": handler]) { [limits] base in
      found = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(returning: Self.load("ws" + base.dropFirst(4) + "/events", limits, count))
        }
      }
    }
    return found
  }

  private static func load(_ url: String, _ limits: WebLimits, _ count: Int) -> [String] {
    var lines: [String] = []
    // Fails only when memory is exhausted.
    let loader = try! FeedLoader(limits: limits)
    loader.begin(FeedRequest(name: "s", source: .stream(url)), number: 5)
    while !loader.isIdle, lines.count < count {
      for arrival in loader.arrivals(until: nil) {
        let text: String
        switch arrival.event {
        case .opened: text = ": connected"
        case .message(.success(let body)): text = ": \((try? body.beginning(upTo: 40)) ?? "unreadable")"
        case .message(.failure(let failure)): text = ": \(failure.failure.message)"
        case .ended(.success): text = " last: a response"
        case .ended(.failure(let failure)): text = " last: \(failure.failure.message.replacing(url, with: "URL"))"
        }
        lines.append("\(arrival.number)\(text)")
      }
    }
    return lines
  }

  @Test func `messages arrive until the service closes the connection`() async throws {
    let large = String(repeating: "x", count: 300_000)
    let found = try await arrivals(
      FrameHandler(frames: [
        .frame(.text, "one"), .frame(.text, "tw", fin: false), .frame(.continuation, "o"), .frame(.text, large),
        .frame(.close, "\u{3}\u{E9}bye"),
      ]))
    #expect(found.prefix(4) == ["5: connected", "5: one", "5: two", "5: " + large.prefix(40)])
    #expect(found.dropFirst(4).first?.hasPrefix("5 last: URL closed the connection") == true && found.count == 5)
  }

  @Test func `a connection that breaks is a failure`() async throws {
    let found = try await arrivals(FrameHandler(frames: [.frame(.text, "one")], ends: true))
    #expect(found.prefix(2) == ["5: connected", "5: one"])
    #expect(found.last?.hasPrefix("5 last: ") == true && found.count == 3, "\(found)")
  }

  @Test func `a ping is answered`() async throws {
    let found = try await arrivals(FrameHandler(frames: [.frame(.ping, "42")]), until: 2)
    #expect(found == ["5: connected", "5: 42"])
  }

  @Test func `a server that is silent is asked, and given up if it does not answer`() async throws {
    var limits = WebLimits()
    (limits.pingInterval, limits.pongTimeout) = (.milliseconds(20), .milliseconds(500))
    let found = try await arrivals(FrameHandler(frames: [], answers: false), limits: limits)
    #expect(found == ["5: connected", "5 last: URL does not respond anymore; will connect again"])
  }

  @Test func `a server that answers its pings stays connected`() async throws {
    var limits = WebLimits()
    limits.pingInterval = .milliseconds(5)
    let late = try await arrivals(LateHandler(), limits: limits, until: 2)
    #expect(late == ["5: connected", "5: after 20 pings"])
  }

  @Test func `a service without a WebSocket is reported`() async throws {
    let plain = try await arrivals { _ in HTTPResponse(statusCode: .ok, body: Data("{}".utf8)) }
    #expect(plain == ["5 last: URL responded with HTTP 200"])
    let busy = try await arrivals { _ in HTTPResponse(statusCode: .tooManyRequests) }
    #expect(busy == ["5 last: URL limits the rate of requests (HTTP 429); will wait"])
  }

  @Test func `a server that cannot be reached is reported`() async throws {
    let found = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.load("ws://127.0.0.1:1/", WebLimits(), .max)) }
    }
    #expect(found.count == 1 && found[0].hasPrefix("5 last: cannot reach URL: "), "\(found)")
  }
}

/// Sends a message once it was asked twenty times whether it is there.
private struct LateHandler: WSHandler {
  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    AsyncStream { continuation in
      let task = Task {
        var count = 0
        for try await frame in client where frame.opcode == .ping {
          continuation.yield(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
          count += 1
          if count == 20 { continuation.yield(.frame(.text, "after 20 pings")) }
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
