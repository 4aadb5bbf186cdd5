import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// A body with the given features, and a head and tail as the service writes them.
func feedBody(_ features: [String], count: Int? = nil) -> String {
  #"{"type":"FeatureCollection","metadata":{"generated":1397564044000,"url":"http://example.org/","title":"Test","#
    + #""status":200,"api":"1.0.13","count":\#(count ?? features.count)},"features":["#
    + features.joined(separator: ",\n") + #"],"bbox":[-179.9,-56.9,-9.9,179.5,86.6,578.5]}"#
}

/// A feature as the service writes it, with some members replaced.
func feature(
  id: String = #""us1""#, properties: [String: String] = [:], coordinates: String = "[-150.061,62.1778,18.3]"
) -> String {
  var members = [
    "mag": "1.2", "place": #""11km W of Y, Alaska""#, "time": "1397562567000", "updated": "1397563705627",
    "tz": "null", "url": #""http://example.org/us1""#, "detail": #""http://example.org/us1.geojson""#, "felt": "null",
    "cdi": "null", "mmi": "null", "alert": "null", "status": #""automatic""#, "tsunami": "null", "sig": "22",
    "net": #""us""#, "code": #""1""#, "ids": #"",us1,""#, "sources": #"",us,""#, "types": #"",origin,phase-data,""#,
    "nst": "null", "dmin": "null", "rms": "0.43", "gap": "null", "magType": #""ml""#, "type": #""earthquake""#,
    "title": #""M 1.2 - 11km W of Y, Alaska""#,
  ]
  members.merge(properties) { _, new in new }
  let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
  return
    #"{"type":"Feature","properties":{\#(text)},"geometry":{"type":"Point","coordinates":\#(coordinates)},"id":\#(id)}"#
}

/// The current time of the tests, later than every valid time in their bodies.
let testsNow = Date(timeIntervalSince1970: 1_800_000_000)

/// The contents of a document.
struct ParsedBody {
  var events: [ParsedEvent] = []
  var problems: [FeedProblem] = []
  var metadata = FeedMetadata()
  var format = EventFormat.geoJSON
  var isWhole = false
}

/// Reads a body through a window, of the default size if none is given.
func parse(_ bytes: [UInt8], window size: Int? = nil, largest: Int = BodyWindow.maximumSize) throws -> ParsedBody {
  let body = FeedBody(Data(bytes))
  let window = BodyWindow(body, size: size ?? BodyWindow.defaultSize, maximumSize: largest)
  var document = try EventDocument(window, now: testsNow)
  var result = ParsedBody(format: document.format)
  while let item = document.next() {
    #expect(!document.isWhole)
    switch item {
    case .event(let event): result.events.append(event)
    case .problem(let problem): result.problems.append(problem)
    }
  }
  (result.metadata, result.isWhole) = (document.metadata, document.isWhole)
  return result
}

func parse(_ text: String) throws -> ParsedBody {
  try parse(Array(text.utf8))
}

@Suite("Feed parser") struct FeedParserTests {
  @Test func `every field is read`() throws {
    let text = feature(properties: [
      "felt": "49", "cdi": "6", "mmi": "7.857", "alert": #""red""#, "tsunami": "1", "nst": "412", "dmin": "5.775",
      "gap": "21",
    ])
    let event = try #require(parse(feedBody([text])).events.first)
    var expected = ParsedEvent(
      identifier: "us1", magnitude: 1.2, magnitudeType: "ml", place: "11km W of Y, Alaska",
      time: Date(timeIntervalSince1970: 1_397_562_567), updated: Date(timeIntervalSince1970: 1_397_563_705.627),
      longitude: -150.061, latitude: 62.1778, depth: 18.3)
    expected.set([.url: "http://example.org/us1", .detail: "http://example.org/us1.geojson"])
    expected.set([.felt: 49, .cdi: 6, .mmi: 7.857, .alert: "red"])
    expected.set([.status: "automatic", .tsunami: 1, .significance: 22])
    expected.set([.network: "us", .code: "1", .ids: ",us1,", .sources: ",us,"])
    expected.set([.types: ",origin,phase-data,", .nst: 412, .dmin: 5.775, .rms: 0.43])
    expected.set([.gap: 21, .type: "earthquake", .title: "M 1.2 - 11km W of Y, Alaska"])
    expected.presentFields = QuakeFieldSet(StoredField.all.filter { $0.usgs?.isInSummary == true }.map(\.field))
      .subtracting(QuakeField.ofEveryEvent)
    #expect(event == expected)
  }

