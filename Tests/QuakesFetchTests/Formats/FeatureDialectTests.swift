import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Bodies in the GeoJSON dialects of the services.
enum FeatureSamples {
  static let geoNet = """
    {"type":"FeatureCollection","features":[{"type":"Feature",
    "geometry":{"type":"Point","coordinates":[175.9604034,-40.25862503]},
    "properties":{"publicID":"2019p550078","time":"2019-07-23T12:41:45.724Z","depth":23.02216911,
    "magnitude":1.314204175,"mmi":-1,"locality":"10 km south-west of Dannevirke","quality":"best"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[-179.5,-30]},"properties":{"publicID":"2019p550079",
    "time":"2019-07-23T12:42:00Z","depth":5,"magnitude":4.1,"mmi":3,"locality":"x","quality":"deleted"}}]}
    """

  static func emsc(action: String) -> String {
    #"{"action": "\#(action)", "data": \#(emscFeature)}"#
  }

  static let emscFeature = """
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [28.5381, 40.115, -7.0]}, \
    "id": "20250305_0000090", "properties": {"source_id": "1779128", "source_catalog": "EMSC-RTS", \
    "lastupdate": "2025-03-05T10:06:56.102425Z", "time": "2025-03-05T09:45:07.0Z", \
    "flynn_region": "WESTERN TURKEY", "lat": 40.115, "lon": 28.5381, "depth": 7.0, "evtype": "ke", "auth": "AFAD", \
    "mag": 1.4, "magtype": "ml", "unid": "20250305_0000090"}}
    """

  static let emscList =
    #"{"type":"FeatureCollection","metadata":{"count":1},"features":[\#(emscFeature)]}"#

  /// The USGS's document of a single event, whose products may be large.
  static let detail = feature(
    id: #""us7000abcd""#,
    properties: [
      "net": #""us""#, "code": #""7000abcd""#, "detail": "null",
      "products": #"{"origin":[{"id":"urn:us","properties":{"mag":"9.9","time":"x"},"contents":{"":{"length":3}}}]}"#,
    ])
}

@Suite("GeoJSON dialects") struct FeatureDialectTests {
  @Test func `a document of a single event is read`() throws {
    let result = try parse(FeatureSamples.detail)
    #expect(result.events.map(\.identifier) == ["us7000abcd"] && result.problems.isEmpty && result.isWhole)
    #expect(result.events.first?.magnitude == 1.2)
    #expect(result.metadata.service == "usgs" && result.metadata.feed == nil)
  }

