import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

/// Bodies in the table formats, as the services write them.
enum TableSamples {
  static let csv = """
    time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type,horizontalError,depthError,\
    magError,magNst,status,locationSource,magSource
    2016-05-01T00:21:14.160Z,38.8313332,-122.8021698,2.1,0.88,md,9,87,0.01005,0.03,nc,nc72629200,\
    2016-05-01T00:32:02.173Z,"6km W of ""The"" Cobb, California",earthquake,0.75,1.9,,1,automatic,nc,nc
    2016-05-01T00:12:30.400Z,37.5201683,-118.7850037,,,,,,,,us,us7000abcd,2016-05-01T00:28:58.757Z,"",quarry_blast,\
    ,,,,Reviewed,us,us

    """

  static let usgsText = """
    #EventID|Time|Latitude|Longitude|Depth/km|Author|Catalog|Contributor|ContributorID|MagType|Magnitude|MagAuthor|\
    EventLocationName
    us7000abcd|2016-05-01T00:12:30.400|37.52|-118.785|10.1|us|us|us|us7000abcd|mb|4.5|us|central Peru
    usp000jv5f|2013-11-07T11:42:18.000|-30.1||15|us|us|us|usp000jv5f|mb|4.5|us|no longitude

    """

  static let emscText = """
    #EventID | Time | Latitude | Longitude | Depth/km | Author | Catalog | Contributor | ContributorID | MagType | \
    Magnitude | MagAuthor | EventLocationName\r
    20171031_0000002|2017-10-31T00:42:12.4Z|-21.71|169.11|25.0|EMSC|EMSC-RTS|EMSC|627167|mw|6.8|EMSC|LOYALTY ISLANDS\r
    20171024_0000031|2017-10-24T10:47:47.2Z|-7.33|123.03||EMSC|EMSC-RTS|EMSC|626022|||EMSC|BANDA SEA\r

    """
}