  @Test func `uncertainties and sources of a detail document are read`() throws {
    let origin = { (error: String, source: String) in
      #"{"source":"us","properties":{"horizontal-error":"\#(error)","vertical-error":"1.9","magnitude-error":"0.1","#
        + #""magnitude-num-stations-used":"21","origin-source":"\#(source)","magnitude-source":"US","x":{"depth":"9"}}}"#
    }
    let products =
      #"{"dyfi":[{"properties":{"horizontal-error":"7"}}],"origin":[\#(origin("0.5", "CI")),\#(origin("8", "x"))],"#
      + #""phase-data":[\#(origin("9", "y"))]}"#
    for products in [products, "null", "[]", #"{"origin":{},"phase-data":[1,{}]}"#] {
      let result = try parse(feedBody([feature(properties: ["products": products])]))
      let state = try #require(result.events.first).state
      #expect(result.problems.isEmpty)
      guard products.contains("CI") else {
        #expect(state.number(.horizontalError) == nil && state.number(.depth) == 18.3)
        continue
      }
      #expect(state.number(.horizontalError) == 0.5 && state.number(.depthError) == 1.9)
      #expect(state.number(.magnitudeError) == 0.1 && state.integer(.magnitudeStations) == 21)
      #expect(state.text(.locationSource) == "ci" && state.text(.magnitudeSource) == "us")
      #expect(state.number(.depth) == 18.3)
    }
  }

  @Test func `the metadata is read`() throws {
    let metadata = try parse(feedBody([feature()], count: 245)).metadata
    #expect(metadata.generated == Date(timeIntervalSince1970: 1_397_564_044))
    #expect(metadata.title == "Test" && metadata.status == 200 && metadata.count == 245)
  }

