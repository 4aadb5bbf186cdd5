import Foundation
import StrataQuakes

/// Statistics as text or JSON.
struct StatisticsReport {
  var statistics: QuakeStatistics
  var frequencies: FrequencyMagnitude
  var warnings: [StatisticsWarning]
  /// The most days to show.
  var days: Int

  /// - Parameter completeness: nil to estimate it.
  init(statistics: QuakeStatistics, completeness: Double?, days: Int) {
    (self.statistics, self.days) = (statistics, days)
    frequencies = statistics.frequencies(completeness: completeness)
    warnings = statistics.warnings(of: frequencies)
  }

  /// The names of `QuakeFacts.magnitudeClass`, and their magnitudes.
  static let classes = [
    ("micro", "below 3"), ("minor", "3 to 4"), ("light", "4 to 5"), ("moderate", "5 to 6"), ("strong", "6 to 7"),
    ("major", "7 to 8"), ("great", "from 8"),
  ]

  func lines(_ terminal: Terminal, _ style: DisplayStyle) -> [String] {
    let days = statistics.days(limit: days)
    guard let last = days.last?.day else { return ["0 earthquakes"] }
    let title =
      "\(CountText.of(statistics.count, "earthquake")) \(span(shown: days.count)) (\(style.zone.name(at: last))):"
    var lines = FrequencyText.wrapped(title, terminal.columns)
    lines += chart(days.map { (Self.day($0.day), $0.count) }, terminal)
    let classes = Self.classes.compactMap { name, range in
      statistics.countsByClass[name].map { (DisplayWidth.padded(name, to: 10) + range, $0) }
    }
    let unknown = statistics.withoutMagnitude > 0 ? [("unknown", statistics.withoutMagnitude)] : []
    lines += ["", "by magnitude:"] + chart(classes + unknown, terminal) + [""]
    if let largest = statistics.largest {
      lines += FrequencyText.labeled(
        "largest", "M \(largest.magnitudeText) \(largest.placeText), \(style.time(largest.time))",
        columns: terminal.columns)
    }
    lines += energyLines(terminal)
    lines += FrequencyText(frequencies, warnings, isASCII: terminal.isASCII).lines(columns: terminal.columns)
    return lines.map { line in terminal.columns.map { DisplayWidth.fitted(line, to: $0) } ?? line }
  }

  private func energyLines(_ terminal: Terminal) -> [String] {
    var lines: [String] = []
    if let magnitude = statistics.magnitudeOfEnergy {
      let joules = String(format: "%.1e", statistics.energy)
      lines += FrequencyText.labeled(
        "energy", "\(joules) J radiated, as by one earthquake of magnitude \(DecimalText.oneDigit(magnitude))",
        columns: terminal.columns)
    }
    let others = statistics.countsByOtherType.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !others.isEmpty {
      let names = others.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      lines += FrequencyText.labeled(
        "others", "\(names): counted above, but not for energy and b-value", columns: terminal.columns)
    }
    return lines
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

  static func day(_ date: Date) -> String { CalendarDate(date).dayText }

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
      let bar = Self.bar(eighths: count * room * 8 / largest, isThere: count > 0, isASCII: terminal.isASCII)
      return bar.isEmpty ? start : start + "  " + bar
    }
  }

  /// Whatever is there has a bar.
  private static func bar(eighths: Int, isThere: Bool, isASCII: Bool) -> String {
    if isASCII { return String(repeating: "#", count: max(isThere ? 1 : 0, (eighths + 4) / 8)) }
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    return bar.isEmpty && isThere ? "▏" : bar
  }
}