@Suite("Table parser") struct TableParserTests {
  @Test func `every CSV column is read`() throws {
    let result = try parse(TableSamples.csv)
    #expect(result.format == .csv && result.metadata.service == "usgs" && result.metadata.feed == nil)
    #expect(result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "nc72629200", magnitude: 0.88, magnitudeType: "md", place: #"6km W of "The" Cobb, California"#,
      time: Date(timeIntervalSince1970: 1_462_062_074.160), updated: Date(timeIntervalSince1970: 1_462_062_722.173),
      longitude: -122.8021698, latitude: 38.8313332, depth: 2.1)
    expected.set([.nst: 9, .gap: 87, .dmin: 0.01005, .rms: 0.03])
    expected.set([.horizontalError: 0.75, .depthError: 1.9, .magnitudeStations: 1])
    expected.set([.locationSource: "nc", .magnitudeSource: "nc"])
    expected.set([.network: "nc", .code: "72629200", .status: "automatic", .type: "earthquake"])
    expected.presentFields = [
      .magnitude, .magnitudeType, .place, .updated, .depth, .status, .network, .code, .nst, .dmin, .rms, .gap, .type,
      .horizontalError, .depthError, .magnitudeError, .magnitudeStations, .locationSource, .magnitudeSource,
    ]
    #expect(result.events.first == expected)
  }

  @Test func `an empty column is reported as unknown`() throws {
    let event = try #require(parse(TableSamples.csv).events.last)
    #expect(event.identifier == "us7000abcd" && event.state.text(.status) == "reviewed")
    #expect(event.state.text(.type) == "quarry blast")
    #expect(event.magnitude == nil && event.depth == nil && event.state.integer(.nst) == nil && event.place == nil)
    #expect(event.presentFields.isSuperset(of: [.magnitude, .depth, .nst, .place]))
    #expect(event.presentFields.isDisjoint(with: [.felt, .ids, .significance, .tsunami, .alert, .title, .url]))
  }

  @Test func `text of the USGS has its IDs`() throws {
    let result = try parse(TableSamples.usgsText)
    #expect(result.format == .fdsnText && result.metadata.service == "usgs")
    let event = try #require(result.events.first)
    #expect(event.identifier == "us7000abcd" && event.network == "us" && event.code == "7000abcd")
    #expect(event.time == Date(timeIntervalSince1970: 1_462_061_550.4))
    #expect(event.magnitude == 4.5 && event.magnitudeType == "mb" && event.depth == 10.1)
    #expect(
      event.presentFields == [
        .magnitude, .magnitudeType, .place, .depth, .network, .code, .locationSource, .magnitudeSource,
      ])
    #expect(event.state.text(.locationSource) == "us" && event.state.text(.magnitudeSource) == "us")
    #expect(result.problems.map(\.reason) == [.missing("coordinates")])
    #expect(result.problems.first?.identifier == "usp000jv5f" && !result.isWhole)
  }

  @Test func `text of the EMSC has its IDs`() throws {
    let result = try parse(TableSamples.emscText)
    #expect(result.metadata.service == "emsc" && result.problems.isEmpty)
    #expect(result.events.map(\.identifier) == ["emsc20171031_0000002", "emsc20171024_0000031"])
    #expect(result.events.map(\.network) == ["emsc", "emsc"])
    #expect(result.events.map { $0.state.text(.locationSource) } == ["emsc", "emsc"])
    #expect(result.events.map(\.magnitude) == [6.8, nil] && result.events.map(\.depth) == [25, nil])
    #expect(result.events.last?.place == "BANDA SEA")
    #expect(result.events.first?.time == Date(timeIntervalSince1970: 1_509_410_532.4))
  }

  static let rows: [(row: String, service: String, identifier: String)] = [
    ("20814801|2018-10-01T13:19:56.520000|38|15|8.6|SURVEY-INGV||||ML|1.7|--|Stretto", "ingv", "ingv20814801"),
    ("2019p550078|2019-07-23T12:41:45|-40|175|23|GNS|GNS|GNS|2019p550078|M|1.3|GNS|x", "geonet", "geonet2019p550078"),
    ("gfz2015iatp|2015-04-25T06:11:26|28|84|10|||GFZ|gfz2015iatp|Mw|7.8|GFZ|Nepal", "gfz", "gfz2015iatp"),
    ("5186534|2015-08-03T01:02:03|26|-110|10|us|NEIC PDE|NEIC PDE|x|mb|4|us|Gulf", "fdsn", "neicpde5186534"),
    ("17|2015-08-03T01:02:03|26|-110|10|||||mb|4||Gulf", "fdsn", "fdsn17"),
  ]

  @Test(arguments: rows)
  func `each service has its own form of IDs`(row: String, service: String, identifier: String) throws {
    let header = try #require(TableSamples.usgsText.split(separator: "\n").first)
    let result = try parse("\(header)\n\(row)\n")
    #expect(result.metadata.service == service)
    #expect(result.events.map(\.identifier) == [identifier])
    #expect(result.events.first?.state.text(.magnitudeSource) != "--")
  }

  @Test func `columns are found by name`() throws {
    let text = "Longitude|EventType|Latitude|Time|EventID|Contributor\n1|Explosion|2|2020-01-01|7|EMSC\n"
    let event = try #require(parse(text).events.first)
    #expect(event.longitude == 1 && event.latitude == 2 && event.identifier == "emsc7")
    #expect(event.state.text(.type) == "explosion")
    #expect(event.presentFields == [.type, .network, .code])
  }

  static let brokenLines: [String] = [
    "1,2", "2016-05-01T00:21:14.160Z,38.8,\"open", "\"a\"b,c", String(repeating: ",", count: 22), "x",
    String(repeating: ",", count: 21), String(repeating: ",", count: 70_000),
  ]

  @Test(arguments: brokenLines)
  func `a malformed line is dropped and reported`(line: String) throws {
    var lines = TableSamples.csv.split(separator: "\n").map(String.init)
    lines.insert(line, at: 2)
    let result = try parse(lines.joined(separator: "\r\n") + "\r\n")
    #expect(result.events.map(\.identifier) == ["nc72629200", "us7000abcd"])
    #expect(result.problems.map(\.feature) == [1])
    #expect(!result.isWhole)
  }

  @Test func `an invalid value drops only its field`() throws {
    let text = TableSamples.csv.replacingOccurrences(of: ",0.88,", with: ",unknown,")
    let result = try parse(text)
    #expect(result.events.count == 2 && result.isWhole)
    #expect(result.events.first?.presentFields.contains(.magnitude) == false)
    #expect(result.problems.map(\.reason) == [.wrongType("mag")])
  }

  @Test func `a truncated line is reported as cut off`() throws {
    let cut = String(TableSamples.csv.dropLast(60))
    let result = try parse(cut)
    #expect(result.events.count == 1)
    #expect(result.problems.map(\.reason) == [.cutOff] && !result.isWhole)
  }

  @Test func `only a line larger than the maximum window is dropped`() throws {
    var lines = TableSamples.csv.split(separator: "\n").map(String.init)
    lines.insert(String(repeating: "x", count: 5000), at: 2)
    let result = try parse(Array(lines.joined(separator: "\n").utf8), window: 512, largest: 1024)
    #expect(result.events.map(\.identifier) == ["nc72629200", "us7000abcd"])
    #expect(result.problems.map(\.reason) == [.tooLarge(BodyWindow.maximumSize)])
  }

  @Test(arguments: [
    "Error 404: no data found", "a,b,c\n1,2,3", "#EventID|Time\n", "id,time,latitude",
    "id,time,latitude,longitude" + String(repeating: ",x", count: 40_000),
  ])
  func `text that is not an event table is refused`(text: String) {
    let failure = #expect(throws: FeedFailure.self) { try parse(text) }
    #expect(failure?.description.contains(text.prefix { $0 != "\n" }.prefix(60)) == true)
  }
}
