import Foundation
import StrataCCurl
import StrataQuakes

/// The limits of a transfer.
public struct WebLimits: Sendable {
  var userAgent = "quakes-fetch/\(QuakesVersion.text) (+Strata Quakes)"
  var connectTimeout: Int
  var totalTimeout: Int
  var maximumRedirects = 5
  var maximumSize: Int
  /// The silence of a WebSocket after which the worker asks whether the server is there.
  var pingInterval = Duration.seconds(30)
  /// How long the server may then take to answer.
  var pongTimeout = Duration.seconds(20)

  /// Limits; the usual ones without arguments.
  ///
  /// - Parameters:
  ///   - connectTimeout: in milliseconds.
  ///   - totalTimeout: in milliseconds, including all redirects.
  ///   - maximumSize: in bytes after decompression: a small gzip may expand to a large one. The largest feed, all_month,
  ///     has about 10 MB.
  public init(connectTimeout: Int = 10_000, totalTimeout: Int = 60_000, maximumSize: Int = 64 << 20) {
    (self.connectTimeout, self.totalTimeout, self.maximumSize) = (connectTimeout, totalTimeout, maximumSize)
  }
}

/// Makes the next request for the same source conditional.
struct Validators: Equatable, Sendable {
  var etag: String?
  var lastModified: String?
  /// Of the last body, for the many services that never respond "not modified".
  var fingerprint: BodyFingerprint?
}

/// The transfers and the connections of one multi handle of libcurl: HTTP GETs, up to `maximumTransfers` concurrently while the
/// others wait, and WebSockets, which stay connected.
///
/// It is not thread-safe: one thread begins and awaits them.
final class WebClient {
  static let maximumTransfers = 6

  private let limits: WebLimits
  private let multi: UnsafeMutableRawPointer
  private var running: [UnsafeMutableRawPointer: (transfer: WebTransfer, number: Int)] = [:]
  private var waiting: [(transfer: WebTransfer, number: Int)] = []
  private var streams: [UnsafeMutableRawPointer: (connection: WebSocketConnection, number: Int)] = [:]

  /// Not thread-safe in older versions of the library.
  private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(limits: WebLimits = WebLimits()) throws(Failure) {
    guard Self.isInitialized, let multi = curl_multi_init() else {
      throw Failure(.network, "cannot initialize libcurl: out of memory")
    }
    (self.limits, self.multi) = (limits, multi)
  }

  deinit {
    for handle in Array(running.keys) + streams.keys { curl_multi_remove_handle(multi, handle) }
    (running, streams) = ([:], [:])
    curl_multi_cleanup(multi)
  }

  /// Whether no transfer is under way.
  var isIdle: Bool { running.isEmpty && waiting.isEmpty && streams.isEmpty }

  /// - Parameter number: the transfer's name in `advanceTransfers`.
  func begin(_ url: String, unlessUnchanged validators: Validators, number: Int) throws(Failure) {
    waiting.append((try WebTransfer(url, unlessUnchanged: validators, limits: limits), number))
    startWaiting()
  }

  /// Connects to a WebSocket, in addition to the transfers.
  ///
  /// - Parameter number: the connection's name in `advanceStreams`.
  func connect(_ url: String, number: Int) throws(Failure) {
    let connection = try WebSocketConnection(url, limits: limits)
    guard curl_multi_add_handle(multi, connection.handle.pointer) == CURLM_OK else {
      throw Failure(.network, "cannot connect to \(url): out of memory")
    }
    streams[connection.handle.pointer] = (connection, number)
  }

  /// Ends a connection, which has no more events.
  func disconnect(_ number: Int) {
    for (handle, stream) in streams where stream.number == number { end(handle) }
  }

  private func end(_ handle: UnsafeMutableRawPointer) {
    // The handle has to leave before it is released.
    curl_multi_remove_handle(multi, handle)
    streams[handle] = nil
  }

