import Foundation

/// Streams the events of a GeoJSON body in order, without storing them.
///
/// Reports broken parts with their position and continues after them; a truncated body yields all features before the
/// cut. The bytes must outlive the parser.
struct GeoJSONParser {
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
  var reader: FeatureParser
  /// The fields that the events lost, told at the end.
  var troubles = FieldTroubles()
  var state = State.finished
  var hasMoreMarkers = true

  /// Parses everything before the features.
  ///
  /// - Parameter latest: the latest time that an event may have.
  init(_ bytes: UnsafeRawBufferPointer, latest: Date) throws(FeedFailure) {
    reader = FeatureParser(latest: latest)
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
    part() ?? troubles.next().map { .problem($0) }
  }

  private mutating func part() -> Item? {
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
      guard try reader.read(from: &scanner) else { return bad(index, reason: .wrongType("a feature"), at: start) }
    } catch {
      return .problem(breakInside(error, feature: index, start: start))
    }
    if let loss = reader.conclude(at: start) { return bad(index, reason: loss.reason, at: loss.position) }
    let draft = reader.draft
    if !draft.troubles.isEmpty { troubles.add(draft.troubles, feature: index, identifier: draft.identifier) }
    return .event(draft.event)
  }

  private func bad(_ feature: Int, reason: FeedProblem.Reason, at position: Int) -> Item {
    .problem(FeedProblem(feature: feature, position: position, identifier: reader.draft.identifier, reason: reason))
  }

  /// Moves to the next feature; returns false after the last.
  private mutating func moveToFeature() throws(JSONFailure) -> Bool {
    if state == .firstFeature { return try !scanner.pass(UInt8(ascii: "]")) }
    guard try scanner.nextElement() else { return false }
    _ = try scanner.peek()
    return true
  }
}
