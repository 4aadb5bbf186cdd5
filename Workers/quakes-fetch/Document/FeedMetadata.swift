import Foundation

/// A body's metadata, outside of its features.
struct FeedMetadata: Equatable, Sendable {
  /// Who publishes the events: `usgs`, `emsc`, `geonet`, `ingv`, … Snapshots of one service are ordered by `generated`.
  var service = "usgs"
  /// The summary feed that this is, such as `all_week`, by its own URL or title; nil for anything else.
  var feed: String?
  var title: String?
  /// When the service generated the body.
  var generated: Date?
  /// 200, or the HTTP status in the body of an error.
  var status: Int32?
  var error: String?
  /// The service's own count, which may differ from the array's.
  var count: Int32?
}

/// Why a body is not a feed.
enum FeedFailure: Error, Equatable {
  case empty
  case notJSON(JSONFailure, looksLikeMarkup: Bool)
  case notAFeed(String)
  case serviceError(status: Int32, message: String?)
}

extension FeedFailure: CustomStringConvertible {
  /// Completes a sentence that begins with the feed's name.
  var description: String {
    switch self {
    case .empty: "is empty: there is no feed in it"
    case .notJSON(let failure, let looksLikeMarkup):
      looksLikeMarkup
        ? "is not a feed: it looks like a web page or XML, not GeoJSON"
        : "is not a feed: at byte \(failure.position) \(failure)"
    case .notAFeed(let reason): "is not a feed: \(reason)"
    case .serviceError(let status, let message):
      "is not a feed but an error of the service (\(status))" + (message.map { ": \($0.prefix(200))" } ?? "")
    }
  }
}
