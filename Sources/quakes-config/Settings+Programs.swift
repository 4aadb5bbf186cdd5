import Foundation
import StrataQuakes

/// Of `quakes-summary`.
extension Settings {
  public static let format = Setting(
    "summary", "format", "one of \(SummaryForm.names)", default: #""plain""#, "The output format, by status bar."
  ) { $0.string.flatMap { SummaryForm(name: $0) } }

  public static let template = Setting(
    "summary", "template", "a text with fields such as {magnitude}, {place} and {age}",
    default: #""M {magnitude} {place} {age} · {today} today""#, "The text of the line."
  ) { $0.string.flatMap { try? SummaryTemplate($0) } }

  public static let maximumWidth = Setting(
    "summary", "max_width", "a number of columns", example: "40", "The maximum number of columns."
  ) { $0.int.flatMap { $0 > 0 ? $0 : nil } }

  /// The magnitude from which on earthquakes are so rare that each has the line for at least an hour on average.
  public static let defaultSummaryMagnitude = 4.5

  /// nil for any, also an unknown one.
  public static let summaryMinimumMagnitude = Setting<Double?>(
    "summary", "min_magnitude", "a number or \"any\"", default: "\(defaultSummaryMagnitude)",
    "Only this magnitude and above."
  ) { $0.string == "any" ? .some(nil) : $0.double.map { .some($0) } }

  public static let whenNone = Setting(
    "summary", "when_none", "a text", default: #""no quakes yet""#, "The text if nothing matches; \"\" hides the line."
  ) { $0.string }

  public static let staleAfter = Setting(
    "summary", "stale_after", #"a length of time such as "15m" or "2h""#, default: #""15m""#,
    "The time after the last successful fetch at which the line is marked as stale."
  ) { $0.string.flatMap { Age.length($0) } }
}

/// Of `quakes-fetch`.
extension Settings {
  public static let feeds = Setting(
    "fetch", "feeds", "a list of feeds", default: #"["all_hour", "all_day", "all_week"]"#,
    "The feeds to fetch if the command line does not name any."
  ) { $0.strings.flatMap { $0.isEmpty || $0.contains { $0.isEmpty || $0 == "-" } ? nil : $0 } }

  public static let interval = Setting(
    "fetch", "interval", "a number of seconds from 1 to 86400", default: "60",
    "Seconds between two requests for the same feed."
  ) { $0.double.flatMap { 1...86_400 ~= $0 ? $0 : nil } }
}

enum TimeWords {
  static let wanted = #"a time such as "24h", "7d" or "2026-11-20""#

  static func past(_ value: SettingValue) -> String? {
    value.string.flatMap { Moment(in: .universal).date($0) == nil ? nil : $0 }
  }
}
