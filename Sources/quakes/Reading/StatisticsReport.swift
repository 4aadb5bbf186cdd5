import Foundation
import StrataQuakes

/// Statistics as text or JSON.
struct StatisticsReport {
  var statistics: QuakeStatistics
  /// nil to find it.
  var completeness: Double?
  /// The most days to show.
  var days: Int

  private static let classes = ["micro", "minor", "light", "moderate", "strong", "major", "great"]

  func lines(_ terminal: Terminal, _ style: DisplayStyle) -> [String] {
    let days = statistics.days(limit: days)
    guard let last = days.last?.day else { return ["0 earthquakes"] }
    var lines = [
      "\(CountText.of(statistics.count, "earthquake")) \(span(shown: days.count)) (\(style.zone.name(at: last))):"
    ]
    lines += chart(days.map { (Self.day($0.day), $0.count) }, terminal)
    let classes = Self.classes.compactMap { name in statistics.countsByClass[name].map { (name, $0) } }
    let unknown = statistics.withoutMagnitude > 0 ? [("unknown", statistics.withoutMagnitude)] : []
    lines += ["", "by magnitude:"] + chart(classes + unknown, terminal) + [""]
    if let largest = statistics.largest {
      lines.append("largest   M \(largest.magnitudeText) \(largest.placeText), \(style.time(largest.time))")
    }
    lines.append("b-value   \(frequencyText)")
    if let magnitude = statistics.magnitudeOfEnergy {
      let joules = String(format: "%.2e", statistics.energy)
      lines.append("energy    \(joules) J, as one earthquake of magnitude \(DecimalText.oneDigit(magnitude))")
    }
    return lines.map { line in terminal.columns.map { DisplayWidth.fitted(line, to: $0) } ?? line }
  }

  /// From which day to which, and which of these are shown.
  private func span(shown: Int) -> String {
    let numbers = statistics.countsByDay.keys
    guard let first = numbers.min(), let last = numbers.max(), first < last else {
      return "on \(numbers.first.map(Self.day) ?? "")"
    }
    let all = "from \(Self.day(first)) to \(Self.day(last))"
    return last - first + 1 > shown ? "\(all); the last \(CountText.of(shown, "day"))" : "\(all), by day"
  }

  /// - Parameter number: days since 1970-01-01.
  private static func day(_ number: Int) -> String { day(Date(timeIntervalSince1970: Double(number) * 86_400)) }

  private var frequencyText: String {
    guard let found = statistics.frequencies(completeness: completeness) else {
      return "unknown: requires \(FrequencyMagnitude.minimumCount) at and above the magnitude of completeness"
    }
    return String(
      format: "%.2f ± %.2f, of %ld earthquakes from magnitude %.1f on", found.b, found.error, found.count,
      found.completeness)
  }

  private static func day(_ date: Date) -> String { CalendarDate(date).dayText }

  /// Bars that fit the terminal; without one they are 50 columns at most.
  private func chart(_ rows: [(name: String, count: Int)], _ terminal: Terminal) -> [String] {
    let largest = max(1, rows.map(\.count).max() ?? 1)
    let nameWidth = rows.map { DisplayWidth.columns($0.name) }.max() ?? 0
    let countWidth = String(largest).utf8.count
    let room = max(1, min(terminal.columns.map { $0 - nameWidth - countWidth - 4 } ?? 50, 80))
    return rows.map { name, count in
      let start =
        DisplayWidth.padded(name, to: nameWidth) + "  "
        + DisplayWidth.padded(String(count), to: countWidth, atEnd: false)
      let bar = Self.bar(eighths: count * room * 8 / largest, isThere: count > 0)
      return bar.isEmpty ? start : start + "  " + bar
    }
  }

  /// Whatever is there has a bar.
  private static func bar(eighths: Int, isThere: Bool) -> String {
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    return bar.isEmpty && isThere ? "▏" : bar
  }

  var json: String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.integer("count", statistics.count)
      json.array("days") { array in
        for (day, count) in statistics.days(limit: days) {
          array.object { row in
            row.string("day", Self.day(day))
            row.integer("count", count)
          }
        }
      }
      json.object("magnitude_classes") { classes in
        for name in Self.classes { classes.integer(name, statistics.countsByClass[name] ?? 0) }
        classes.integer("unknown", statistics.withoutMagnitude)
      }
      let found = statistics.frequencies(completeness: completeness)
      json.number("b_value", found?.b)
      json.number("b_value_error", found?.error)
      json.number("completeness_magnitude", found?.completeness)
      json.integer("complete_count", found?.count)
      json.number("energy_joules", statistics.energy)
      json.number("energy_magnitude", statistics.magnitudeOfEnergy)
      if let largest = statistics.largest { json.quake("largest", largest) }
    }
    return text.text
  }
}
