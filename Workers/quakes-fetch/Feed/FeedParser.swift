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

/// Streams the events of a GeoJSON body in order, without storing them.
///
/// Reports broken parts with their position and continues after them; a truncated body yields all features before the
/// cut. The bytes must outlive the parser.
struct FeedParser {
  enum Item: Equatable {
    case event(ParsedEvent)
    case problem(FeedProblem)
  }

  enum State {
    case firstFeature
    case afterFeature
    case lost
    case finished
  }

  var metadata = FeedMetadata()
  /// The number of features so far, good and bad.
  private(set) var featureCount = 0

  var scanner: JSONScanner
  var reader = FeatureParser()
  var state = State.finished
  var hasMoreMarkers = true

  /// Parses everything before the features.
  init(_ bytes: UnsafeRawBufferPointer) throws(FeedFailure) {
    scanner = JSONScanner(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    scanner.skipBlanks()
    guard !scanner.isAtEnd else { throw .empty }
    let looksLikeMarkup = bytes[scanner.position] == UInt8(ascii: "<")
    do {
      try readHead()
    } catch {
      throw (error as? FeedFailure)
        ?? .notJSON(error as? JSONFailure ?? scanner.misfit(), looksLikeMarkup: looksLikeMarkup)
    }
  }

  /// The next event or problem; nil at the end of the body.
  mutating func next() -> Item? {
    guard state != .finished else { return nil }
    guard state != .lost else { return loseRest() }
    do {
      guard try moveToFeature() else { return try finish() }
    } catch {
      return breakOutside(error)
    }
    return feature()
  }

  private mutating func feature() -> Item {
    let index = featureCount
    let start = scanner.position
    featureCount += 1
    state = .afterFeature
    do {
      try reader.read(from: &scanner)
    } catch {
      return .problem(breakInside(error, feature: index, start: start))
    }
    guard let trouble = reader.trouble else { return .event(reader.event) }
    return .problem(
      FeedProblem(
        feature: index, position: trouble.position, identifier: reader.identifier, reason: trouble.reason))
  }

  /// Moves to the next feature; returns false after the last.
  private mutating func moveToFeature() throws(JSONFailure) -> Bool {
    if state == .firstFeature { return try !scanner.pass(UInt8(ascii: "]")) }
    guard try scanner.nextElement() else { return false }
    _ = try scanner.peek()
    return true
  }
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
