import Foundation
import Testing

@testable import StrataQuakes

@Suite("The display width of text") struct DisplayWidthTests {
  static let columnCases: [(String, Int)] = [
    ("Tonga", 5), ("Pāhala", 6), ("Pa\u{304}hala", 6), ("宮城県沖", 8), ("한국", 4), ("🌋", 2), ("❤️", 2), ("ｱ", 1), ("Ａ", 2),
    ("a\u{200D}b", 2), ("", 0), ("👨‍👩‍👧", 2), ("🇯🇵", 2),
  ]

  @Test func `an earthquake without a place is described by its region`() {
    var quake = QuakeFacts()
    #expect(quake.placeText == "place unknown")
    quake.region = "Southern Alaska"
    #expect(quake.placeText == "Southern Alaska")
    (quake.place, quake.alert) = ("5 km N of Anchorage", "red")
    #expect(quake.placeText == "5 km N of Anchorage [red alert]")
  }

  @Test(arguments: columnCases)
  func `the display width counts columns`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  static let fittingCases: [(String, Int, String)] = [
    ("Tonga", 5, "Tonga"), ("Tonga", 4, "Ton…"), ("宮城県沖", 7, "宮城県…"), ("宮城県沖", 6, "宮城…"), ("Tonga", 1, "…"),
    ("Tonga", 0, ""),
  ]

  @Test(arguments: fittingCases)
  func `text is cut at whole characters`(text: String, limit: Int, result: String) {
    #expect(DisplayWidth.fitted(text, to: limit) == result)
    #expect(DisplayWidth.columns(DisplayWidth.fitted(text, to: limit)) <= limit)
  }

  @Test func `padding counts columns`() {
    #expect(DisplayWidth.padded("宮城", to: 6) == "宮城  ")
    #expect(DisplayWidth.padded("6.1", to: 5, atEnd: false) == "  6.1")
    #expect(DisplayWidth.padded("too long", to: 3) == "too long")
  }
}

@Suite("The table of earthquakes") struct QuakeTableTests {
  private let now = Date(timeIntervalSince1970: 1_795_219_200)

  private func quake(_ magnitude: Double?, _ place: String?, minutes: Double = 12, depth: Double? = 10) -> QuakeFacts {
    var quake = QuakeFacts()
    (quake.magnitude, quake.place, quake.depth) = (magnitude, place, depth)
    quake.time = now.addingTimeInterval(-minutes * 60)
    return quake
  }

  private func lines(_ quakes: [QuakeFacts], columns: Int? = nil) -> [String] {
    QuakeTable(terminal: Terminal(columns: columns), now: now).lines(quakes).map(\.text)
  }

