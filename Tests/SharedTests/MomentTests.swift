import Foundation
import Testing

@testable import StrataQuakes

struct MomentTests {
  /// 2026-11-21 00:00 UTC, which is 19:00 of the day before in New York.
  private static let now = Date(timeIntervalSince1970: 1_795_219_200)

  private func moment(_ zone: String, at now: Date = now) throws -> Moment {
    Moment(now, in: try #require(DisplayZone(name: zone)))
  }

  @Test(arguments: [
    ("30m", 1800.0), ("24h", 86_400), ("7d", 604_800), ("2w", 1_209_600), ("1.5h", 5400), ("0d", 0), ("90min", 5400),
    ("90 min", 5400), ("1 hour ago", 3600), ("2 Hours", 7200), ("45s", 45), ("now", 0), ("3 days ago", 259_200),
  ])
  func `lengths of time count back from the present`(text: String, seconds: Double) throws {
    #expect(try moment("utc").date(text) == Self.now.addingTimeInterval(-seconds))
  }

  @Test(arguments: [
    ("3mo", "2026-08-21T00:00:00Z"), ("1 month ago", "2026-10-21T00:00:00Z"), ("1y", "2025-11-21T00:00:00Z"),
    ("12mo", "2025-11-21T00:00:00Z"), ("11mo", "2025-12-21T00:00:00Z"),
  ])
  func `months follow the calendar`(text: String, date: String) throws {
    #expect(try moment("utc").date(text).map { ISO8601.text($0) } == date)
  }

  @Test func `a month before the 31st is the last day of a shorter month`() throws {
    let march = try moment("utc", at: try #require(ISO8601.date("2026-03-31T10:00Z")))
    #expect(march.date("1mo").map { ISO8601.text($0) } == "2026-02-28T10:00:00Z")
  }

  @Test(arguments: [
    "2021-07-20", "2021/07/20", "Jul 20 2021", "20 Jul 2021", "July 20, 2021", "2021-07-20 00:00", "jul 20 2021 00:00",
    "2021-07-20T00:00Z", "Jul 20 2021 00:00 UTC", "1626739200", "1626739200000", " 2021-07-20 ",
  ])
  func `days have many forms`(text: String) throws {
    #expect(try moment("utc").date(text) == Date(timeIntervalSince1970: 1_626_739_200))
  }

  @Test(arguments: [
    "", "h", "-1h", "infh", "nand", "1e300d", "24", "2021-02-30", "Feb 30 2021", "2021/13/01", "Foo 20 2021",
    "Jul 2021",
    "20 2021 Jul 5", "hour ago", "1 fortnight ago", "12345678", "202611201200", "2126112012",
    "1 hour from now",
  ])
  func `other texts are refused`(text: String) throws {
    #expect(try moment("utc").date(text) == nil)
  }

  @Test(arguments: [
    ("utc", "2021-07-22T20:00:00Z"), ("America/New_York", "2021-07-23T00:00:00Z"),
    ("Asia/Tokyo", "2021-07-22T11:00:00Z"),
  ])
  func `times are in the zone of the moment`(zone: String, date: String) throws {
    let moment = try moment(zone)
    #expect(moment.date("2021-07-22T20:00").map { ISO8601.text($0) } == date)
    #expect(moment.date("Jul 22 2021 20:00") == moment.date("2021-07-22T20:00"))
    #expect(moment.date("2021-07-22T20:00Z").map { ISO8601.text($0) } == "2021-07-22T20:00:00Z")
  }

  @Test func `today and yesterday begin at midnight of the zone`() throws {
    let here = try moment("America/New_York")
    #expect(here.date("today").map { ISO8601.text($0) } == "2026-11-20T05:00:00Z")
    #expect(here.date("Yesterday").map { ISO8601.text($0) } == "2026-11-19T05:00:00Z")
    let local = Moment(Self.now, in: .local)
    let start = try #require(local.date("today"))
    #expect(start <= Self.now && start > Self.now.addingTimeInterval(-90_000) && local.zone.startOfDay(start) == start)
  }

  @Test(arguments: [
    // Clocks go forward from 02:00 to 03:00, and back from 02:00 to 01:00.
    ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00Z"),
    ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00Z"),
    // Midnight does not exist.
    ("America/Asuncion", "2023-10-01", "2023-10-01T04:00:00Z"),
  ])
  func `times that clocks skip or repeat are one instant`(zone: String, text: String, date: String) throws {
    #expect(try moment(zone).date(text).map { ISO8601.text($0) } == date)
  }
}
