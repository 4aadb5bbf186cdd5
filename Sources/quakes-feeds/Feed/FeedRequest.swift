import Foundation
import StrataQuakes

/// A requested feed and its source.
public struct FeedRequest: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case web(String)
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
  /// - Parameter text: the name of a summary feed or of another service's feed, a URL (http, https, file), a path, `-`, or `sample`.
  /// - Throws: `Failure` if it is neither a feed nor a file.
  public init(_ text: String, baseURL: String = defaultBaseURL) throws(Failure) {
    name = text
    if text == "-" {
      source = .standardInput
    } else if text == "sample" {
      source = .sample
    } else if Self.knownNames.contains(text) {
      source = try Self.location(baseURL + (baseURL.hasSuffix("/") ? "" : "/") + text + ".geojson")
    } else if let feed = ServiceFeed.all.first(where: { $0.name == text }) {
      (source, format, period) = (.web(feed.url), feed.format, feed.period)
    } else {
      source = try Self.location(text)
    }
  }

  private static func location(_ text: String) throws(Failure) -> Source {
    let lower = text.prefix(8).lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return .web(text) }
    if lower.hasPrefix("file://") {
      guard let url = URL(string: text), url.isFileURL else { throw Failure(.usage, "\"\(text)\" is not a file URL") }
      return .file(url.path)
    }
    if text.contains("://") {
      throw Failure(.usage, "cannot fetch \"\(text)\": only http, https and file URLs are supported")
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