  @Test func `columns are aligned`() {
    let lines = lines([
      quake(6.14, "Tonga"), quake(nil, "Mid-Atlantic Ridge", minutes: 90, depth: nil), quake(-0.36, nil, minutes: 0),
      quake(5, "宮城県沖, Japan", depth: 561.2),
    ])
    #expect(
      lines == [
        " MAG  WHEN         DEPTH  PLACE",
        " 6.1  12 min ago   10 km  Tonga",
        "   ?  1 h ago          ?  Mid-Atlantic Ridge",
        "-0.4  just now     10 km  place unknown",
        " 5.0  12 min ago  561 km  宮城県沖, Japan",
      ])
  }

  @Test(arguments: 1...60) func `lines are not wider than the terminal`(columns: Int) {
    for line in lines([quake(7, "宮城県沖, a long way off the coast of Honshu, Japan")], columns: columns) {
      #expect(DisplayWidth.columns(line) <= columns)
    }
  }

  @Test func `whole IDs are shown where there is room`() {
    var quakes = [quake(6.1, "Tonga"), quake(2, "Anza")]
    for (index, id) in ["us7000abcd", "ci1234"].enumerated() { quakes[index].identifier = id }
    var table = QuakeTable(terminal: Terminal(columns: nil), now: now)
    table.showsIDs = true
    #expect(table.lines(quakes)[0].text == " MAG  WHEN         DEPTH  ID          PLACE")
    table.terminal.columns = 80
    #expect(table.lines(quakes)[1].text == " 6.1  12 min ago   10 km  us7000abcd  Tonga")
    // If both do not fit, the place takes precedence.
    table.terminal.columns = 62
    #expect(table.lines(quakes)[0].text == " MAG  WHEN         DEPTH  ID          PLACE")
    table.terminal.columns = 61
    #expect(table.lines(quakes)[0].text == " MAG  WHEN         DEPTH  PLACE")
  }

  @Test func `marks have a column of their own`() {
    var quakes = [quake(6.1, "Tonga"), quake(-2, "Anza"), quake(-0.4, "Geysers")]
    for index in quakes.indices { quakes[index].mark = QuakeMark() }
    quakes[0].mark?.isStarred = true
    quakes[1].mark?.acknowledged = now
    var table = QuakeTable(terminal: Terminal(columns: nil), now: now)
    table.showsMarks = true
    // An earthquake without marks is the same with and without marked ones above it.
    #expect(table.lines(quakes).map { $0.text.prefix(7) } == ["    MAG", "★   6.1", " ✓ -2.0", "   -0.4"])
    table.terminal = Terminal(columns: 25, isASCII: true)
    #expect(table.lines(quakes).map(\.text)[1] == "*   6.1  12 min ago  Ton~")
    #expect(table.lines(quakes).map { $0.text.prefix(7) }[2] == " a -2.0")
  }

  @Test func `the list is complete without a terminal`() {
    let place = String(repeating: "x", count: 500)
    #expect(lines([quake(1, place)])[1].hasSuffix(place))
  }

  @Test func `a place name cannot control the terminal`() {
    let line = lines([quake(1, "A\u{1B}[2J\nB\u{9B}C\u{202E}D")])[1]
    #expect(line.hasSuffix("A B D"))
  }

  @Test func `other event types and alerts are shown in words`() {
    var blast = quake(1.6, "Wyoming")
    blast.type = "quarry blast"
    var red = quake(7.8, "Türkiye")
    red.alert = "red"
    let lines = lines([blast, red])
    #expect(lines[1].hasSuffix("Wyoming (quarry blast)"))
    #expect(lines[2].hasSuffix("Türkiye [red alert]"))
  }

  @Test func `color is added to the text of a line`() {
    let terminal = Terminal(columns: 80, hasColor: true)
    let line = QuakeTable(terminal: terminal, now: now).lines([quake(7.1, "Chile")])[1]
    #expect(line.text == "\u{1B}[1;31m 7.1  12 min ago   10 km  Chile\u{1B}[0m")
  }

  // MARK: Columns

  private func named(_ names: String) -> ColumnChoice {
    .named(names.split(separator: ",").compactMap { QuakeColumn.named(String($0)) })
  }

  private var felt: QuakeFacts {
    var quake = quake(6.1, "South of the Fiji Islands")
    (quake.identifier, quake.alert, quake.region) = ("us7000abcd", "yellow", "SOUTH OF FIJI ISLANDS")
    (quake[.felt], quake[.mmi], quake[.tsunami]) = (.number(12), .number(5.25), .number(1))
    (quake[.magnitudeType], quake[.status], quake[.horizontalError]) = (.text("mww"), .text("reviewed"), .number(7.81))
    (quake.latitude, quake.longitude) = (-25, -176.5)
    quake.nearestCity = NearestCity(name: "Suva", country: "Fiji", population: 0, distance: 120, bearing: 180)
    return quake
  }

  @Test func `every field is a column under its names`() {
    #expect(Set(QuakeColumn.all.map(\.name)).count == QuakeColumn.all.count)
    for field in FactField.all { #expect(QuakeColumn.named(field.name)?.name == field.name) }
    let names = ["mag", "depth", "lat", "city", "cdi", "net", "source", "age", "marks", "intensity", "magType"]
    #expect(
      names.map { QuakeColumn.named($0)?.name } == [
        "magnitude", "depth_km", "latitude", "nearest_city", "reported_intensity", "network", "network", "when",
        "marks", "intensity", "magnitude_type",
      ])
    #expect(QuakeColumn.named("km") == nil && QuakeColumn.named("") == nil)
  }

  @Test func `chosen columns are shown in their order`() {
    var table = QuakeTable(
      terminal: Terminal(columns: nil), now: now, style: DisplayStyle(unit: .miles, zone: .universal),
      columns: named("id,time,mag,magType,felt,intensity,tsunami,alert,status,lat,lon,horizontal_error,region"))
    #expect(
      table.lines([felt]).map(\.text) == [
        "ID          TIME                      MAG  MAG TYPE  FELT  INTENSITY  TSUNAMI FLAG  ALERT   STATUS    LATITUDE"
          + "  LONGITUDE  HORIZONTAL ERROR  REGION",
        "us7000abcd  2026-11-20 23:48:00 UTC   6.1  mww         12        5.3  set           yellow  reviewed   -25.000"
          + "   -176.500            4.9 mi  SOUTH OF FIJI ISLANDS",
      ])
    table.columns = named("place,when,city,alert")
    #expect(
      table.lines([quake(1, "Utah"), felt]).map(\.text) == [
        "PLACE                                     WHEN        NEAREST CITY           ALERT",
        "Utah                                      12 min ago",
        "South of the Fiji Islands [yellow alert]  12 min ago  75 mi S of Suva, Fiji  yellow",
      ])
  }

  @Test func `clocks of twelve hours are aligned`() {
    let table = QuakeTable(
      terminal: Terminal(columns: nil), now: now, style: DisplayStyle(zone: .universal, clock: .hours12),
      columns: .usual(hasClock: true))
    #expect(
      table.lines([quake(5, "A"), quake(5, "B", minutes: 15 * 60)]).map(\.text) == [
        " MAG  TIME                         DEPTH  PLACE", " 5.0  2026-11-20 11:48:00 pm UTC   10 km  A",
        " 5.0  2026-11-20  9:00:00 am UTC   10 km  B",
      ])
  }

  private func heading(_ columns: Int?, _ choice: ColumnChoice = .usual(), distance: Double? = nil) -> String {
    var table = QuakeTable(
      terminal: Terminal(columns: columns), now: now, style: DisplayStyle(zone: .universal), columns: choice)
    (table.showsMarks, table.showsIDs) = (true, true)
    var quake = felt
    quake.distance = distance
    return table.lines([quake])[0].text.split(separator: " ").joined(separator: " ")
  }

  @Test func `the clock time is shown in place of the age, or with it on wide terminals`() {
    #expect(heading(nil) == "MAG WHEN DEPTH ID PLACE")
    #expect(heading(nil, .usual(hasClock: true)) == "MAG TIME DEPTH ID PLACE")
    #expect(heading(80) == "MAG WHEN DEPTH ID PLACE")
    #expect(heading(80, .usual(hasClock: true)) == "MAG TIME DEPTH ID PLACE")
    for choice in [ColumnChoice.usual(), .usual(hasClock: true)] {
      #expect(heading(98, choice) == "MAG WHEN TIME DEPTH ID PLACE")
    }
    // With a distance, it would cost the ID.
    #expect(heading(98, distance: 5) == "MAG WHEN DEPTH DISTANCE ID PLACE")
    #expect(heading(120, distance: 5) == "MAG WHEN TIME DEPTH DISTANCE ID PLACE")
  }

  @Test func `a narrow terminal truncates the place, then loses the least important columns`() {
    #expect(heading(64, distance: 5) == "MAG WHEN DEPTH DISTANCE PLACE")
    #expect(heading(40, distance: 5) == "MAG WHEN PLACE")
    #expect(heading(40, .usual(hasClock: true)) == "MAG TIME PLACE")
    let all = named("id,status,time,when,mag,depth,felt,place,alert")
    #expect(heading(nil, all) == "ID STATUS TIME WHEN MAG DEPTH FELT PLACE ALERT")
    #expect(heading(100, all) == "ID TIME WHEN MAG DEPTH FELT PLACE")
    #expect(heading(80, all) == "TIME WHEN MAG DEPTH PLACE")
    #expect(heading(40, all) == "TIME MAG PLACE")
    #expect(heading(40, named("status,alert")) == "STATUS ALERT")
    #expect(heading(7, named("status,alert")) == "ALERT")
  }

  private static let narrowTimes: [(columns: Int, DisplayStyle.Clock, hasMarks: Bool, [String])] = [
    (
      66, .hours12, false,
      [
        " MAG  TIME                         DEPTH  PLACE",
        " 6.1  2026-11-20 11:48:00 pm UTC   10 km  South of the Fiji Islan…",
      ]
    ),
    // With the whole time, neither the depth nor 24 columns of the place would have room.
    (
      58, .hours12, true,
      ["    MAG  TIME             DEPTH  PLACE", "    6.1  11-20 11:48 pm   10 km  South of the Fiji Islands"]
    ),
    (
      58, .hours24, true,
      ["    MAG  TIME                     PLACE", "    6.1  2026-11-20 23:48:00 UTC  South of the Fiji Islan…"]
    ),
    (40, .hours24, false, [" MAG  TIME         PLACE", " 6.1  11-20 23:48  South of the Fiji Is…"]),
    (40, .hours12, false, [" MAG  TIME            PLACE", " 6.1  11-20 11:48 pm  South of the Fiji…"]),
    (38, .hours12, true, ["    MAG  TIME            PLACE", "    6.1  11-20 11:48 pm  South of the…"]),
  ]

  @Test(arguments: narrowTimes) func `on a narrow terminal the clock time leaves room for the place`(
    columns: Int, clock: DisplayStyle.Clock, hasMarks: Bool, lines: [String]
  ) {
    var quake = quake(6.1, "South of the Fiji Islands")
    quake.mark = QuakeMark()
    var table = QuakeTable(
      terminal: Terminal(columns: columns), now: now, style: DisplayStyle(zone: .universal, clock: clock),
      columns: .usual(hasClock: true))
    table.showsMarks = hasMarks
    #expect(table.lines([quake]).map(\.text) == lines)
    if !hasMarks {
      table.columns = named("mag,time,depth,place")
      #expect(table.lines([quake]).map(\.text) == lines)
    }
  }

  @Test func `short times of other years are days`() {
    let style = DisplayStyle(zone: .universal, clock: .hours12)
    let times = [0, 60, 170, 190, -1].map { style.shortTime(now.addingTimeInterval(-86_400 * $0), at: now) }
    #expect(times == ["11-21 12:00 am", "09-22 12:00 am", "06-04 12:00 am", "2026-05-15", "2026-11-22"])
    let layout = QuakeTable(
      terminal: Terminal(columns: 40), now: now, style: style, columns: named("time,mag,place"))
    let lines = layout.lines([quake(5, "A"), quake(5, "B", minutes: 300 * 1440)]).map(\.text)
    #expect(lines[1...] == ["11-20 11:48 pm   5.0  A", "2026-01-25       5.0  B"])
  }

  @Test(arguments: [40, 80]) func `lines with any columns fit the terminal`(columns: Int) {
    for names in ["place,city,region,id,url,title", "title,region", "id,when,time,place,lat,lon"] {
      let choice = named(names)
      let table = QuakeTable(terminal: Terminal(columns: columns), now: now, columns: choice)
      let lines = table.lines([felt]).map(\.text)
      #expect(lines.allSatisfy { DisplayWidth.columns($0) <= columns } && lines.allSatisfy { !$0.hasSuffix(" ") })
    }
    // A column behind the place begins where the heading has it.
    let table = QuakeTable(terminal: Terminal(columns: 40), now: now, columns: named("place,mag,when"))
    #expect(
      table.lines([felt]).map(\.text) == [
        "PLACE                    MAG  WHEN", "South of the Fiji Isl…   6.1  12 min ago",
      ])
  }

  @Test(arguments: [nil, 80]) func `all parts of a table have the same columns`(columns: Int?) {
    let table = QuakeTable(
      terminal: Terminal(columns: columns), now: now, style: DisplayStyle(zone: .universal),
      columns: named("id,place,when,felt"))
    let layout = table.layout(of: [felt], isPart: true)
    let heading = table.lines([felt], in: layout)[0].text
    var other = quake(5, "Utah", minutes: 60 * 24 * 100)
    other.identifier = "uu1"
    other[.felt] = .number(3)
    let line = table.lines([other], hasHeading: false, in: layout)[0].text
    #expect(line.hasPrefix("uu1         Utah") && line.hasSuffix("2026-08-13     3"), "\(line)")
    #expect(DisplayWidth.columns(line) == DisplayWidth.columns(heading))
    if let columns { #expect(DisplayWidth.columns(line) == columns) }
  }

  static let magnitudeCases: [(Double, String)] = [
    (0.05, "0.1"), (-0.04, "0.0"), (-0.05, "-0.1"), (6.149, "6.1"), (6.15, "6.2"), (9.96, "10.0"), (2.45, "2.5"),
    (0, "0.0"),
  ]

  @Test(arguments: magnitudeCases)
  func `magnitudes have one decimal digit`(magnitude: Double, text: String) {
    #expect(DecimalText.oneDigit(magnitude) == text)
  }

  @Test func `a number has its shortest text`() {
    let numbers = [4.5, 11, -0.0, -3, 0.1 + 0.2, 1e21, 1e-7, .infinity]
    let texts = ["4.5", "11", "0", "-3", "0.30000000000000004", "1e+21", "1e-07", "inf"]
    #expect(numbers.map(DecimalText.shortest) == texts)
  }
}

