import Foundation

/// The window of a summary feed: the earthquakes of a period before its generation, from a minimum magnitude.
///
/// The windows are those of the service's own code: by origin time, and with magnitudes rounded to one digit.
struct FeedWindow: Equatable, Sendable {
  var feed: String
  var generated: Date
  /// The earliest origin time.
  var since: Date
  /// nil for every earthquake, with or without a magnitude.
  var minimumMagnitude: Double?
  /// Whether every event of the body was read. Only then does absence mean anything.
  var isWhole: Bool

  /// nil for `significant` feeds, whose rule cannot be judged by an event's fields, and for any other document.
  init?(feed: String, generated: Date, isWhole: Bool) {
    let parts = feed.split(separator: "_")
    guard parts.count == 2, let length = Self.lengths[String(parts[1])] else { return nil }
    switch parts[0] {
    case "all": minimumMagnitude = nil
    case "1.0": minimumMagnitude = 0.95
    case "2.5": minimumMagnitude = 2.45
    case "4.5": minimumMagnitude = 4.45
    default: return nil
    }
    (self.feed, self.generated, self.isWhole) = (feed, generated, isWhole)
    since = generated.addingTimeInterval(-length)
  }

  init(feed: String, generated: Date, since: Date, minimumMagnitude: Double?, isWhole: Bool) {
    (self.feed, self.generated, self.since) = (feed, generated, since)
    (self.minimumMagnitude, self.isWhole) = (minimumMagnitude, isWhole)
  }

  private static let lengths: [String: TimeInterval] = [
    "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000,
  ]
}

extension FeedWindow {
  /// Services revise origin times by up to 77 s.
  static let timeMargin: TimeInterval = 120
  /// Servers behind one address differ by up to a minute.
  static let generatedMargin: TimeInterval = 60

  /// Whether an earthquake that the body does not have was withdrawn, given when its service last listed it.
  func provesAbsence(time: Date, lastSaid: Date) -> Bool {
    isWhole && minimumMagnitude == nil
      && lastSaid.addingTimeInterval(Self.generatedMargin) <= generated
      && since.addingTimeInterval(Self.timeMargin) <= time
      && time <= generated.addingTimeInterval(-Self.timeMargin)
  }

  /// The largest credible number of missing events: the count, or the share of all if that is more. Services withdraw a few
  /// events a week, but a failing server may list nothing, or only a part.
  private static let plausibleAbsences = (count: 5, share: 0.05)

  /// The least time between two bodies of which the second confirms the first: failures of a service last minutes.
  static let confirmationDelay: TimeInterval = 600

  /// Whether a body lacks so many events that it is probably wrong.
  static func isDoubtful(missing: Int, listed: Int) -> Bool {
    guard listed > 0 else { return missing > 0 }
    return missing > max(plausibleAbsences.count, Int(plausibleAbsences.share * Double(listed + missing)))
  }

  /// Whether the window includes everything in an older one.
  func replaces(_ older: FeedWindow) -> Bool {
    older.generated <= generated && since <= older.since && (isWhole || !older.isWhole)
      && (minimumMagnitude ?? -.infinity) <= (older.minimumMagnitude ?? -.infinity)
  }

  /// The windows of one feed whose lists can be deleted: those older than two of the feed's lengths whose neighbors begin
  /// within a quarter of it. A weekly feed that is read every hour keeps all lists of two weeks, and four of each earlier
  /// week.
  ///
  /// - Parameter windows: oldest first.
  static func superfluous(among windows: [FeedWindow]) -> [FeedWindow] {
    guard var kept = windows.first, let newest = windows.last else { return [] }
    let length = kept.generated.timeIntervalSince(kept.since)
    var superfluous: [FeedWindow] = []
    for (window, next) in zip(windows.dropFirst(), windows.dropFirst(2)) {
      if newest.generated.timeIntervalSince(next.generated) < 2 * length { break }
      if next.since.timeIntervalSince(kept.since) < length / 4 { superfluous.append(window) } else { kept = window }
    }
    return superfluous
  }
}