  @Test func `null values stay unknown`() throws {
    let event = try #require(
      parse(
        feedBody([
          feature(
            properties: ["mag": "null", "magType": "null", "place": "null", "type": "null"],
            coordinates: "[1,2,null]")
        ])
      ).events.first)
    #expect(event.magnitude == nil && event.magnitudeType == nil && event.place == nil && event.depth == nil)
    #expect(event.state.integer(.tsunami) == nil)
    #expect(event.state.text(.type) == "earthquake")
  }

  @Test func `older forms of values are read`() throws {
    let old = feature(properties: ["status": #""REVIEWED""#, "ids": #""us1,ci2""#, "magType": #""Md""#, "nst": "12.0"])
    let event = try #require(parse(feedBody([old])).events.first)
    #expect(event.state.text(.status) == "reviewed")
    #expect(event.ids == ",us1,ci2,")
    #expect(event.magnitudeType == "Md")
    #expect(event.state.integer(.nst) == 12)
  }

  @Test func `times before 1970 and negative magnitudes are read`() throws {
    let text = feature(properties: ["time": "-2009167200000", "mag": "-1.39"], coordinates: "[-122.4,37.7,-3.2]")
    let event = try #require(parse(feedBody([text])).events.first)
    #expect(event.time == Date(timeIntervalSince1970: -2_009_167_200))
    #expect(event.magnitude == -1.39 && event.depth == -3.2)
  }

  @Test func `an empty feed is valid`() throws {
    for text in [feedBody([]), #"{"features":[]}"#, "\u{FEFF}" + feedBody([])] {
      let result = try parse(text)
      #expect(result.events.isEmpty && result.problems.isEmpty)
    }
  }

  @Test func `members of a feature may have any order`() throws {
    let text =
      #"{ "features" : [ {"id":"a1","geometry":{"coordinates":[1,2]},"properties":{"time":0}} ] , "type" : "FeatureCollection" }"#
    let result = try parse(text)
    #expect(result.events.map(\.identifier) == ["a1"])
    #expect(result.problems.isEmpty)
  }

  private static let nothing = "it has neither a list named \"features\" nor an event's \"properties\""

  static let noFeeds: [(String, FeedFailure)] = [
    ("", FeedFailure.empty), ("  \n", .empty), ("[]", .notAFeed("it is JSON, but not an object")),
    ("{}", .notAFeed("it is an empty object")), (#"{"a":1}"#, .notAFeed(nothing)),
    (#"{"features":null}"#, .notAFeed(nothing)),
    (
      #"{"type":"Feature","id":"us1"}"#,
      .notAFeed(nothing)
    ),
    ("<html></html>", .notAFeed("it is a web page")),
    ("{", .notJSON(JSONFailure(kind: .endOfBody, position: 1))),
    (
      #"{"metadata":{"status":429,"error":"slow down"},"features":[]}"#,
      .serviceError(status: 429, message: "slow down")
    ),
  ]

  @Test(arguments: noFeeds)
  func `text that is not a feed is refused`(text: String, failure: FeedFailure) {
    #expect(throws: failure) { try parse(text) }
  }
}

@Suite("Broken features") struct FeedProblemTests {
  static let badFeatures: [(String, FeedProblem.Reason)] = [
    (feature(id: "null", properties: ["net": "null"]), FeedProblem.Reason.missing("id")),
    (feature(id: "7", properties: ["code": "null"]), .wrongType("id")),
    (feature(properties: ["time": "null"]), .missing("time")),
    (feature(properties: ["time": #""yesterday""#]), .wrongType("time")),
    (
      feature(properties: ["time": "1e300"]),
      .outOfRange("time", value: "1e+297 s after 1970", bounds: "1600-01-01T00:00:00Z to 2027-01-15T09:00:00Z")
    ),
    (
      feature(properties: ["time": "-11676096000001"]),
      .outOfRange("time", value: "1599-12-31T23:59:59.999Z", bounds: "1600-01-01T00:00:00Z to 2027-01-15T09:00:00Z")
    ),
    (
      feature(properties: ["time": "1800003600001"]),
      .outOfRange("time", value: "2027-01-15T09:00:00.001Z", bounds: "1600-01-01T00:00:00Z to 2027-01-15T09:00:00Z")
    ),
    (feature(coordinates: "null"), .missing("coordinates")), (feature(coordinates: "[]"), .missing("coordinates")),
    (feature(coordinates: "[1]"), .missing("coordinates")),
    (feature(coordinates: "[1,95,3]"), .outOfRange("latitude", value: "95", bounds: "-90 to 90")),
    (feature(coordinates: "[361,5,3]"), .outOfRange("longitude", value: "361", bounds: "-360 to 360")),
    (feature(coordinates: #"["E1",2,3]"#), .wrongType("longitude")),
    ("17", .wrongType("a feature")), ("null", .wrongType("a feature")), (#""x""#, .wrongType("a feature")),
    ("[[1]]", .wrongType("a feature")),
    ("{}", .missing("id")), (#"{"type":"Feature","properties":null,"geometry":null,"id":"us9"}"#, .missing("time")),
  ]

  /// The parser reads the valid features around an invalid one, which it reports with its index.
  @Test(arguments: badFeatures)
  func `an invalid feature is reported with its index and reason`(bad: String, reason: FeedProblem.Reason) throws {
    let result = try parse(feedBody([feature(id: #""a""#), bad, feature(id: #""z""#)]))
    #expect(result.events.map(\.identifier) == ["a", "z"])
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1)
    #expect(problem.feature == 1 && problem.reason == reason)
  }

  static let brokenFeatures: [String] = [
    swapped("1.2,", "NaN,"), swapped("1.2,", "Infinity,"), swapped(#""automatic""#, #""auto\qmatic""#),
    swapped(#""automatic","#, #""automatic,"#), swapped(#""us""#, #""us"#), swapped(#""status":"#, #""status""#),
    feature(properties: ["place": "\"two\nlines\""]), feature(coordinates: "[1,2,3"), String(feature().dropLast()),
    String(feature().dropLast(30)), String(feature().dropFirst()), #"{"type":"Feature","id":"us1"#,
    feature(properties: ["deep": String(repeating: "[", count: 100) + String(repeating: "]", count: 100)]),
  ]

  private static func swapped(_ old: String, _ new: String) -> String {
    feature().replacingOccurrences(of: old, with: new)
  }

  @Test(arguments: brokenFeatures)
  func `malformed text affects only one feature`(bad: String) throws {
    let result = try parse(feedBody([feature(id: #""a""#), bad, feature(id: #""y""#), feature(id: #""z""#)]))
    let events = result.events.map(\.identifier).filter { $0 != "us1" }
    #expect(events == ["a", "y", "z"], "\(bad) \(result.problems)")
    #expect(!result.problems.isEmpty || result.events.count == 4)
  }

  @Test func `a problem names the index, the byte and the ID`() throws {
    let text = feedBody([feature(), feature(id: #""us2""#, properties: ["time": "true"])])
    let problem = try #require(parse(text).problems.first)
    let byte = try #require(text.range(of: "\"time\":true")).lowerBound.utf16Offset(in: text) + 7
    #expect(problem.position == byte)
    #expect("\(problem)" == "feature 1 (us2) at byte \(byte): time has the wrong type")
  }

  @Test func `a missing comma between features is reported and skipped`() throws {
    let text = feedBody([feature(id: #""a""#) + "\n" + feature(id: #""b""#), feature(id: #""c""#)])
    let result = try parse(text)
    #expect(result.events.map(\.identifier) == ["a", "b", "c"])
    #expect(result.problems.map(\.feature) == [nil])
  }

  @Test func `text after the feed is reported`() throws {
    let result = try parse(feedBody([feature()]) + "{}")
    #expect(result.events.count == 1)
    #expect(result.problems.count == 1)
  }

  @Test func `a body cut at any byte keeps its complete features`() throws {
    let features = (0..<4).map { feature(id: "\"us\($0)\"", properties: ["place": #""P\u0101hala \"x\" 宮城""#]) }
    let bytes = Array(feedBody(features).utf8)
    let whole = try parse(bytes).events
    var counts: Set<Int> = []
    for length in 0..<bytes.count {
      guard let result = try? parse(Array(bytes[..<length])) else { continue }
      #expect(result.events == Array(whole[..<result.events.count]), "cut at \(length)")
      #expect(result.problems.last?.reason == .cutOff, "cut at \(length)")
      counts.insert(result.events.count)
    }
    #expect(counts == [0, 1, 2, 3, 4])
  }

  @Test func `any corrupt byte is handled`() throws {
    let bytes = Array(feedBody((0..<2).map { feature(id: "\"us\($0)\"") }).utf8)
    for index in bytes.indices {
      for wrong in [UInt8(0x22), 0x5C, 0x7B, 0x5D] {
        var damaged = bytes
        damaged[index] = wrong
        guard let result = try? parse(damaged) else { continue }
        #expect(result.events.count + result.problems.count >= 1)
        #expect(result.events.count <= 2)
      }
    }
  }

  @Test(.endsEventually) func `a body of broken features takes linear time`() throws {
    for piece in [#"{"type":"Feature","#, #"{"type":"Feature"{"#, "{", "{\"", "[{},", #"{"id":1}{"#] {
      let text = #"{"features":["# + String(repeating: piece, count: Thoroughness.repetitions(20_000, all: 200_000))
      _ = try parse(text)
    }
  }
}