@Suite("Terminals") struct TerminalTests {
  static let choices: [(Terminal.ColorChoice, Bool, [String: String], Bool)] = [
    (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true), (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (.auto, true, ["CLICOLOR": "0"], false),
    (.auto, true, ["TERM": "dumb"], false), (.always, false, ["NO_COLOR": "1"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
  ]

  @Test(arguments: choices)
  func `color follows the conventions of the environment`(
    choice: Terminal.ColorChoice, isTerminal: Bool, environment: [String: String], result: Bool
  ) {
    #expect(Terminal.wantsColor(choice, isTerminal: isTerminal, environment: { environment[$0] }) == result)
  }

  @Test func `COLUMNS overrides the width`() {
    #expect(Terminal(StandardStream(descriptor: -1), environment: { ["COLUMNS": "42"][$0] }).columns == 42)
    #expect(Terminal(StandardStream(descriptor: -1), environment: { ["COLUMNS": "-3"][$0] }).columns == nil)
  }

  @Test func `printing to a closed pipe fails`() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    #expect(StandardStream(descriptor: ends[1]).line("M 6.1 Tonga"))
    close(ends[0])
    #expect(!StandardStream(descriptor: ends[1]).line("M 6.1 Tonga"))
    close(ends[1])
  }
}

@Suite("JSON output") struct JSONTextTests {
  @Test func `the writer produces valid JSON`() throws {
    var quake = QuakeFacts()
    quake.identifier = "us1"
    quake.place = "\"Pāhala\" \\ \n\t\u{1} 宮城 🌋"
    (quake.magnitude, quake.rawDepth) = (6.1, .infinity)
    quake.aliases = ["us1", "ci2"]
    var json = JSONText()
    json.object { json in
      json.integer("format_version", 1)
      json.array("quakes") { array in
        array.quake(nil, quake)
        array.quake(nil, QuakeFacts())
      }
    }
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any])
    let quakes = try #require(read["quakes"] as? [[String: Any]])
    #expect(read["format_version"] as? Int == 1)
    #expect(quakes[0]["place"] as? String == quake.place)
    #expect(quakes[0]["magnitude"] as? Double == 6.1)
    #expect(quakes[0]["depth_km"] is NSNull)
    #expect(quakes[0]["aliases"] as? [String] == ["us1", "ci2"])
    #expect(quakes[1]["magnitude"] is NSNull)
    #expect(quakes[1]["time"] as? String == "1970-01-01T00:00:00Z")
  }

  @Test func `numbers are valid JSON and NaN is null`() {
    var json = JSONText()
    json.array { array in for number in [6, -0.5, 1e21, .nan, 0.000_01] { array.number(number) } }
    #expect(json.text == "[6,-0.5,1e+21,null,1e-05]")
  }
}

extension QuakeFacts {
  fileprivate var rawDepth: Double {
    get { depth ?? 0 }
    set { depth = newValue }
  }
}
