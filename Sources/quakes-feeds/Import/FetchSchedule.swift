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
    /// The time when its last transfer began.
    var beginning: Instant?
    var role = Role.feed
  }

  /// The part that an entry plays in the schedule.
  enum Role: Sendable {
    /// A feed that is fetched at its interval.
    case feed
    /// A stream, which stays connected.
    case stream(Stream)
    /// A list of what streams may have missed; and whether one of them may have, since the last transfer of the list began.
    case listing(isNeeded: Bool)
  }

  struct Stream: Sendable {
    /// The index of the list of what it may have missed; nil if the service does not offer one.
    var listing: Int?
    /// The time when it was connected; nil while it is not.
    var opening: Instant?
    /// The messages in a row that had nothing usable.
    var uselessMessages = 0
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
  /// The largest part of the interval that is added at random.
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
    var stream = Stream()
    if let request = entries[index].request.listingRequest {
      let listing = entries.firstIndex { $0.request == request } ?? entries.count
      if listing == entries.count {
        entries.append(Entry(request: request, interval: max(interval, Self.minimumListingInterval), due: now))
      }
      entries[listing].role = .listing(isNeeded: false)
      stream.listing = listing
    }
    entries[index].role = .stream(stream)
  }

  /// The indices of the feeds that are due and not under way, in order.
  func due(at now: Instant) -> [Int] {
    entries.indices.filter { !entries[$0].isRunning && entries[$0].due <= now }
  }

  /// When the next feed is due, or a stream has lasted long enough; nil if all are under way.
  var next: Instant? { entries.lazy.compactMap { $0.isRunning ? $0.settlement : $0.due }.min() }

  /// Notes that a transfer begins.
  mutating func begin(_ index: Int, at now: Instant) {
    (entries[index].isRunning, entries[index].beginning) = (true, now)
    if case .listing = entries[index].role { entries[index].role = .listing(isNeeded: false) }
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

  /// Notes the success of a transfer, and plans the next one.
  /// - Parameter freshness: how long there will be nothing new, if the service says so.
  mutating func succeed(_ index: Int, at now: Instant, freshness: Duration?) {
    entries[index].failures = 0
    let isRepeated = entries[index].isRepeated
    let wait = isIdle(index) ? Self.idleListingInterval : .zero
    delay(index, from: now, by: max(wait, min(freshness ?? .zero, Self.maximumRequestedWait)))
    if isRepeated { entries[index].due = now }
  }

  /// Whether an entry is the list of a stream that is connected and brings all news.
  private func isIdle(_ index: Int) -> Bool {
    guard case .listing(isNeeded: false) = entries[index].role else { return false }
    return entries.contains { $0.stream?.listing == index && $0.isConnected }
  }

  /// Notes the failure of a transfer, or the end of a stream, and plans the next attempt.
  /// - Parameter retryAfter: the wait that the service asks for.
  mutating func fail(_ index: Int, at now: Instant, retryAfter: Duration?) {
    if let stream = entries[index].stream, let opening = stream.opening {
      if opening + Self.settlingTime <= now, stream.uselessMessages == 0 { entries[index].failures = 0 }
      entries[index].stream?.opening = nil
      requestListing(of: index, at: now)
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
  /// nil if the role is another one.
  var stream: FetchSchedule.Stream? {
    get { if case .stream(let stream) = role { stream } else { nil } }
    set { if let newValue { role = .stream(newValue) } }
  }

  /// Whether it is a stream that is connected.
  var isConnected: Bool { stream?.opening != nil }

  /// The time when a stream that failed before has been connected for long enough. One whose messages are useless never is.
  var settlement: FetchSchedule.Instant? {
    guard let stream, failures > 0, stream.uselessMessages == 0 else { return nil }
    return stream.opening.map { $0 + FetchSchedule.settlingTime }
  }
}

extension FetchSchedule {
  /// Notes that a stream is connected, and requests its list, which has what happened before.
  mutating func open(_ index: Int, at now: Instant) {
    entries[index].stream?.opening = now
    requestListing(of: index, at: now)
  }

  /// Forgets the failures of streams that have been connected for long enough since.
  /// - Returns: the indices of these streams.
  mutating func settle(at now: Instant) -> [Int] {
    let settled = entries.indices.filter { entries[$0].settlement.map { $0 <= now } == true }
    for index in settled { entries[index].failures = 0 }
    return settled
  }

  /// Notes that a stream has brought a message that was stored.
  mutating func receive(_ index: Int) {
    entries[index].failures = 0
    entries[index].stream?.uselessMessages = 0
  }

  /// Notes that a stream has brought a message that had nothing usable.
  ///
  /// - Returns: whether the stream is useless.
  mutating func receiveUseless(_ index: Int) -> Bool {
    guard var stream = entries[index].stream else { return false }
    stream.uselessMessages += 1
    entries[index].stream = stream
    return stream.uselessMessages.isMultiple(of: Self.maximumUselessMessages)
  }

  /// Makes the list of a stream due, which has what the stream may have missed. A list that was fetched a moment ago, or whose
  /// service fails or asks for a pause, is fetched later.
  mutating func requestListing(of index: Int, at now: Instant) {
    guard let listing = entries[index].stream?.listing else { return }
    entries[listing].role = .listing(isNeeded: true)
    guard !entries[listing].isRunning, entries[listing].failures == 0 else { return }
    let earliest = entries[listing].beginning.map { max(now, $0 + Self.minimumListingInterval) } ?? now
    entries[listing].due = min(entries[listing].due, earliest)
  }
}
