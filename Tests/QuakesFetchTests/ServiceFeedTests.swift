import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Feeds of services") struct ServiceFeedTests {
  @Test func `feeds have names of their own`() throws {
    #expect(try FeedRequest("jma").source == .web("https://www.jma.go.jp/bosai/quake/data/list.json"))
    #expect(Set(ServiceFeed.all.map(\.name)).count == ServiceFeed.all.count)
    #expect(Set(ServiceFeed.all.map(\.name)).isDisjoint(with: FeedRequest.knownNames))
    for feed in ServiceFeed.all {
      let request = try FeedRequest(feed.name)
      #expect(request.period == feed.period && request.format == feed.format)
    }
  }

  @Test func `the address of a period ends ten minutes after the request`() throws {
    let now = try #require(ISO8601.date("2021-07-21T12:34:56.789Z"))
    let (feed, url) = (try FeedRequest("afad_day"), "https://deprem.afad.gov.tr/apiv2/event/filter")
    #expect(feed.source == .web(url))
    #expect(
      ServiceFeed.url(url, period: feed.period, at: now)
        == "https://deprem.afad.gov.tr/apiv2/event/filter?start=2021-07-20T12:34:56&end=2021-07-21T12:44:56&format=json"
    )
    #expect(ServiceFeed.url("http://h/f", period: nil, at: now) == "http://h/f")
  }

  @Test func `a stream is fetched once as the list of the same events`() throws {
    let stream = try FeedRequest("emsc")
    #expect(stream.source == .stream("wss://www.seismicportal.eu/standing_order/websocket"))
    #expect(try stream.once() == FeedRequest("emsc_day") && stream.listing?.name == "emsc_day")
    #expect(try FeedRequest("jma").once() == FeedRequest("jma"))
    let other = try FeedRequest("ws://host/path")
    #expect(other.source == .stream("ws://host/path"))
    #expect(throws: Failure.self) { try other.once() }
  }
}
