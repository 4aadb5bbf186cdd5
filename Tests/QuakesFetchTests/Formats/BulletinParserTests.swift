import Foundation
import Testing

@testable import StrataQuakes
@testable import StrataQuakesFeeds

@Suite("Formats of catalogs and bulletins") struct BulletinParserTests {
  private let time = Date(timeIntervalSince1970: 1_626_870_896.7)

  // MARK: NDK

  @Test func `an NDK event has the time and place of its hypocenter and the magnitude of its moment`() throws {
    let result = try parse(BulletinSamples.ndk)
    #expect(result.format == .ndk && result.metadata.service == "gcmt" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "gcmtC202107211234A", magnitude: 5.27, magnitudeType: "Mwc", place: "NOWHERE ISLANDS REGION",
      time: time, updated: ISO8601.date("2021-10-01T12:00:00Z"), longitude: 179.5, latitude: -10.25, depth: 33.5)
    expected.set([.network: "gcmt", .code: "C202107211234A", .status: "reviewed"])
    expected.presentFields = [.magnitude, .magnitudeType, .place, .updated, .depth, .status, .network, .code]
    #expect(result.events.first == expected)
    #expect(result.events.last?.updated == nil && result.events.last?.state.text(.status) == nil)
  }

  @Test func `line ends, trailing blanks and the last line's end do not matter to NDK`() throws {
    let lines = BulletinSamples.ndk.split(separator: "\n")
    let whole = try parse(BulletinSamples.ndk).events
    for text in [
      lines.map { $0 + "   " }.joined(separator: "\r\n"), lines.joined(separator: "\n\n"),
      lines.joined(separator: "\n"),
    ] {
      let result = try parse(text)
      #expect(result.events == whole && result.problems.isEmpty)
    }
  }

  static let damagedNDK: [(first: String, place: TextPlace, reason: FeedProblem.Reason)] = [
    (
      "PDE  2021/13/21 12:34:56.7 -10.25  179.50  33.5 5.1 0.0 X", TextPlace(line: 6, column: 6), .wrongType("time")
    ),
    (
      "PDE  2021/07/21 12:74:56.7 -10.25  179.50  33.5 5.1 0.0 X", TextPlace(line: 6, column: 6), .wrongType("time")
    ),
    (
      "PDE  2021/07/21 12:34:56.7 -xx.25  179.50  33.5 5.1 0.0 X", TextPlace(line: 6, column: 28),
      .wrongType("latitude")
    ),
    (
      "PDE  2021/07/21 12:34:56.7 -10.25  999.50  33.5 5.1 0.0 X", TextPlace(line: 6, column: 35),
      .outOfRange("longitude", value: "999.5", bounds: "-360 to 360")
    ),
    ("PDE  2021/07/21 12:34:56.7", TextPlace(line: 6, column: 1), .missing("coordinates")),
    ("???", TextPlace(line: 6, column: 4), .wrongType("time")),
  ]

  @Test(arguments: damagedNDK)
  func `a damaged NDK event is reported with its line and column`(
    first: String, place: TextPlace, reason: FeedProblem.Reason
  ) throws {
    let text = BulletinSamples.secondNDK + BulletinSamples.ndkEvent(first: first) + BulletinSamples.secondNDK
    let result = try parse(text)
    #expect(result.events.count == 2)
    #expect(result.problems.map(\.reason) == [reason] && result.problems.map(\.place) == [place])
    #expect(result.problems.map(\.feature) == [1])
    #expect("\(result.problems)".contains("at line \(place.line), column"))
  }

  @Test func `an invalid NDK magnitude or depth drops only its field`() throws {
    let first = "PDE  2021/07/21 12:34:56.7 -10.25  179.50  deep 5.1 0.0 X"
    let result = try parse(BulletinSamples.ndkEvent(first: first, moment: "*****"))
    #expect(result.events.count == 1 && result.events.first?.magnitude == nil && result.isWhole)
    #expect(result.problems.map(\.reason) == [.wrongType("depth"), .wrongType("mag")])
    #expect(result.problems.map(\.place) == [TextPlace(line: 1, column: 43), TextPlace(line: 5, column: 50)])
  }

  @Test(arguments: 1...5) func `a missing NDK line costs one event`(missing: Int) throws {
    var lines = (BulletinSamples.ndkEvent() + BulletinSamples.secondNDK).split(separator: "\n")
    lines.remove(at: missing - 1)
    let result = try parse((lines + BulletinSamples.ndkEvent().split(separator: "\n")).joined(separator: "\n") + "\n")
    #expect(result.events.map(\.code) == ["C202107220000B", "C202107211234A"])
    #expect(result.problems.count == 1)
    #expect(result.problems.first?.reason == .broken("the event has 4 of 5 lines"))
  }

  @Test func `a damaged first line does not hide the NDK format`() throws {
    #expect(try parse(BulletinSamples.ndkEvent(first: "damaged") + BulletinSamples.secondNDK).format == .ndk)
  }

  // MARK: ISF

  @Test func `an ISF event has its prime origin and that one's magnitude`() throws {
    let result = try parse(BulletinSamples.isf)
    #expect(result.format == .isf && result.metadata.service == "isc" && result.problems.isEmpty && result.isWhole)
    #expect(result.metadata.title == "ISC Bulletin")
    var expected = ParsedEvent(
      identifier: "isc7000123", magnitude: 5.2, magnitudeType: "mb", place: "Nowhere Islands", time: time,
      longitude: 179.5, latitude: -10.25, depth: 33.5)
    expected.set([.network: "isc", .code: "7000123", .status: "reviewed", .type: "earthquake"])
    expected.set([.nst: 77, .gap: 45, .dmin: 1.5, .rms: 1.25])
    expected.presentFields = [
      .magnitude, .magnitudeType, .place, .depth, .status, .type, .network, .code, .nst, .gap, .dmin, .rms,
    ]
    #expect(result.events.first == expected)
    let second = try #require(result.events.last)
    #expect(second.identifier == "isc7000124" && second.magnitude == nil && second.depth == nil)
    #expect(second.time == ISO8601.date("2021-07-22T00:00:01Z") && !second.has(.type) && !second.has(.status))
  }

  @Test func `without a mark the last ISF origin counts`() throws {
    let result = try parse(BulletinSamples.isf.replacing(" (#PRIME)\n", with: ""))
    #expect(result.events.first?.latitude == -12)
    // It has no magnitude of its own.
    #expect(result.events.first?.magnitude == 5.4)
  }

  @Test func `a damaged prime ISF origin gives way to another`() throws {
    let text = BulletinSamples.isf.replacing("-10.2500", with: "-1x.2500", maxReplacements: 1)
    let result = try parse(text)
    #expect(result.events.map(\.latitude) == [-12, -10.25])
    #expect(result.problems.map(\.reason) == [.wrongType("latitude")])
    #expect(result.problems.map(\.place) == [TextPlace(line: 7, column: 37)] && result.isWhole)
  }

  @Test func `an ISF event without a usable origin is reported with its line`() throws {
    let origin = BulletinSamples.origin(time: "2021/02/30 12:34:56.70")
    let text =
      BulletinSamples.isfHead + "EVENT 1 X\n\(BulletinSamples.isfOrigins)\(origin)EVENT 2 Y\nEVENT 3 Z\n"
      + BulletinSamples.isfOrigins + BulletinSamples.origin()
    let result = try parse(text)
    #expect(result.events.map(\.identifier) == ["isc3"])
    #expect(result.problems.map(\.reason) == [.wrongType("time"), .missing("time")])
    #expect(result.problems.map(\.place) == [TextPlace(line: 5, column: 1), TextPlace(line: 6, column: 1)])
    #expect(result.problems.map(\.identifier) == ["isc1", "isc2"])
  }

  @Test func `an ISF bulletin may be in a message, have CRLF, long numbers and negative depths`() throws {
    let text =
      "BEGIN IMS1.0\nMSG_TYPE DATA\nMSG_ID 1 X\nDATA_TYPE BULLETIN IMS1.0:SHORT\nBulletin\n"
      + "Event 600516598 Nowhere\n" + BulletinSamples.isfOrigins
      + BulletinSamples.origin(depth: " -1.2", author: "ABC") + "STOP\nEvent 9 after the end\n"
    let result = try parse(text.replacing("\n", with: "  \r\n"))
    #expect(result.events.map(\.identifier) == ["abc600516598"] && result.problems.isEmpty)
    #expect(result.events.first?.depth == -1.2 && result.events.first?.place == "Nowhere")
  }

  // MARK: ZMAP

  @Test func `ZMAP columns are read`() throws {
    let result = try parse(BulletinSamples.zmap)
    #expect(result.format == .zmap && result.metadata.service == "zmap" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "zmap20210721123456700_-10250_179500", magnitude: 5.1, place: nil, time: time, longitude: 179.5,
      latitude: -10.25, depth: 33.5)
    expected.set([.network: "zmap", .code: "20210721123456700_-10250_179500"])
    expected.presentFields = [.magnitude, .depth, .network, .code]
    #expect(result.events.first == expected)
    let second = try #require(result.events.last)
    #expect(second.time == ISO8601.date("2021-07-22T00:00:01Z") && second.longitude == -120 && second.depth == -1.5)
    #expect(second.magnitude == nil && second.has(.magnitude))
  }

  @Test func `a decimal year is a time if month and day are unknown`() throws {
    let result = try parse("1 2 2021.5 NaN NaN 5 10 NaN NaN NaN\n1,2,2020.5,0,0,5,10,0,0,0\n")
    #expect(result.events.map(\.time) == ["2021-07-02T12:00:00Z", "2020-07-02T00:00:00Z"].map { ISO8601.date($0) })
  }

  @Test(arguments: ["Begin maintenance window\n", "Event not found\n", "BEGIN\n", "Event at 12:30 of the council\n"])
  func `sentences are not bulletins`(text: String) {
    #expect(throws: FeedFailure.self) { try parse(text) }
  }

  @Test func `a blank in a time is a zero`() throws {
    let isf = BulletinSamples.isfHead + "Event  7000123 Nowhere Islands\n\n" + BulletinSamples.isfOrigins
    let origin = BulletinSamples.origin(time: "2021/ 7/21  2: 4:56.70")
    let expected = ISO8601.date("2021-07-21T02:04:56.7Z")
    #expect(try parse(isf + origin + "\nSTOP\n").events.map(\.time) == [expected])
    let ndk = BulletinSamples.ndkEvent(
      first: "PDE  2021/07/21  2: 4:56.7 -10.25  179.50  33.5 5.1 0.0 NOWHERE ISLANDS REGION")
    #expect(try parse(ndk).events.map(\.time) == [expected])
  }

  @Test(arguments: [",", "\t"]) func `an empty ZMAP column is unknown`(separator: String) throws {
    let columns = ["139.7", "35.7", "2016", "4", "12", "", "10", "13", "4", "25", "0.5", "1.2", "0.1"]
    let result = try parse(
      columns.joined(separator: separator) + "\n" + columns.joined(separator: " \(separator) ") + "\n")
    #expect(result.events.count == 2 && result.problems.isEmpty)
    for event in result.events {
      #expect(event.magnitude == nil && event.depth == 10 && event.time == ISO8601.date("2016-04-12T13:04:25Z"))
    }
    // A separator at the end is not another column.
    let ended = ["1", "2", "2021", "2", "3", "5", "10", "1", "2", "3", ""].joined(separator: separator)
    #expect(try parse(ended + "\n").events.map(\.magnitude) == [5])
  }

  static let damagedZMAP: [(line: String, column: Int, reason: FeedProblem.Reason)] = [
    ("1 2 2021 13 1 5 10 1 2 3", 10, .wrongType("time")), ("1 2 2021 2 30 5 10 1 2 3", 12, .wrongType("time")),
    ("1 2 2021 2 3 5 10 24 2 3", 19, .wrongType("time")), ("1 2 xxxx 2 3 5 10 1 2 3", 5, .wrongType("time")),
    ("1 x 2021 2 3 5 10 1 2 3", 3, .wrongType("latitude")),
    ("1 95 2021 2 3 5 10 1 2 3", 3, .outOfRange("latitude", value: "95", bounds: "-90 to 90")),
    ("NaN 2 2021 2 3 5 10 1 2 3", 1, .missing("coordinates")),
  ]

  @Test(arguments: damagedZMAP)
  func `a damaged ZMAP line is reported with its line and column`(
    line: String, column: Int, reason: FeedProblem.Reason
  ) throws {
    let result = try parse(BulletinSamples.zmap + line + "\n" + "3 4 2021 2 3 5 10 1 2 3\n")
    #expect(result.events.count == 3)
    #expect(result.problems.map(\.reason) == [reason])
    #expect(result.problems.map(\.place) == [TextPlace(line: 4, column: column)])
  }

  @Test func `a ZMAP line with a wrong number of values is reported`() throws {
    let result = try parse(BulletinSamples.zmap + "1 2 3\n" + "1 2 2021 2 3 5")
    #expect(result.events.count == 2 && !result.isWhole)
    #expect(
      result.problems.map(\.reason) == [.broken("the line has 3 values instead of 10 to 13"), .cutOff])
    #expect(result.problems.map(\.place) == [TextPlace(line: 4), TextPlace(line: 5)])
  }

  @Test func `a decimal year that contradicts the date is reported`() throws {
    let result = try parse("1 2 2021.9 2 3 5 10 1 2 3\n")
    #expect(result.events.first?.time == ISO8601.date("2021-02-03T01:02:03Z"))
    #expect(result.problems.map(\.place) == [TextPlace(line: 1, column: 5)])
  }

  // MARK: SC3ML

  @Test(arguments: (7...13).map { "0.\($0)" })
  func `SC3ML events have their preferred origins and magnitudes`(version: String) throws {
    let result = try parse(BulletinSamples.sc3ml(version: version))
    #expect(result.format == .sc3ml && result.metadata.service == "gfz" && result.problems.isEmpty && result.isWhole)
    var expected = ParsedEvent(
      identifier: "gfz2021oabc", magnitude: 5.4, magnitudeType: "Mw", place: "Nowhere Islands", time: time,
      updated: ISO8601.date("2021-07-21T13:00:00Z"), longitude: 179.5, latitude: -10.25, depth: 33.5)
    expected.set([.network: "gfz", .code: "2021oabc", .status: "reviewed", .type: "earthquake"])
    expected.set([.nst: 77, .gap: 45, .dmin: 1.5, .rms: 1.25, .horizontalError: 6.5, .depthError: 4.5])
    expected.set([.locationSource: "gfz"])
    expected.presentFields = [
      .magnitude, .magnitudeType, .place, .updated, .depth, .status, .type, .network, .code, .nst, .gap, .dmin, .rms,
      .horizontalError, .depthError, .locationSource,
    ]
    #expect(result.events.first == expected)
    let second = try #require(result.events.last)
    #expect(second.identifier == "gfz2021oabd" && second.magnitude == 5.4 && second.depth == nil)
  }

  @Test func `SC3ML events may come before their origins`() throws {
    let whole = try parse(BulletinSamples.sc3ml())
    let text = BulletinSamples.sc3ml(events: "").replacing(
      "<pick", with: BulletinSamples.sc3mlEvents + "<pick", maxReplacements: 1)
    #expect(try parse(text).events == whole.events)
  }

  @Test func `an SC3ML event without its origin is reported by name`() throws {
    let text = BulletinSamples.sc3ml().replacing(
      "<preferredOriginID>Origin/1", with: "<preferredOriginID>Origin/9")
    let result = try parse(text)
    #expect(result.events.map(\.identifier) == ["gfz2021oabd"])
    #expect(result.problems.map(\.reason) == [.missing("Origin/9")] && !result.isWhole)
    #expect(result.problems.map(\.identifier) == ["gfz2021oabc"] && result.problems.map(\.feature) == [0])
  }

  @Test func `a damaged SC3ML origin costs its own event`() throws {
    let text = BulletinSamples.sc3ml().replacing("<latitude><value>-10.25", with: "<latitude><value>north")
    let result = try parse(text)
    #expect(result.events.map(\.identifier) == ["gfz2021oabd"])
    #expect(result.problems.map(\.reason) == [.wrongType("latitude")])
  }

  @Test func `an SC3ML body without events is empty`() throws {
    let result = try parse("<seiscomp version=\"0.10\"/>")
    #expect(result.events.isEmpty && result.problems.isEmpty && result.isWhole)
  }

  @Test func `an ID of SeisComP has the network that it begins with`() throws {
    let text = BulletinSamples.sc3ml().replacing("gfz2021oabc", with: "icgc2021oabc").replacing(
      "<agencyID>GFZ", with: "<agencyID>X")
    let event = try #require(parse(text).events.first)
    #expect(event.network == "icgc" && event.code == "2021oabc" && event.identifier == "icgc2021oabc")
  }
}
