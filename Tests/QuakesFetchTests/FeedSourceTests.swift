import Foundation
import Testing

@testable import StrataQuakes
@testable import strata_quakes_fetch

@Suite("What a feed is called") struct FeedRequestTests {
  @Test func namesStandBelowTheBase() throws {
    #expect(FeedRequest.knownNames.count == 20)
    let request = try FeedRequest("all_week")
    #expect(request.source == .web("https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_week.geojson"))
    #expect(try FeedRequest("4.5_day", baseURL: "http://h/x/").source == .web("http://h/x/4.5_day.geojson"))
    #expect(try FeedRequest("4.5_day", baseURL: "file:///tmp/a%20b").source == .file("/tmp/a b/4.5_day.geojson"))
  }

  @Test func otherPlacesAreTakenAsTheyAre() throws {
    #expect(try FeedRequest("-").source == .standardInput)
    #expect(try FeedRequest("sample").source == .sample)
    #expect(try FeedRequest("HTTPS://h/f").source == .web("HTTPS://h/f"))
    #expect(try FeedRequest("file:///tmp/f.geojson").source == .file("/tmp/f.geojson"))
    #expect(try FeedRequest("./f.geojson").source == .file("./f.geojson"))
  }

  @Test(arguments: ["all_wek", "ftp://h/f"]) func aSlipOfThePenIsAWrongCall(text: String) {
    let failure = #expect(throws: Failure.self) { try FeedRequest(text) }
    #expect(failure?.status == .usage)
  }
}

@Suite("The sample feed") struct SampleFeedTests {
  private let now = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func itIsAFeedWithoutFault() throws {
    let result = try parse(SampleFeed(now: now).text)
    #expect(result.problems.isEmpty)
    #expect(result.events.count == 30)
    #expect(Set(result.events.map(\.identifier)).count == 30)
    #expect(result.events.contains { $0.magnitude == nil })
    #expect(result.events.allSatisfy { $0.place?.hasPrefix("sample: ") == true && $0.network == "sample" })
  }

  @Test func nothingLiesAheadAndSomethingIsFresh() throws {
    for step in 0..<48 {
      let moment = now.addingTimeInterval(Double(step) * 1801)
      let times = try parse(SampleFeed(now: moment).text).events.map(\.time)
      #expect(try #require(times.max()) <= moment)
      #expect(try #require(times.max()) > moment.addingTimeInterval(-4000))
      #expect(try #require(times.min()) > moment.addingTimeInterval(-7 * 86_400))
    }
  }

  @Test func aSecondReadingIsTheSame() {
    #expect(SampleFeed(now: now).text == SampleFeed(now: now.addingTimeInterval(1)).text)
  }
}

@Suite("Files and their limits") struct FeedLoaderTests {
  private func load(_ path: String, _ loader: FeedLoader = FeedLoader()) throws(FetchFailure) -> Data? {
    var validators = WebClient.Validators()
    return try loader.load(FeedRequest(name: path, source: .file(path)), validators: &validators)
  }

  @Test func aFileIsReadUpToTheLimit() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
    try Data(repeating: 0x20, count: 1000).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var loader = FeedLoader()
    loader.web.maximumSize = 1000
    #expect(try load(url.path, loader)?.count == 1000)
    loader.web.maximumSize = 999
    let failure = #expect(throws: FetchFailure.self) { try load(url.path, loader) }
    #expect(failure?.failure.status == .badAnswer)
  }

  @Test(arguments: ["/nowhere/feed.geojson", "/"]) func whatCannotBeReadIsTold(path: String) {
    let failure = #expect(throws: FetchFailure.self) { try load(path) }
    #expect(failure?.failure.status == .badAnswer)
    #expect(failure?.failure.message.contains("cannot read \(path)") == true)
  }
}

@Suite("When a feed is due") struct FetchScheduleTests {
  private let start = Date(timeIntervalSince1970: 0)

  private func schedule(_ interval: TimeInterval) -> FetchSchedule {
    FetchSchedule([(FeedRequest(name: "a", source: .sample), interval)], now: start)
  }

  @Test func itIsDueAtOnceAndThenEveryInterval() {
    var schedule = schedule(60)
    #expect(schedule.due(at: start) == [0])
    schedule.succeeded(0, at: start)
    #expect(schedule.due(at: start.addingTimeInterval(59)).isEmpty)
    #expect(schedule.wait(from: start) == 60)
    #expect(schedule.due(at: start.addingTimeInterval(60)) == [0])
  }

  @Test func failuresWaitLongerAndLonger() {
    var schedule = schedule(60)
    var waits: [TimeInterval] = []
    for _ in 0..<6 {
      schedule.failed(0, at: start, retryAfter: nil)
      waits.append(schedule.wait(from: start))
    }
    #expect(waits == [60, 120, 240, 480, 900, 900])
    schedule.succeeded(0, at: start)
    #expect(schedule.wait(from: start) == 60)
  }

  @Test func theServiceMayAskForMore() {
    var schedule = schedule(60)
    schedule.failed(0, at: start, retryAfter: 1800)
    #expect(schedule.wait(from: start) == 1800)
    var slow = self.schedule(3600)
    slow.failed(0, at: start, retryAfter: nil)
    #expect(slow.wait(from: start) == 3600)
  }
}
