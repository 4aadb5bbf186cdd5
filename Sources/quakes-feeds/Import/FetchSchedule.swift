/// The time to fetch each feed, on a monotonic clock that includes suspension.
///
/// A feed is fetched again after its interval, or later if the service says that there will be nothing new. After each
/// failure it waits twice as long, up to 15 minutes, or as long as the service asks. Up to a tenth of the interval is
/// added at random, so that workers that start simultaneously do not stay in step.
struct FetchSchedule: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct Entry: Sendable {
    var request: FeedRequest
    var interval: Duration
    var due: Instant
    /// Whether its transfer is under way.
    var isRunning = false
    var failures = 0
    var validators = Validators()
    /// Whether to fetch again as soon as the transfer that is under way ends.
    var isRepeated = false
    /// Whether it is a stream that is connected.
    var isLive = false
    /// For a stream, the index of the feed that lists what it may have missed.
    var listing: Int?
  }

  static let maximumBackOff = Duration.seconds(900)
  /// The longest wait that a service may ask for.
  static let maximumRequestedWait = Duration.seconds(3600)
  /// The shortest interval for the list of a stream that is not connected.
  static let minimumListingInterval = Duration.seconds(300)
  /// The interval for the list of a stream that is connected and brings all news.
  static let idleListingInterval = Duration.seconds(6 * 3600)
  var entries: [Entry]
  /// The largest part of the interval that is added by chance.
  private let jitter: Double
  private var random: any RandomNumberGenerator & Sendable

  /// All feeds are due immediately, also the lists of streams.
  init(
    _ feeds: [(request: FeedRequest, interval: Duration)], now: Instant, jitter: Double = 0.1,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    entries = feeds.map { Entry(request: $0.request, interval: $0.interval, due: now) }
    for index in feeds.indices {
      guard let listing = feeds[index].request.listing.map({ FeedRequest($0) }) else { continue }
      let known = entries.firstIndex { $0.request == listing }
      entries[index].listing = known ?? entries.count
      if known == nil {
        let interval = max(entries[index].interval, Self.minimumListingInterval)
        entries.append(Entry(request: listing, interval: interval, due: now))
      }
    }
    (self.jitter, self.random) = (jitter, random)
  }

  /// The indices of the feeds that are due and not under way, in order.
  func due(at now: Instant) -> [Int] {
    entries.indices.filter { !entries[$0].isRunning && entries[$0].due <= now }
  }

  /// When the next feed is due; nil if all are under way.
  var next: Instant? {
    entries.lazy.filter { !$0.isRunning }.map(\.due).min()
  }

  /// Makes all feeds due that are not under way.
  mutating func makeAllDue(at now: Instant) {
    for index in entries.indices where !entries[index].isRunning { entries[index].due = min(entries[index].due, now) }
  }

  /// Makes the next requests unconditional.
  mutating func forgetValidators() {
    for index in entries.indices { entries[index].validators = Validators() }
  }

  /// Makes all feeds due, without conditions, because the store is another one.
  mutating func restart(at now: Instant) {
    forgetValidators()
    makeAllDue(at: now)
    for index in entries.indices where entries[index].isRunning { entries[index].isRepeated = true }
  }

  /// The part of an entry that the worker hands to its newer version.
  struct Handover: Codable, Sendable {
    var name: String
    var due: Instant
    var failures: Int
  }

  /// A feed that is under way is due immediately: the execution of another program ends its transfer.
  func handover(at now: Instant) -> [Handover] {
    entries.map { Handover(name: $0.request.name, due: $0.isRunning ? now : $0.due, failures: $0.failures) }
  }

  /// Continues the times of a former schedule. Feeds that are new stay due immediately.
  mutating func take(_ former: [Handover], at now: Instant) {
    for index in entries.indices {
      guard let known = former.first(where: { $0.name == entries[index].request.name }) else { continue }
      let longest = max(Self.maximumRequestedWait, entries[index].interval) + entries[index].interval * jitter
      (entries[index].due, entries[index].failures) = (min(known.due, now + longest), known.failures)
    }
  }

  /// - Parameter freshness: how long there will be nothing new, if the service says so.
  mutating func succeeded(_ index: Int, at now: Instant, freshness: Duration?) {
    entries[index].failures = 0
    let isRepeated = entries[index].isRepeated
    let wait = isIdleListing(index) ? Self.idleListingInterval : .zero
    delay(index, from: now, by: max(wait, min(freshness ?? .zero, Self.maximumRequestedWait)))
    if isRepeated { entries[index].due = now }
  }

  /// - Parameter retryAfter: the wait that the service asks for.
  mutating func failed(_ index: Int, at now: Instant, retryAfter: Duration?) {
    let doubled = entries[index].interval * (1 << min(entries[index].failures, 10))
    entries[index].failures += 1
    if entries[index].isLive { missed(index, at: now) }
    entries[index].isLive = false
    delay(
      index, from: now, by: max(min(doubled, Self.maximumBackOff), min(retryAfter ?? .zero, Self.maximumRequestedWait)))
  }

  /// A stream is connected: its list has what happened before.
  mutating func opened(_ index: Int, at now: Instant) {
    entries[index].isLive = true
    guard let listing = entries[index].listing else { return }
    if entries[listing].isRunning { entries[listing].isRepeated = true } else { entries[listing].due = now }
  }

  /// A stream has brought a message: it works, which a connection alone does not show.
  mutating func received(_ index: Int) { entries[index].failures = 0 }

  /// A message of a stream could not be stored: its list has the same.
  mutating func missed(_ index: Int, at now: Instant) {
    guard let listing = entries[index].listing else { return }
    entries[listing].due = min(entries[listing].due, now + entries[listing].interval)
  }

  /// Whether a stream that is connected brings the same as this list.
  private func isIdleListing(_ index: Int) -> Bool { entries.contains { $0.listing == index && $0.isLive } }

  /// Never less than the interval.
  private mutating func delay(_ index: Int, from now: Instant, by wait: Duration) {
    let interval = entries[index].interval
    (entries[index].isRunning, entries[index].isRepeated) = (false, false)
    entries[index].due = now + max(wait, interval) + interval * Double.random(in: 0...jitter, using: &random)
  }
}
