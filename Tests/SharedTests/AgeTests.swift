import Foundation
import Testing

@testable import StrataQuakes

@Suite("Dates without formatters") struct CalendarDateTests {
  static let instants: [(Double, String)] = [
    (0, "1970-01-01T00:00:00Z"), (1_397_562_567, "2014-04-15T11:49:27Z"), (-1, "1969-12-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (-2_009_167_200, "1906-05-02T18:00:00Z"),
    (1_397_563_705.627, "2014-04-15T12:08:25.627Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (1_704_067_199.9996, "2024-01-01T00:00:00Z"),
  ]

  @Test(arguments: instants) func `instants are written as ISO 8601 text`(seconds: Double, text: String) {
    #expect(ISO8601.text(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(arguments: [
    (1e300, "275760-09-13T00:00:00Z"), (.infinity, "275760-09-13T00:00:00Z"), (9e18, "275760-09-13T00:00:00Z"),
    (-1e300, "-271821-04-20T00:00:00Z"), (-.infinity, "-271821-04-20T00:00:00Z"), (.nan, "1970-01-01T00:00:00Z"),
  ]) func `dates out of range are written as the nearest valid date`(seconds: Double, text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(ISO8601.text(date) == text)
    #expect(Age.text(of: date, at: Date()) == String(text.prefix { $0 != "T" }) || seconds.isNaN)
    var json = JSONText()
    json.object { $0.date("time", date) }
    #expect(json.text == "{\"time\":\"\(text)\"}")
  }

  @Test(arguments: instants.dropLast()) func `a written date is read back`(seconds: Double, text: String) throws {
    let date = try #require(ISO8601.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test func `every day of four centuries round-trips through its calendar date`() {
    for day in -146_097..<0 {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = CalendarDate(date)
      guard parts.instant == date, parts.exists else {
        Issue.record("day \(day) became \(parts)")
        return
      }
    }
  }

  @Test(arguments: [
    "2026-11-21", "2026-11-21T00:00Z", "2026-11-21 00:00:00", "2026-11-21T01:00:00+01:00", "2026-11-20T19:30:00-0430",
    "2026-11-21T00:00:00.000z",
  ])
  func `all supported ISO 8601 forms are read`(text: String) {
    #expect(ISO8601.date(text) == Date(timeIntervalSince1970: 1_795_219_200))
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-29", "2026-11-31", "2026-11-21T25:00", "2026-11-21T10", "2026-11-21T10:60",
    "2026-11-21T10:00:00.Z", "2026-11-21T10:00+1", "yesterday", "2026-11-21x", "٢٠٢٦-11-21",
  ])
  func `text that is not an instant is refused`(text: String) {
    #expect(ISO8601.date(text) == nil)
  }
}

@Suite("Ages") struct AgeTests {
  private let now = Date(timeIntervalSince1970: 1_795_219_200)

  static let ageCases: [(Double, String)] = [
    (0.0, "just now"), (59, "just now"), (60, "1 min ago"), (12 * 60 + 59, "12 min ago"), (3599, "59 min ago"),
    (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 d ago"), (59 * 86_400, "59 d ago"),
    (61 * 86_400, "2026-09-21"),
    (-60, "just now"), (-86_400, "2026-11-22"),
  ]

  @Test(arguments: ageCases)
  func `ages are written in words`(seconds: Double, text: String) {
    let style = DisplayStyle(zone: .universal)
    #expect(Age.text(of: now.addingTimeInterval(-seconds), at: now, style: style) == text)
  }

  @Test func `lengths of time are seconds`() {
    #expect(Age.length("15m") == 900 && Age.length("2 hours") == 7200 && Age.length("90min") == 5400)
    #expect(Age.length("today") == nil && Age.length("2026-11-20") == nil && Age.length("1795219200") == nil)
  }

  @Test func `the next minute begins within 60 seconds`() {
    #expect(Age.secondsToNextMinute(now) == 60)
    #expect(abs(Age.secondsToNextMinute(now.addingTimeInterval(59.5)) - 0.5) < 1e-6)
  }
}
