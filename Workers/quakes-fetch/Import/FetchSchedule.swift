import Foundation

/// When to fetch each feed.
///
/// After each failure a feed waits twice as long, up to 15 minutes, or as long as the service asks.
struct FetchSchedule: Sendable {
  struct Entry: Sendable {
    var request: FeedRequest
    /// In seconds.
    var interval: TimeInterval
    var due: Date
    var failures = 0
    var validators = WebClient.Validators()
  }

  static let longestWait: TimeInterval = 900

  var entries: [Entry]

  /// All feeds are due at once.
  init(_ feeds: [(request: FeedRequest, interval: TimeInterval)], now: Date) {
    entries = feeds.map { Entry(request: $0.request, interval: $0.interval, due: now) }
  }

  /// The indices of the feeds that are due, in order.
  func due(at now: Date) -> [Int] {
    entries.indices.filter { entries[$0].due <= now }
  }

  /// Seconds until the next feed is due, at least 0.
  func wait(from now: Date) -> TimeInterval {
    max(0, entries.map { $0.due.timeIntervalSince(now) }.min() ?? 0)
  }

  mutating func succeeded(_ index: Int, at now: Date) {
    entries[index].failures = 0
    entries[index].due = now.addingTimeInterval(entries[index].interval)
  }

  mutating func failed(_ index: Int, at now: Date, retryAfter: TimeInterval?) {
    let doubled = entries[index].interval * pow(2, Double(min(entries[index].failures, 10)))
    entries[index].failures += 1
    // Never less than the normal interval, even if that exceeds the longest wait.
    let wait = max(min(doubled, Self.longestWait), entries[index].interval)
    entries[index].due = now.addingTimeInterval(max(wait, retryAfter ?? 0))
  }
}
