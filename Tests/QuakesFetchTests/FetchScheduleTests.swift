import Foundation
import Testing

@testable import StrataQuakesFeeds

/// Knuth's linear congruential generator, with the same numbers in each run.
private struct SeededRandom: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

@Suite("Fetch schedule") struct FetchScheduleTests {
  private let start = ContinuousClock.now

  private func schedule(_ seconds: Int, jitter: Double = 0, seed: UInt64 = 0) -> FetchSchedule {
    FetchSchedule(
      [(FeedRequest(name: "a", source: .sample), .seconds(seconds))], now: start, jitter: jitter,
      random: SeededRandom(state: seed << 32))
  }

  /// The wait from the start, in seconds.
  private func wait(_ schedule: FetchSchedule) throws -> Double {
    try start.duration(to: #require(schedule.next)) / .seconds(1)
  }

  @Test func `a fetch is due immediately and then at every interval`() throws {
    var schedule = schedule(60)
    #expect(schedule.due(at: start) == [0])
    schedule.succeed(0, at: start, freshness: nil)
    #expect(schedule.due(at: start + .seconds(59)).isEmpty)
    #expect(try wait(schedule) == 60)
    #expect(schedule.due(at: start + .seconds(60)) == [0])
  }

  @Test func `a newer version of the worker keeps the times and repeats a running fetch`() throws {
    var former = schedule(60)
    former.fail(0, at: start, retryAfter: .seconds(300))
    var newer = schedule(60)
    newer.take(former.handover(at: start), at: start)
    #expect(try wait(newer) == 300 && newer.entries[0].failures == 1)
    former.entries[0].isRunning = true
    former.entries[0].validators = Validators(etag: "a", lastModified: "b")
    newer.take(former.handover(at: start + .seconds(7)), at: start)
    #expect(try wait(newer) == 7)
    #expect(newer.entries[0].validators == Validators(), "the first requests are unconditional")
    // Nothing is put off for longer than a service may ask for, and other feeds stay due.
    newer.take([.init(name: "a", due: start + .seconds(99_999), failures: 0)], at: start)
    #expect(try wait(newer) == 3600)
    var other = schedule(60)
    other.take([.init(name: "b", due: start + .seconds(9), failures: 0)], at: start)
    #expect(other.due(at: start) == [0])
  }

  @Test func `a restart repeats a running fetch without conditions`() {
    var schedule = schedule(60)
    schedule.entries[0].isRunning = true
    schedule.entries[0].validators = Validators(etag: "a")
    schedule.restart(at: start)
    #expect(schedule.due(at: start).isEmpty && schedule.entries[0].validators == Validators())
    schedule.succeed(0, at: start, freshness: .seconds(600))
    #expect(schedule.due(at: start) == [0])
    schedule.succeed(0, at: start, freshness: nil)
    #expect(schedule.due(at: start).isEmpty)
    // After a failure, the feed waits as after each other one.
    schedule.entries[0].isRunning = true
    schedule.restart(at: start)
    schedule.fail(0, at: start, retryAfter: .seconds(100))
    #expect(schedule.due(at: start + .seconds(99)).isEmpty)
  }

  @Test func `a running fetch is not due`() {
    var schedule = schedule(60)
    schedule.entries[0].isRunning = true
    #expect(schedule.due(at: start + .seconds(600)).isEmpty)
    #expect(schedule.next == nil)
    schedule.fail(0, at: start, retryAfter: nil)
    #expect(schedule.next != nil)
  }

  @Test func `repeated failures double the wait up to 15 minutes`() throws {
    var schedule = schedule(60)
    var waits: [Double] = []
    for _ in 0..<6 {
      schedule.fail(0, at: start, retryAfter: nil)
      waits.append(try wait(schedule))
    }
    #expect(waits == [60, 120, 240, 480, 900, 900])
    schedule.succeed(0, at: start, freshness: nil)
    #expect(try wait(schedule) == 60)
  }

  @Test func `a service can extend the wait up to an hour`() throws {
    var schedule = schedule(60)
    for (wish, seconds) in [(1800, 1800.0), (86_400, 3600), (10, 60)] {
      schedule.succeed(0, at: start, freshness: .seconds(wish))
      #expect(try wait(schedule) == seconds)
      schedule.fail(0, at: start, retryAfter: .seconds(wish))
      #expect(try wait(schedule) == seconds)
    }
    var slow = self.schedule(7200)
    slow.fail(0, at: start, retryAfter: .seconds(60))
    #expect(try wait(slow) == 7200)
  }

  @Test func `jitter adds up to a tenth of the interval`() throws {
    var waits: Set<Double> = []
    for seed in 0..<50 as Range<UInt64> {
      var schedule = schedule(60, jitter: 0.1, seed: seed)
      schedule.succeed(0, at: start, freshness: .seconds(90))
      waits.insert(try wait(schedule))
      var same = self.schedule(60, jitter: 0.1, seed: seed)
      same.succeed(0, at: start, freshness: .seconds(90))
      #expect(same.next == schedule.next)
    }
    #expect(waits.allSatisfy { 90...96 ~= $0 } && waits.count > 40)
  }

  /// A stream, whose list is at index 1.
  private func streamSchedule(interval: Int = 60) throws -> FetchSchedule {
    FetchSchedule([(try FeedRequest("emsc"), .seconds(interval))], now: start, jitter: 0)
  }

  /// The seconds from the start until an entry is due.
  private func due(_ index: Int, in schedule: FetchSchedule) -> Double {
    start.duration(to: schedule.entries[index].due) / .seconds(1)
  }

  @Test func `the list of a stream is fetched at the start, after it connects, and rarely while it is connected`()
    throws
  {
    var schedule = try streamSchedule()
    #expect(schedule.entries.map(\.request.name) == ["emsc", "emsc_day"] && schedule.due(at: start) == [0, 1])
    for index in 0...1 { schedule.begin(index, at: start) }
    // The list was requested before the stream connected.
    schedule.open(0, at: start + .seconds(5))
    schedule.succeed(1, at: start + .seconds(6), freshness: nil)
    #expect(due(1, in: schedule) == 306)
    schedule.begin(1, at: start + .seconds(306))
    schedule.succeed(1, at: start + .seconds(306), freshness: nil)
    #expect(due(1, in: schedule) == 306 + 6 * 3600)
  }

  @Test func `the list takes over when its stream fails, and follows when it connects`() throws {
    var schedule = try streamSchedule()
    for index in 0...1 { schedule.begin(index, at: start) }
    schedule.open(0, at: start)
    schedule.succeed(1, at: start, freshness: nil)
    schedule.begin(1, at: start + .seconds(300))
    schedule.succeed(1, at: start + .seconds(300), freshness: nil)
    schedule.fail(0, at: start + .seconds(1000), retryAfter: nil)
    #expect(due(0, in: schedule) == 1060 && due(1, in: schedule) == 1000)
    schedule.begin(1, at: start + .seconds(1000))
    schedule.succeed(1, at: start + .seconds(1001), freshness: nil)
    #expect(due(1, in: schedule) == 1301)
    // Connected again, it is not asked a moment after the last request.
    schedule.begin(0, at: start + .seconds(1060))
    schedule.open(0, at: start + .seconds(1061))
    #expect(due(1, in: schedule) == 1300)
  }

  @Test func `a stream does not shorten the pause that the service of its list asks for`() throws {
    var schedule = try streamSchedule()
    for index in 0...1 { schedule.begin(index, at: start) }
    schedule.fail(1, at: start, retryAfter: .seconds(3600))
    for second in 0..<5 {
      schedule.open(0, at: start + .seconds(second * 100))
      schedule.requestListing(of: 0, at: start + .seconds(second * 100 + 1))
      schedule.fail(0, at: start + .seconds(second * 100 + 2), retryAfter: nil)
    }
    #expect(due(1, in: schedule) == 3600)
  }

  @Test func `a stream that connects and ends is tried less and less often, unless it lasted or brought messages`()
    throws
  {
    var schedule = try streamSchedule(interval: 3600)
    func wait(after seconds: Int) -> Double {
      schedule.begin(0, at: start)
      schedule.open(0, at: start)
      schedule.fail(0, at: start + .seconds(seconds), retryAfter: nil)
      return due(0, in: schedule) - Double(seconds)
    }
    #expect([wait(after: 1), wait(after: 1), wait(after: 59)] == [60, 120, 240])
    #expect([wait(after: 60), wait(after: 1)] == [60, 120])
    schedule.receive(0)
    #expect(wait(after: 1) == 60)
  }

  @Test func `a stream that failed is well again after it has been connected for a minute`() throws {
    var schedule = try streamSchedule()
    for index in 0...1 { schedule.begin(index, at: start) }
    schedule.fail(0, at: start, retryAfter: nil)
    schedule.begin(0, at: start)
    schedule.open(0, at: start)
    #expect(schedule.next == start + .seconds(60))
    let settled = [59, 60, 60].map { schedule.settle(at: start + .seconds($0)) }
    #expect(settled == [[], [0], []])
    #expect(schedule.next == nil)
  }

  @Test func `twenty useless messages in a row end a stream, which is not well before a useful one`() throws {
    var schedule = try streamSchedule()
    for _ in 0..<2 {
      schedule.receive(0)
      let areUseless = (1...20).map { _ in schedule.receiveUseless(0) }
      #expect(areUseless == Array(repeating: false, count: 19) + [true])
    }
    schedule.begin(0, at: start)
    schedule.open(0, at: start)
    schedule.fail(0, at: start + .seconds(3600), retryAfter: nil)
    schedule.begin(0, at: start + .seconds(3660))
    schedule.open(0, at: start + .seconds(3660))
    let settled = schedule.settle(at: start + .seconds(9999))
    #expect(settled.isEmpty)
    schedule.fail(0, at: start + .seconds(9999), retryAfter: nil)
    #expect(due(0, in: schedule) == 9999 + 120)
  }

  @Test func `a list that is a feed of its own is fetched at its own interval`() throws {
    let feeds = try [("emsc_day", 600), ("emsc", 60)].map { (try FeedRequest($0.0), Duration.seconds($0.1)) }
    let schedule = FetchSchedule(feeds, now: start, jitter: 0)
    #expect(schedule.entries.count == 2 && schedule.entries[1].stream?.listing == 0)
  }
}
