import Foundation

/// A body's metadata, outside of its features.
struct FeedMetadata: Equatable, Sendable {
  /// The publisher of the events: `usgs`, `emsc`, `geonet`, `ingv`, … Snapshots of one service are ordered by `generated`.
  var service = unknownService
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

  /// The name of an unknown service.
  static let unknownService = "fdsn"

  /// Takes the time at which the body was generated, unless that is not plausible: a snapshot of the future would make
  /// all later ones look old.
  mutating func takeGenerated(_ value: FieldValue?, until latest: Date) {
    // No service generated a body in the 1970s.
    let value = value?.possibleSeconds.map { FieldValue.number($0 * 1000) } ?? value
    if let value, let date = try? value.date(until: latest) { generated = date }
  }

  /// Takes the service that an event shows, unless one is known.
  mutating func recognizeService(_ service: String?) {
    if let service, self.service == Self.unknownService { self.service = service }
  }
}

/// Why a body is not a feed.
enum FeedFailure: Error, Equatable {
  case empty
  case notJSON(JSONFailure)
  case notAFeed(String)
  case unreadable(String)
  case serviceError(status: Int32, message: String?)
}

extension FeedFailure: CustomStringConvertible {
  /// Completes a sentence that begins with the feed's name.
  var description: String {
    switch self {
    case .empty: "is empty"
    case .notJSON(let failure): "is not a feed: at byte \(failure.position) \(failure)"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notAFeed(let reason): "is not a feed: \(reason)"
    case .serviceError(let status, let message):
      "is not a feed but an error of the service (\(status))" + (message.map { ": \($0.prefix(200))" } ?? "")
    }
  }
}

// MARK: - The summary feeds of the USGS

extension FeedMetadata {
  /// Takes the name under which the body was requested, unless it has one itself; the summary feeds are of the USGS.
  mutating func recognizeFeed(requestedAs name: String) {
    if feed == nil, generated != nil, FeedRequest.knownNames.contains(name) { feed = name }
    if feed != nil { recognizeService("usgs") }
  }

  /// `https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_week.geojson`
  mutating func recognizeFeed(url: String?) {
    guard let url else { return }
    if url.contains("usgs.gov/") { service = "usgs" }
    guard url.contains("/summary/"), let file = url.split(separator: "/").last else { return }
    feed = FeedRequest.knownNames.first { file == $0 || file.hasPrefix($0 + ".") } ?? feed
  }

  /// `USGS All Earthquakes, Past Week`, `USGS Magnitude 4.5+ Earthquakes, Past Day`.
  mutating func recognizeFeed(title: String?) {
    guard let title, title.hasPrefix("USGS ") else { return }
    service = "usgs"
    let words = title.dropFirst(5).lowercased().split { $0 == " " || $0 == "," || $0 == "+" }
    guard let size = words.first(where: { $0 != "magnitude" }), let age = words.last else { return }
    feed = FeedRequest.knownNames.first { $0 == "\(size)_\(age)" } ?? feed
  }
}
