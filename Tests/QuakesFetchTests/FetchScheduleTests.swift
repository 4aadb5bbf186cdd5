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
    schedule.succeeded(0, at: start, freshness: nil)
    #expect(schedule.due(at: start + .seconds(59)).isEmpty)
    #expect(try wait(schedule) == 60)
    #expect(schedule.due(at: start + .seconds(60)) == [0])
  }

  @Test func `a newer version of the worker keeps the times and repeats a running fetch`() throws {
    var former = schedule(60)
    former.failed(0, at: start, retryAfter: .seconds(300))
    var newer = schedule(60)
    newer.take(former.handover(at: start), at: start)
    #expect(try wait(newer) == 300 && newer.entries[0].failures == 1)
    former.entries[0].isRunning = true
    newer.take(former.handover(at: start + .seconds(7)), at: start)
    #expect(try wait(newer) == 7)
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
    schedule.succeeded(0, at: start, freshness: .seconds(600))
    #expect(schedule.due(at: start) == [0])
    schedule.succeeded(0, at: start, freshness: nil)
    #expect(schedule.due(at: start).isEmpty)
    // After a failure, the feed waits as after each other one.
    schedule.entries[0].isRunning = true
    schedule.restart(at: start)
    schedule.failed(0, at: start, retryAfter: .seconds(100))
    #expect(schedule.due(at: start + .seconds(99)).isEmpty)
  }

  @Test func `a running fetch is not due`() {
    var schedule = schedule(60)
    schedule.entries[0].isRunning = true
    #expect(schedule.due(at: start + .seconds(600)).isEmpty)
    #expect(schedule.next == nil)
    schedule.failed(0, at: start, retryAfter: nil)
    #expect(schedule.next != nil)
  }

  @Test func `repeated failures double the wait up to 15 minutes`() throws {
    var schedule = schedule(60)
    var waits: [Double] = []
    for _ in 0..<6 {
      schedule.failed(0, at: start, retryAfter: nil)
      waits.append(try wait(schedule))
    }
    #expect(waits == [60, 120, 240, 480, 900, 900])
    schedule.succeeded(0, at: start, freshness: nil)
    #expect(try wait(schedule) == 60)
  }

  @Test func `a service can extend the wait up to an hour`() throws {
    var schedule = schedule(60)
    for (wish, seconds) in [(1800, 1800.0), (86_400, 3600), (10, 60)] {
      schedule.succeeded(0, at: start, freshness: .seconds(wish))
      #expect(try wait(schedule) == seconds)
      schedule.failed(0, at: start, retryAfter: .seconds(wish))
      #expect(try wait(schedule) == seconds)
    }
    var slow = self.schedule(7200)
    slow.failed(0, at: start, retryAfter: .seconds(60))
    #expect(try wait(slow) == 7200)
  }

  @Test func `jitter adds up to a tenth of the interval`() throws {
    var waits: Set<Double> = []
    for seed in 0..<50 as Range<UInt64> {
      var schedule = schedule(60, jitter: 0.1, seed: seed)
      schedule.succeeded(0, at: start, freshness: .seconds(90))
      waits.insert(try wait(schedule))
      var same = self.schedule(60, jitter: 0.1, seed: seed)
      same.succeeded(0, at: start, freshness: .seconds(90))
      #expect(same.next == schedule.next)
    }
    #expect(waits.allSatisfy { 90...96 ~= $0 } && waits.count > 40)
  }

  /// A stream, whose list is at index 1.
  private func streamSchedule(interval: Int = 60) throws -> FetchSchedule {
    FetchSchedule([(try FeedRequest("emsc"), .seconds(interval))], now: start, jitter: 0)
  }

  @Test func `the list of a stream is fetched at the start, when it connects, and rarely while it is connected`() throws
  {
    var schedule = try streamSchedule()
    #expect(schedule.entries.map(\.request.name) == ["emsc", "emsc_day"] && schedule.due(at: start) == [0, 1])
    schedule.entries[0].isRunning = true
    schedule.succeeded(1, at: start, freshness: nil)
    #expect(try wait(schedule) == 300)
    schedule.opened(0, at: start + .seconds(5))
    #expect(schedule.due(at: start + .seconds(5)) == [1])
    schedule.succeeded(1, at: start, freshness: nil)
    #expect(try wait(schedule) == 6 * 3600)
  }

  @Test func `a list that is under way when its stream connects is fetched again`() throws {
    var schedule = try streamSchedule()
    for index in 0...1 { schedule.entries[index].isRunning = true }
    schedule.opened(0, at: start)
    #expect(schedule.due(at: start).isEmpty)
    schedule.succeeded(1, at: start, freshness: nil)
    #expect(schedule.due(at: start) == [1])
  }

  @Test func `the list takes over when its stream fails`() throws {
    var schedule = try streamSchedule()
    for index in 0...1 { schedule.entries[index].isRunning = true }
    schedule.opened(0, at: start)
    schedule.entries[1].isRepeated = false
    schedule.succeeded(1, at: start, freshness: nil)
    schedule.failed(0, at: start, retryAfter: nil)
    #expect(schedule.entries[0].due == start + .seconds(60) && schedule.entries[1].due == start + .seconds(300))
    schedule.succeeded(1, at: start, freshness: nil)
    #expect(schedule.entries[1].due == start + .seconds(300))
  }

  @Test func `a stream that connects and brings nothing is tried less and less often`() throws {
    var schedule = try streamSchedule()
    var waits: [Duration] = []
    for _ in 0..<3 {
      schedule.opened(0, at: start)
      schedule.failed(0, at: start, retryAfter: nil)
      waits.append(start.duration(to: schedule.entries[0].due))
    }
    schedule.received(0)
    schedule.failed(0, at: start, retryAfter: nil)
    waits.append(start.duration(to: schedule.entries[0].due))
    #expect(waits == [60, 120, 240, 60].map { .seconds($0) })
  }

  @Test func `a message that could not be stored is fetched with the list`() throws {
    var schedule = try streamSchedule()
    schedule.opened(0, at: start)
    schedule.succeeded(1, at: start, freshness: nil)
    schedule.missed(0, at: start)
    #expect(schedule.entries[1].due == start + .seconds(300))
  }

  @Test func `a list that is a feed of its own is fetched at its own interval`() throws {
    let feeds = try [("emsc_day", 600), ("emsc", 60)].map { (try FeedRequest($0.0), Duration.seconds($0.1)) }
    let schedule = FetchSchedule(feeds, now: start, jitter: 0)
    #expect(schedule.entries.count == 2 && schedule.entries[1].listing == 0)
  }
}
