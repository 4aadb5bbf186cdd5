import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Feed requests") struct FeedRequestTests {
  @Test func `feed names resolve below the base URL`() throws {
    #expect(FeedRequest.knownNames.count == 20)
    let request = try FeedRequest("all_week")
    #expect(request.source == .web("https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_week.geojson"))
    #expect(try FeedRequest("4.5_day", baseURL: "http://h/x/").source == .web("http://h/x/4.5_day.geojson"))
    #expect(try FeedRequest("4.5_day", baseURL: "file:///tmp/a%20b").source == .file("/tmp/a b/4.5_day.geojson"))
  }

  @Test func `other sources are used unchanged`() throws {
    #expect(try FeedRequest("-").source == .standardInput)
    #expect(try FeedRequest("sample").source == .sample)
    #expect(try FeedRequest("HTTPS://h/f").source == .web("HTTPS://h/f"))
    #expect(try FeedRequest("file:///tmp/f.geojson").source == .file("/tmp/f.geojson"))
    #expect(try FeedRequest("./f.geojson").source == .file("./f.geojson"))
  }

  @Test(arguments: ["all_wek", "ftp://h/f"]) func `an unknown feed name is a usage error`(text: String) {
    let failure = #expect(throws: Failure.self) { try FeedRequest(text) }
    #expect(failure?.status == .usage)
  }
}

@Suite("The sample feed") struct SampleFeedTests {
  private let now = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func `the sample feed has no problems`() throws {
    let result = try parse(SampleFeed(now: now).text)
    #expect(result.problems.isEmpty)
    #expect(result.events.count == 30)
    #expect(Set(result.events.map(\.identifier)).count == 30)
    #expect(result.events.contains { $0.magnitude == nil })
    #expect(result.events.allSatisfy { $0.place?.hasPrefix("sample: ") == true && $0.network == "sample" })
  }

  @Test func `the sample feed is recent and never in the future`() throws {
    for step in 0..<48 {
      let moment = now.addingTimeInterval(Double(step) * 1801)
      let times = try parse(SampleFeed(now: moment).text).events.map(\.time)
      #expect(try #require(times.max()) <= moment)
      #expect(try #require(times.max()) > moment.addingTimeInterval(-4000))
      #expect(try #require(times.min()) > moment.addingTimeInterval(-7 * 86_400))
    }
  }

  @Test func `the sample feed is stable within a second`() {
    #expect(SampleFeed(now: now).text == SampleFeed(now: now.addingTimeInterval(1)).text)
  }
}

@Suite("Feed loader") struct FeedLoaderTests {
  private func load(_ path: String, limits: WebLimits = WebLimits()) throws -> Data? {
    let loader = try FeedLoader(limits: limits)
    loader.begin(FeedRequest(name: path, source: .file(path)), number: 7)
    let arrivals = loader.arrivals(until: nil)
    #expect(arrivals.map(\.number) == [7])
    let body = try #require(arrivals[0].result).get().body
    return try body.map { try $0.body().read(upTo: 1 << 20) }
  }

  private func withFile(_ bytes: Data, _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
    try bytes.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
  }

  @Test func `a file larger than the limit is refused`() throws {
    try withFile(Data(repeating: 0x20, count: 1000)) { path throws in
      let body = try load(path, limits: WebLimits(maximumSize: 1000))
      #expect(body?.count == 1000)
      let failure = #expect(throws: FetchFailure.self) { try load(path, limits: WebLimits(maximumSize: 999)) }
      #expect(failure?.failure.status == .badResponse)
    }
  }

  @Test(arguments: ["/nowhere/feed.geojson", "/"]) func `an unreadable file is reported`(path: String) {
    let failure = #expect(throws: FetchFailure.self) { try load(path) }
    #expect(failure?.failure.status == .badResponse)
    #expect(failure?.failure.message.contains("cannot read \(path)") == true)
  }

  @Test func `an unchanged body is not delivered again`() throws {
    func text(_ generated: Int, _ event: String) -> Data {
      Data(#"{"metadata":{"generated":\#(generated),"count":1},"features":["\#(event)"]}"#.utf8)
    }
    try withFile(text(1, "a")) { path throws in
      let loader = try FeedLoader()
      var validators = Validators()
      for (generated, event, isNew) in [(1, "a", true), (22, "a", false), (22, "b", true), (3, "b", false)] {
        try text(generated, event).write(to: URL(fileURLWithPath: path))
        loader.begin(FeedRequest(name: path, source: .file(path)), unlessUnchanged: validators, number: 0)
        let answer = try #require(loader.arrivals(until: nil)[0].result).get()
        #expect((answer.body != nil) == isNew, "\(generated) \(event)")
        validators = answer.validators ?? validators
      }
    }
  }

  @Test func `a body can be read twice`() throws {
    try withFile(Data("abc".utf8)) { path throws in
      let loader = try FeedLoader()
      loader.begin(FeedRequest(name: path, source: .file(path)), number: 0)
      let body = try #require(try loader.arrivals(until: nil)[0].result?.get().body)
      for _ in 0..<2 { #expect(try body.body().read(upTo: 10) == Data("abc".utf8)) }
    }
  }

  @Test func `waiting ends at the deadline`() throws {
    let loader = try FeedLoader()
    let start = ContinuousClock.now
    #expect(loader.arrivals(until: start + .milliseconds(20)).isEmpty)
    #expect(ContinuousClock.now >= start + .milliseconds(20))
    #expect(loader.arrivals(until: start).isEmpty)
  }
}
