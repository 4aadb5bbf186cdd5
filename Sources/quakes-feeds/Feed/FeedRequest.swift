import Foundation
import StrataQuakes

/// A requested feed and its source.
public struct FeedRequest: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case web(String)
    /// A WebSocket, whose messages are bodies.
    case stream(String)
    case file(String)
    case standardInput
    /// Invented, to try the programs without a network.
    case sample
  }

  /// The feed's name in reports and in the store.
  var name: String
  var source: Source
  /// The format of its bodies; nil to recognize it.
  public var format: EventFormat?
  /// The length of the period that is asked for, if the URL depends on the time of the request.
  var period: TimeInterval?
  /// The feed that lists what a stream may have missed.
  var listing: ServiceFeed?
  /// Whether the times of the events' updates order them better than the times at which bodies arrive.
  var isOrderedByUpdates = false

  /// The base URL of the summary feeds: https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
  public static let defaultBaseURL = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary"

  /// The twenty summary feeds of the USGS.
  static let knownNames = ["hour", "day", "week", "month"].flatMap { age in
    ["all", "1.0", "2.5", "4.5", "significant"].map { "\($0)_\(age)" }
  }

}

extension FeedRequest {
  /// A feed as the user names it.
  ///
  /// - Parameter text: the name of a summary feed or of another service's feed, a URL (http, https, ws, wss, file), a path,
  ///   `-`, or `sample`.
  /// - Throws: `Failure` if it is neither a feed nor a file.
  public init(_ text: String, baseURL: String = defaultBaseURL) throws(Failure) {
    if let feed = ServiceFeed.all.first(where: { $0.name == text }) {
      self.init(feed)
    } else {
      self.init(name: text, source: try Self.source(text, baseURL: baseURL))
      isOrderedByUpdates = isStream
    }
  }

  init(_ feed: ServiceFeed) {
    self.init(
      name: feed.name, source: feed.isStream ? .stream(feed.url) : .web(feed.url), format: feed.format,
      period: feed.period, listing: feed.listing.flatMap { name in ServiceFeed.all.first { $0.name == name } },
      isOrderedByUpdates: feed.isOrderedByUpdates)
  }

  /// The address at a service; nil for a local source.
  var url: String? {
    switch source {
    case .web(let url), .stream(let url): url
    case .file, .standardInput, .sample: nil
    }
  }

  /// The same events in one response.
  ///
  /// - Throws: `Failure` for a stream without a list.
  public func once() throws(Failure) -> FeedRequest {
    guard case .stream(let url) = source else { return self }
    guard let listing else {
      throw Failure(.usage, "\(url) is a WebSocket, which has no end; fetch it without --once")
    }
    return list(listing)
  }

  /// The request for the list of a stream.
  var listingRequest: FeedRequest? { listing.map(list) }

  private func list(_ feed: ServiceFeed) -> FeedRequest {
    var request = FeedRequest(feed)
    request.format = format
    return request
  }

  var isStream: Bool { if case .stream = source { true } else { false } }

  private static func source(_ text: String, baseURL: String) throws(Failure) -> Source {
    if text == "-" { return .standardInput }
    if text == "sample" { return .sample }
    guard knownNames.contains(text) else { return try location(text) }
    return try location(baseURL + (baseURL.hasSuffix("/") ? "" : "/") + text + ".geojson")
  }

  private static func location(_ text: String) throws(Failure) -> Source {
    let lower = text.prefix(8).lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .web(text) }
    if lower.hasPrefix("ws://") || lower.hasPrefix("wss://") {
      // Refuses addresses that can never work.
      _ = try WebSocketHandshake(text, userAgent: "")
      return .stream(text)
    }
    if lower.hasPrefix("file://") {
      guard let url = URL(string: text), url.isFileURL else { throw Failure(.usage, "\"\(text)\" is not a file URL") }
      return .file(url.path)
    }
    if text.contains("://") {
      throw Failure(.usage, "cannot fetch \"\(text)\": only http, https, ws, wss and file URLs are supported")
    }
    guard text.contains("/") || access(text, F_OK) == 0 else {
      throw Failure(
        .usage,
        """
        "\(text)" is neither a feed nor a file; the feeds are all, 1.0, 2.5, 4.5 or significant followed by _hour, \
        _day, _week or _month, \(ServiceFeed.all.map(\.name).joined(separator: ", ")), and "sample"
        """)
    }
    return .file(text)
  }
}
