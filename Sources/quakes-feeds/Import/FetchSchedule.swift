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
    /// When its last transfer began.
    var begun: Instant?
    /// When a stream was connected; nil while it is not.
    var opened: Instant?
    /// The messages of a stream in a row that had nothing usable.
    var uselessMessages = 0
    /// For a stream, the index of the feed that lists what it may have missed.
    var listing: Int?
    /// For such a list, whether its stream may have missed something since the last transfer began.
    var isNeeded = false
  }

  static let maximumBackOff = Duration.seconds(900)
  /// The longest wait that a service may ask for.
  static let maximumRequestedWait = Duration.seconds(3600)
  /// The shortest interval for the list of a stream.
  static let minimumListingInterval = Duration.seconds(300)
  /// The interval for the list of a stream that is connected and brings all news.
  static let idleListingInterval = Duration.seconds(6 * 3600)
  /// The longest time until a stream that failed is connected again for the first time.
  static let maximumStreamInterval = Duration.seconds(60)
  /// The time after which a connection that lasts is a success.
  static let settlingTime = Duration.seconds(60)
  /// A service that sends this many useless messages in a row is not one of earthquakes.
  static let maximumUselessMessages = 20
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
    (self.jitter, self.random) = (jitter, random)
    for index in feeds.indices where feeds[index].request.isStream { addStream(index, now: now) }
  }

  private mutating func addStream(_ index: Int, now: Instant) {
    let interval = entries[index].interval
    entries[index].interval = min(interval, Self.maximumStreamInterval)
    guard let listing = entries[index].request.listingRequest else { return }
    let known = entries.firstIndex { $0.request == listing }
    entries[index].listing = known ?? entries.count
    if known == nil {
      entries.append(Entry(request: listing, interval: max(interval, Self.minimumListingInterval), due: now))
    }
  }

  /// The indices of the feeds that are due and not under way, in order.
  func due(at now: Instant) -> [Int] {
    entries.indices.filter { !entries[$0].isRunning && entries[$0].due <= now }
  }

  /// When the next feed is due, or a stream has lasted long enough; nil if all are under way.
  var next: Instant? { entries.lazy.compactMap { $0.isRunning ? $0.settlement : $0.due }.min() }

  mutating func begun(_ index: Int, at now: Instant) {
    (entries[index].isRunning, entries[index].begun, entries[index].isNeeded) = (true, now, false)
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

  /// The part of an entry that the worker hands to its newer version. Validators are not: the newer version may read more
  /// of a body than this one did, so its first requests are unconditional.
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
    let isIdle = !entries[index].isNeeded && entries.contains { $0.listing == index && $0.opened != nil }
    let wait = isIdle ? Self.idleListingInterval : .zero
    delay(index, from: now, by: max(wait, min(freshness ?? .zero, Self.maximumRequestedWait)))
    if isRepeated { entries[index].due = now }
  }

  /// - Parameter retryAfter: the wait that the service asks for.
  mutating func failed(_ index: Int, at now: Instant, retryAfter: Duration?) {
    if let opened = entries[index].opened {
      if opened + Self.settlingTime <= now, entries[index].uselessMessages == 0 { entries[index].failures = 0 }
      entries[index].opened = nil
      missed(index, at: now)
    }
    let doubled = entries[index].interval * (1 << min(entries[index].failures, 10))
    entries[index].failures += 1
    delay(
      index, from: now, by: max(min(doubled, Self.maximumBackOff), min(retryAfter ?? .zero, Self.maximumRequestedWait)))
  }

  /// Never less than the interval.
  private mutating func delay(_ index: Int, from now: Instant, by wait: Duration) {
    let interval = entries[index].interval
    (entries[index].isRunning, entries[index].isRepeated) = (false, false)
    entries[index].due = now + max(wait, interval) + interval * Double.random(in: 0...jitter, using: &random)
  }
}

// MARK: - Streams

extension FetchSchedule.Entry {
  /// When a stream that failed before has been connected for long enough. One whose messages are useless never is.
  var settlement: FetchSchedule.Instant? {
    failures > 0 && uselessMessages == 0 ? opened.map { $0 + FetchSchedule.settlingTime } : nil
  }
}

extension FetchSchedule {
  /// A stream is connected: its list has what happened before.
  mutating func opened(_ index: Int, at now: Instant) {
    entries[index].opened = now
    missed(index, at: now)
  }

  /// The streams that failed before, and have been connected for long enough since.
  mutating func settled(at now: Instant) -> [Int] {
    let settled = entries.indices.filter { entries[$0].settlement.map { $0 <= now } == true }
    for index in settled { entries[index].failures = 0 }
    return settled
  }

  /// A stream has brought a message that was stored.
  mutating func received(_ index: Int) { (entries[index].failures, entries[index].uselessMessages) = (0, 0) }

  /// A stream has brought a message that had nothing usable.
  ///
  /// - Returns: whether the stream is useless.
  mutating func receivedUseless(_ index: Int) -> Bool {
    entries[index].uselessMessages += 1
    return entries[index].uselessMessages.isMultiple(of: Self.maximumUselessMessages)
  }

  /// A stream may have missed something: its list has it. A list that was fetched a moment ago, or whose service fails or asks
  /// for a pause, is fetched later.
  mutating func missed(_ index: Int, at now: Instant) {
    guard let listing = entries[index].listing else { return }
    entries[listing].isNeeded = true
    guard !entries[listing].isRunning, entries[listing].failures == 0 else { return }
    let earliest = entries[listing].begun.map { max(now, $0 + Self.minimumListingInterval) } ?? now
    entries[listing].due = min(entries[listing].due, earliest)
  }
}