  @Test(arguments: [true, false]) func `an event of the EMSC may have its properties alone`(isInList: Bool) throws {
    let event = """
      {"lastupdate":"2025-03-05T10:06:56Z","type":"Feature","evtype":"ke","lon":28.5381,"lat":40.115,"depth":7,"mag":1.4,\
      "unid":"20250305_0000090","time":"2025-03-05T09:45:07Z","flynn_region":"WESTERN TURKEY"}
      """
    let result = try parse(isInList ? #"{"type":"FeatureCollection","features":[\#(event)]}"# : event)
    #expect(result.problems.isEmpty && result.metadata.service == "emsc")
    let found = try #require(result.events.first)
    #expect(found.identifier == "emsc20250305_0000090" && found.place == "WESTERN TURKEY")
    #expect(found.state.text(.type) == "earthquake")
    #expect(found.latitude == 40.115 && found.longitude == 28.5381 && found.depth == 7)
  }

  @Test func `times in seconds are recognized by the last update`() throws {
    let seconds = try parse(feature(properties: ["time": "1626912000", "updated": "1626912600.5"]))
    #expect(seconds.problems.isEmpty)
    #expect(seconds.events.first?.time == Date(timeIntervalSince1970: 1_626_912_000))
    #expect(seconds.events.first?.updated == Date(timeIntervalSince1970: 1_626_912_600.5))
    // An earthquake of January 1970, described later.
    let milliseconds = try parse(feature(properties: ["time": "1626912000", "updated": "1626912600000"]))
    #expect(milliseconds.events.first?.time == Date(timeIntervalSince1970: 1_626_912))
    let unknown = try parse(feature(properties: ["time": "1626912000", "updated": "null"]))
    #expect(unknown.events.isEmpty && unknown.problems.map(\.reason) == [.ambiguousTime(1_626_912_000)])
    let mixed = try parse(feature(properties: ["time": "1626912000", "updated": #""2021-07-22T00:10:00Z""#]))
    #expect(mixed.events.isEmpty && mixed.problems.count == 1)
    let future = try parse(feature(properties: ["time": "99999999999", "updated": "1626912600"]))
    #expect(future.events.isEmpty && future.problems.count == 1)
    #expect("\(unknown.problems)".contains("in seconds instead of milliseconds"))
  }

  @Test func `a deleted event has its status`() throws {
    let text = feature(properties: ["status": #""deleted""#])
    #expect(try parse(text).events.map { $0.state.text(.status) } == ["deleted"])
  }

  @Test func `properties of GeoNet are read`() throws {
    let result = try parse(FeatureSamples.geoNet)
    #expect(result.metadata.service == "geonet" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "geonet2019p550078", magnitude: 1.314204175, place: "10 km south-west of Dannevirke",
      time: Date(timeIntervalSince1970: 1_563_885_705.724), longitude: 175.9604034, latitude: -40.25862503,
      depth: 23.02216911)
    expected.set([.network: "geonet", .code: "2019p550078", .status: "reviewed"])
    expected.presentFields = [.magnitude, .place, .depth, .mmi, .status, .network, .code]
    #expect(result.events.first == expected)
    #expect(result.events.last?.state.text(.status) == "deleted" && result.events.last?.state.number(.mmi) == 3)
  }

  static let emscBodies = [
    FeatureSamples.emscList, FeatureSamples.emscFeature, FeatureSamples.emsc(action: "create"),
    FeatureSamples.emsc(action: "update"),
  ]

  @Test(arguments: emscBodies)
  func `properties of the EMSC are read`(text: String) throws {
    let result = try parse(text)
    #expect(result.metadata.service == "emsc" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "emsc20250305_0000090", magnitude: 1.4, magnitudeType: "ml", place: "WESTERN TURKEY",
      time: Date(timeIntervalSince1970: 1_741_167_907), updated: Date(timeIntervalSince1970: 1_741_169_216.102425),
      longitude: 28.5381, latitude: 40.115, depth: 7)
    expected.set([.network: "emsc", .code: "20250305_0000090", .type: "earthquake", .locationSource: "afad"])
    expected.presentFields = [
      .magnitude, .magnitudeType, .place, .updated, .depth, .type, .network, .code, .locationSource,
    ]
    #expect(result.events == [expected])
  }

  @Test func `members of an EMSC message may have any order`() throws {
    let text = """
      {"data":{"properties":{"unid":"1","time":"2025-03-05T09:45:07Z","evtype":"sm"},
      "geometry":{"coordinates":[1,2,-7]},"id":"1","type":"Feature"},"action":"delete"}
      """
    let event = try #require(parse(text).events.first)
    #expect(event.identifier == "emsc1" && event.depth == 7)
    #expect(event.state.text(.type) == "mining explosion" && event.state.text(.status) == "deleted")
  }

  @Test func `several messages may follow each other`() throws {
    let text = [FeatureSamples.emsc(action: "create"), FeatureSamples.emsc(action: "update")].joined(separator: "\n")
    let result = try parse(text + "\n")
    #expect(result.events.count == 2 && result.problems.isEmpty && result.isWhole)
  }

  @Test func `nested messages are not events`() throws {
    let text = String(repeating: #"{"data":"#, count: 100_000)
    #expect((try? parse(text).events.isEmpty) ?? true)
  }

  static let feeds: [(url: String, title: String, feed: String?)] = [
    ("https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson", "x", "4.5_week"),
    ("", "USGS All Earthquakes, Past Hour", "all_hour"),
    ("", "USGS Magnitude 2.5+ Earthquakes, Past Day", "2.5_day"),
    ("", "USGS Significant Earthquakes, Past Month", "significant_month"),
    ("https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson", "USGS Earthquakes", nil),
  ]

  @Test(arguments: feeds)
  func `a summary feed is recognized by its URL or title`(url: String, title: String, feed: String?) throws {
    let text = #"{"metadata":{"url":"\#(url)","title":"\#(title)"},"features":[]}"#
    let metadata = try parse(text).metadata
    #expect(metadata.feed == feed && metadata.service == "usgs")
  }

  @Test(arguments: ["1e300", "1e999", "null", "1900000000000", "-1e18"])
  func `an implausible generation date is unknown`(generated: String) throws {
    let result = try? parse(#"{"metadata":{"generated":\#(generated)},"features":[]}"#)
    #expect(result?.metadata.generated == nil)
  }

  @Test func `an unknown service counts as FDSN`() throws {
    #expect(try parse(#"{"features":[]}"#).metadata.service == "fdsn")
  }
}
