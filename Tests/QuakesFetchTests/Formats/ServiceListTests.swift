import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Bodies in the services' own lists, with invented events.
enum ServiceListSamples {
  static let afad = """
    [{"rms":"0.68","eventID":"527064","location":"Yer (Il)","latitude":"39.1","longitude":"28.2","depth":"12.5",
    "type":"ML","magnitude":"1.4","country":"X","province":null,"date":"2021-07-21T12:34:56","isEventUpdate":false,
    "lastUpdateDate":null},
    {"eventID":527065,"date":"2021-07-21T12:34:57","latitude":39,"longitude":28,"depth":-0.5,"type":"MW",
    "magnitude":"4","location":"","lastUpdateDate":"2021-07-21T13:00:00"}]
    """

  /// - Parameter time: of day in Japan.
  static func jmaReport(
    _ event: String, at time: String, reported: String, position: String = "+31.1+130.4-140000/",
    magnitude: String = "3.6", more: String = ""
  ) -> String {
    """
    {"ctt":"1","eid":"\(event)","rdt":"2021-07-21T\(reported)+09:00","ttl":"x","ift":"発表","at":"2021-07-21T\(time)",\
    "anm":"沖","cod":"\(position)","mag":"\(magnitude)","maxi":"1",\
    "int":[{"code":"46","maxi":"1","city":[{"code":"4646800","maxi":"1"}]}],"en_anm":"Off the Coast"\(more)}
    """
  }

  static func jma(_ reports: [String]) -> String { "[" + reports.joined(separator: ", ") + "]" }

  static let jma = jma([
    jmaReport("20210721213456", at: "21:34:00+09:00", reported: "21:40:00"),
    jmaReport("20210721200000", at: "20:00:00", reported: "20:05:00", position: "+32.5+130.6+0/"),
  ])

  static func bmkgEvent(_ members: [String: String] = [:]) -> String {
    var all = [
      "Tanggal": "21 Jul 2021", "Jam": "19:34:56 WIB", "DateTime": "2021-07-21T12:34:56+00:00",
      "Coordinates": "-6.12,128.45", "Lintang": "6.12 LS", "Bujur": "128.45 BT", "Magnitude": "5.4",
      "Kedalaman": "10 km", "Wilayah": "Di laut", "Potensi": "x",
    ]
    all.merge(members) { _, new in new }
    return "{" + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
  }