  /// When a connection must be advanced even if nothing arrives.
  var deadline: ContinuousClock.Instant? { streams.values.lazy.compactMap(\.connection.deadline).min() }

  /// Waits until something arrives for a transfer or a connection, or one of the descriptors is readable.
  func wait(for descriptors: [Int32]) {
    var others = descriptors.map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
    others += streams.values.compactMap(\.connection.awaited)
    // libcurl wakes earlier if a transfer has a deadline.
    curl_multi_poll(multi, &others, UInt32(others.count), Int32.max, nil)
  }

  /// Advances all transfers without waiting, and connects.
  ///
  /// - Returns: the ended transfers.
  func advanceTransfers() -> [(number: Int, result: Result<FeedResponse, FetchFailure>)] {
    var count: Int32 = 0
    curl_multi_perform(multi, &count)
    var ended: [(Int, Result<FeedResponse, FetchFailure>)] = []
    while let message = curl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let code = message.pointee.data.result
      if let (connection, _) = streams[handle] {
        // libcurl closes a connection with the removal of its handle.
        connection.begin(code)
        continue
      }
      // The message is gone once its handle is removed.
      curl_multi_remove_handle(multi, handle)
      guard let (transfer, number) = running.removeValue(forKey: handle) else { continue }
      ended.append((number, Result { () throws(FetchFailure) in try response(of: transfer, code: code) }))
    }
    startWaiting()
    return ended
  }

  /// Advances all connections without waiting.
  func advanceStreams() -> [(number: Int, event: WebSocketConnection.Event)] {
    streams.flatMap { handle, stream in
      stream.connection.advance(at: .now).map { event in
        if event.isLast { end(handle) }
        return (stream.number, event)
      }
    }
  }

  private func startWaiting() {
    while running.count < Self.maximumTransfers, !waiting.isEmpty {
      let next = waiting.removeFirst()
      running[next.transfer.handle.pointer] = next
      curl_multi_add_handle(multi, next.transfer.handle.pointer)
    }
  }
}

// MARK: - Results

extension WebClient {
  private func response(of transfer: WebTransfer, code: CURLcode) throws(FetchFailure) -> FeedResponse {
    if let failure = transfer.failure { throw FetchFailure(failure) }
    guard code == CURLE_OK else { throw FetchFailure(transfer.handle.failure(code, limits: limits)) }
    let headers = transfer.headers
    let freshness = headers.freshness(at: Date())
    switch transfer.handle.status {
    // A partial response to a request without a range.
    case 206: throw .status(transfer.handle.status, of: transfer.url, headers)
    case 200..<300:
      let validators = Validators(
        etag: headers["etag"], lastModified: headers["last-modified"], fingerprint: transfer.body.fingerprint)
      return FeedResponse(body: transfer.body, validators: validators, freshness: freshness)
    case 304 where transfer.isConditional: return FeedResponse(body: nil, validators: nil, freshness: freshness)
    default: throw .status(transfer.handle.status, of: transfer.url, headers)
    }
  }
}

extension FetchFailure {
  /// The failure of a response whose HTTP status is not that of success.
  static func status(_ status: Int, of url: String, _ headers: ResponseHeaders) -> FetchFailure {
    let isStream = url.lowercased().hasPrefix("ws")
    let failure =
      switch status {
      case 429:
        Failure(
          .rateLimited,
          "\(url) limits the rate of requests (HTTP 429); \(isStream ? "will wait" : "use a longer --interval")")
      case 404, 410:
        Failure(
          .badResponse,
          "\(url) does not exist (HTTP \(status)); check the \(isStream ? "address" : "name and --base-url")")
      case 300..<400 where isStream:
        Failure(.badResponse, "\(url) redirects (HTTP \(status)), which is not followed; use the new address")
      case 500...: Failure(.badResponse, "\(url) reports a server error (HTTP \(status))")
      default: Failure(.badResponse, "\(url) responded with HTTP \(status)")
      }
    return FetchFailure(failure, retryAfter: headers.retryAfter(at: Date()), status: status)
  }
}
