import Foundation
import Testing

@testable import StrataQuakes

@Suite("Display of distances and times") struct DisplayStyleTests {
  /// 2026-07-21 23:05:09 UTC.
  private static let time = Date(timeIntervalSince1970: 1_784_675_109)

  @Test func `distances are shown in the chosen unit`() {
    #expect(DisplayStyle().distance(35.4) == "35 km")
    #expect(DisplayStyle(unit: .miles).distance(35.4) == "22 mi")
    #expect(DisplayStyle(unit: .miles).distance(-1.2, hasTenths: true) == "-0.7 mi")
    #expect(DisplayStyle(unit: .miles).depth(of: QuakeFacts()) == "?")
  }

  static let zones: [(String, String)] = [
    ("utc", "2026-07-21 23:05:09 UTC"), ("Europe/Berlin", "2026-07-22 01:05:09 CEST"),
    ("America/New_York", "2026-07-21 19:05:09 EDT"), ("Asia/Kathmandu", "2026-07-22 04:50:09 +0545"),
  ]

  @Test(arguments: zones) func `times are shown in the chosen time zone`(name: String, text: String) throws {
    #expect(DisplayStyle(zone: try #require(DisplayZone(name: name))).time(Self.time) == text)
  }

  @Test func `changes below a second are visible`() {
    var style = DisplayStyle(zone: .universal)
    let date = Date(timeIntervalSince1970: 1_500_000_000.25)
    let states = [(date, 10.01), (date.addingTimeInterval(0.127), 10.04)].map { time, depth in
      var state = QuakeState()
      (state[.time], state[.depth]) = (.date(time), .number(depth))
      return RecordedState(said: time, learnt: time, state: state)
    }
    let change = QuakeChange(states[1], after: states[0])
    #expect(
      change.text(style)
        == "time 2017-07-14 02:40:00.250 UTC → 2017-07-14 02:40:00.377 UTC, depth 10.01 km → 10.04 km")
    style.clock = .hours12
    #expect(change.text(style).hasPrefix("time 2017-07-14 2:40:00.250 am UTC → "))
  }

  @Test func `clocks show twelve hours on request`() {
    let style = DisplayStyle(zone: .universal, clock: .hours12)
    let hours = [(0, "12:00:00 am"), (1, "1:00:00 am"), (12, "12:00:00 pm"), (23, "11:00:00 pm")]
    for (hour, text) in hours { #expect(style.clockText(Date(timeIntervalSince1970: Double(hour) * 3600)) == text) }
    #expect(DisplayStyle(zone: .universal).clockText(Self.time) == "23:05:09")
  }

  @Test(arguments: ["", "Mars/Olympus", "CST", "/etc/passwd", "Europe", "../../../etc/passwd", "tzdata.zi", "zone.tab"])
  func `names that are not time zones are refused`(name: String) {
    #expect(DisplayZone(name: name) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -9e18]) func `dates out of range can be shown`(
    seconds: Double
  ) {
    for name in ["local", "utc", "Asia/Tokyo"] {
      let style = DisplayStyle(zone: DisplayZone(name: name) ?? .local)
      #expect(style.time(Date(timeIntervalSince1970: seconds)).contains(":"))
    }
  }

  @Test func `days begin at midnight of the time zone`() throws {
    let zone = try #require(DisplayZone(name: "Asia/Tokyo"))
    #expect(zone.startOfDay(Self.time) == ISO8601.date("2026-07-21T15:00Z"))
    #expect(DisplayZone.universal.startOfDay(Self.time) == ISO8601.date("2026-07-21"))
    // On this day, clocks were set forward at 2:00.
    let berlin = try #require(DisplayZone(name: "Europe/Berlin"))
    #expect(berlin.startOfDay(Date(timeIntervalSince1970: 1_774_778_400)) == ISO8601.date("2026-03-28T23:00Z"))
  }

  @Test func `statistics count days of the time zone`() throws {
    var statistics = QuakeStatistics(zone: try #require(DisplayZone(name: "Asia/Tokyo")))
    var quake = QuakeFacts()
    quake.time = Self.time
    statistics.add(quake)
    #expect(statistics.days(limit: 1).first?.day == ISO8601.date("2026-07-22"))
  }

  @Test func `the table uses the chosen unit and time zone`() {
    var quake = QuakeFacts()
    (quake.magnitude, quake.depth, quake.distance, quake.time) = (5, 100, 1000, Self.time)
    let table = QuakeTable(
      terminal: Terminal(columns: nil), now: Self.time.addingTimeInterval(100 * 86_400),
      style: DisplayStyle(unit: .miles, zone: DisplayZone(name: "Asia/Tokyo") ?? .local))
    #expect(
      table.lines([quake], hasHeading: false).map(\.text) == [" 5.0  2026-07-22   62 mi    621 mi  place unknown"])
  }
}