  static func bmkg(_ content: String) -> String { #"{"Infogempa":{"gempa":\#(content)}}"# }

  static let bmkg = bmkg("[\(bmkgEvent()),\n\(bmkgEvent(["DateTime": "2021-07-20T00:00:00+00:00"]))]")
  static let bmkgLatest = bmkg(bmkgEvent())

  static let bmkgXML = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Infogempa><gempa><Tanggal>21 Jul 2021</Tanggal><Jam>19:34:56 WIB</Jam>
    <DateTime>2021-07-21T12:34:56+00:00</DateTime><point><coordinates>-6.12,128.45</coordinates></point>
    <Lintang>6.12 LS</Lintang><Bujur>128.45 BT</Bujur><Magnitude>5.4</Magnitude><Kedalaman>10 km</Kedalaman>
    <Wilayah>Di laut</Wilayah></gempa></Infogempa>
    """
}

@Suite("Lists of services") struct ServiceListTests {
  private let time = ISO8601.date("2021-07-21T12:34:56Z") ?? .distantPast

  @Test func `the list of the AFAD is read, and its times are in UTC`() throws {
    let result = try parse(ServiceListSamples.afad)
    #expect(result.format == .afad && result.metadata.service == "afad" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "afad527064", magnitude: 1.4, magnitudeType: "ML", place: "Yer (Il)", time: time, longitude: 28.2,
      latitude: 39.1, depth: 12.5)
    expected.set([.network: "afad", .code: "527064", .rms: 0.68])
    expected.presentFields = [.magnitude, .magnitudeType, .place, .updated, .depth, .rms, .network, .code]
    #expect(result.events.first == expected)
    let second = try #require(result.events.last)
    #expect(second.identifier == "afad527065" && second.depth == -0.5 && second.place == nil)
    #expect(second.updated == ISO8601.date("2021-07-21T13:00:00Z"))
  }

  @Test(arguments: [EventFormat.afad, .jma]) func `an empty list has no events`(format: EventFormat) throws {
    var document = try EventDocument(FeedBody(Data("[]".utf8)), now: testsNow, format: format)
    #expect(document.next() == nil && document.isWhole && document.metadata.service == format.rawValue)
  }

  @Test func `the list of the JMA is read, and its times are in Japan's zone`() throws {
    let result = try parse(ServiceListSamples.jma)
    #expect(result.format == .jma && result.metadata.service == "jma" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "jma20210721213456", magnitude: 3.6, place: "Off the Coast",
      time: ISO8601.date("2021-07-21T12:34:00Z") ?? .distantPast, updated: ISO8601.date("2021-07-21T12:40:00Z"),
      longitude: 130.4, latitude: 31.1, depth: 140)
    expected.set([.network: "jma", .code: "20210721213456"])
    expected.presentFields = [.magnitude, .place, .updated, .depth, .network, .code]
    #expect(result.events.first == expected)
    #expect(result.events.last?.time == ISO8601.date("2021-07-21T11:00:00Z") && result.events.last?.depth == 0)
  }

  @Test(arguments: [false, true])
  func `the newest report of the JMA with a hypocenter counts`(isReversed: Bool) throws {
    let reports = [
      ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:50:00", magnitude: "4.1"),
      ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:45:00", magnitude: "4.0"),
      ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:36:00", position: "", magnitude: ""),
    ]
    let result = try parse(ServiceListSamples.jma(isReversed ? reports.reversed() : reports))
    #expect(result.problems.isEmpty && result.events.last?.magnitude == 4.1)
    #expect(result.events.count == (isReversed ? 2 : 1))
  }

  @Test func `a canceled event of the JMA is deleted`() throws {
    let cancel = ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:55:00", position: "").replacing(
      "発表", with: "取消")
    let report = ServiceListSamples.jmaReport("1", at: "21:34:00", reported: "21:50:00")
    #expect(try parse(ServiceListSamples.jma([cancel, report])).events.map(\.isDeleted) == [true])
    #expect(try parse(ServiceListSamples.jma([report])).events.map(\.isDeleted) == [false])
    #expect(try parse(ServiceListSamples.jma([report, cancel])).events.map(\.isDeleted) == [false, true])
  }

  @Test func `events of the BMKG in one second are two`() throws {
    func event(_ coordinates: String) -> String {
      #"{"DateTime": "2021-07-21T07:22:10+00:00", "Coordinates": "\#(coordinates)", "Magnitude": "5.4"}"#
    }
    let body = #"{"Infogempa": {"gempa": [\#(event("-6.12,128.45")), \#(event("-1.12,128.45"))]}}"#
    #expect(Set(try parse(body).events.map(\.identifier)).count == 2)
  }

  static let unusual: [(position: String, magnitude: String, depth: Double?, size: Double?)] = [
    ("+31.1+130.4/", "5.0", nil, 5), ("-31.1-130.4+200/", "Ｍ不明", -0.2, nil), ("+31.1+130.4-10000/", "", 10, nil),
  ]

  @Test(arguments: unusual)
  func `unknown depths and magnitudes of the JMA are unknown`(
    position: String, magnitude: String, depth: Double?, size: Double?
  ) throws {
    let report = ServiceListSamples.jmaReport(
      "1", at: "21:34:00", reported: "21:50:00", position: position, magnitude: magnitude)
    let result = try parse(ServiceListSamples.jma([report]))
    #expect(result.problems.isEmpty && result.events.first?.depth == depth && result.events.first?.magnitude == size)
  }

  static let bodies = [ServiceListSamples.bmkg, ServiceListSamples.bmkgLatest, ServiceListSamples.bmkgXML]

  @Test(arguments: bodies)
  func `lists of the BMKG are read as JSON and as XML`(text: String) throws {
    let result = try parse(text)
    #expect(result.metadata.service == "bmkg" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "bmkg20210721123456000_-6120_128450", magnitude: 5.4, place: "Di laut", time: time, longitude: 128.45,
      latitude: -6.12, depth: 10)
    expected.set([.network: "bmkg", .code: "20210721123456000_-6120_128450"])
    expected.presentFields = [.magnitude, .place, .depth, .network, .code]
    #expect(result.events.first == expected)
  }

  static let localTimes: [(date: String, clock: String, time: String)] = [
    ("21 Jul 2021", "19:34:56 WIB", "2021-07-21T12:34:56Z"), ("21-Agu-21", "19:34:56 WITA", "2021-08-21T11:34:56Z"),
    ("1 Mei 2021", "00:34:56 WIT", "2021-04-30T15:34:56Z"), ("01 Des 2021", "07:00:00", "2021-12-01T00:00:00Z"),
  ]

  @Test(arguments: localTimes)
  func `times of the BMKG are in a zone of Indonesia`(date: String, clock: String, time: String) throws {
    let event = ServiceListSamples.bmkgEvent(["DateTime": "", "Tanggal": date, "Jam": clock])
    #expect(try parse(ServiceListSamples.bmkg(event)).events.map(\.time) == [ISO8601.date(time)])
  }

  @Test func `a position of the BMKG without directions is signed`() throws {
    let event = ServiceListSamples.bmkgEvent(["Lintang": "", "Bujur": ""])
    let result = try parse(ServiceListSamples.bmkg(event))
    #expect(result.events.first?.latitude == -6.12 && result.events.first?.longitude == 128.45)
    let north = ServiceListSamples.bmkgEvent(["Lintang": "1.5 LU", "Bujur": "0.5 BB"])
    #expect(try parse(ServiceListSamples.bmkg(north)).events.first?.latitude == 1.5)
    #expect(try parse(ServiceListSamples.bmkg(north)).events.first?.longitude == -0.5)
  }

  static let damaged: [(text: String, reason: FeedProblem.Reason, events: Int)] = [
    (ServiceListSamples.afad.replacing("12:34:56", with: "soon"), .wrongType("time"), 1),
    (ServiceListSamples.afad.replacing("\"527064\"", with: "\"\""), .missing("id"), 1),
    (ServiceListSamples.afad.replacing("\"39.1\"", with: "[]"), .wrongType("latitude"), 1),
    (ServiceListSamples.jma.replacing("+31.1+130.4-140000/", with: "near"), .wrongType("coordinates"), 1),
    (ServiceListSamples.bmkg.replacing("2021-07-20T00:00:00+00:00", with: "never"), .wrongType("time"), 1),
    (
      ServiceListSamples.bmkg.replacing("\"DateTime\":\"2021-07-20", with: "\"DateTime\":\"2021\",\"x\":[}\""),
      .missing(""), 1
    ),
  ]

  @Test(arguments: damaged)
  func `a damaged record costs its event`(text: String, reason: FeedProblem.Reason, events: Int) throws {
    let result = try parse(text)
    #expect(result.events.count == events && result.problems.count == 1 && !result.isWhole)
    if reason != .missing("") { #expect(result.problems.map(\.reason) == [reason]) }
  }

  @Test func `an unclosed record does not swallow the next`() throws {
    let result = try parse(ServiceListSamples.afad.replacing("\"lastUpdateDate\":null},", with: "\"a\":[,"))
    #expect(result.events.map(\.identifier) == ["afad527065"] && result.problems.count == 1)
  }

  @Test(arguments: [#"{"Infogempa":{}}"#, #"{"Infogempa":{"gempa":7}}"#, #"{"Infogempa":{"x":[]}}"#])
  func `a body without a list is refused`(text: String) {
    #expect(throws: FeedFailure.self) { try parse(text) }
  }
}
