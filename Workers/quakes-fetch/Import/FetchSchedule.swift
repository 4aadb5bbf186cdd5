import Foundation

/// Which feed is due when.
///
/// A feed that failed waits twice as long each time, at most 15 minutes, or as long as the service asks for.
struct FetchSchedule: Sendable {
  struct Entry: Sendable {
    var request: FeedRequest
    /// Seconds.
    var interval: TimeInterval
    var due: Date
    var failures = 0
    var validators = WebClient.Validators()
  }

  static let longestWait: TimeInterval = 900

  var entries: [Entry]

  /// All are due at once.
  init(_ feeds: [(request: FeedRequest, interval: TimeInterval)], now: Date) {
    entries = feeds.map { Entry(request: $0.request, interval: $0.interval, due: now) }
  }

  /// The feeds to fetch now, in the order in which they were given.
  func due(at now: Date) -> [Int] {
    entries.indices.filter { entries[$0].due <= now }
  }

  /// Seconds until the next feed is due, never negative.
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
    // Never sooner than the plain interval, even if that alone is longer than the longest wait.
    let wait = max(min(doubled, Self.longestWait), entries[index].interval)
    entries[index].due = now.addingTimeInterval(max(wait, retryAfter ?? 0))
  }
}
