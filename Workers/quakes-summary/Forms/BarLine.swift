import Foundation
import StrataQuakes

/// The contents of a status bar line, independent of the bar's format.
struct BarLine {
  /// Empty to hide it.
  var text: String
  var short: String
  /// Why it is stale, the newest earthquakes, and how many smaller ones there are.
  var tooltip: [String]
  /// The pages of the tooltip's lines.
  var tooltipPages: [String?]
  /// How much attention the newest earthquake deserves; `unknown` also without one, and a day after it.
  var step: MagnitudeStep
  /// `#rrggbb`; nil for the bar's own.
  var color: String?
  /// The magnitude's class, then what else is true of it.
  var classes: [String]
  /// Ten times the magnitude, within 0...100.
  var percentage: Int
  /// The address that a click opens.
  var page: String?
  var isUrgent: Bool
  var isStale: Bool

  /// - Parameters:
  ///   - width: columns at most; nil for as many as it takes.
  ///   - whenNone: the text without an earthquake.
  ///   - minimumMagnitude: of the summary's earthquakes; nil for any.
  init(
    _ summary: Summary, template: SummaryTemplate, style: DisplayStyle = DisplayStyle(), width: Int?, whenNone: String,
    minimumMagnitude: Double? = nil
  ) {
    isStale = summary.isStale
    (tooltip, tooltipPages) = Self.tooltip(summary, style, minimumMagnitude)
    guard let quake = summary.newest else {
      text = DisplayWidth.fitted(Terminal.printable(whenNone), to: width ?? .max)
      (short, step, color, percentage, isUrgent) = (text, .unknown, nil, 0, false)
      classes = ["none"] + (isStale ? ["stale"] : [])
      return
    }
    let mark = isStale && !template.showsStaleness ? " · stale" : ""
    let room = width.map { max(0, $0 - DisplayWidth.columns(mark)) }
    text = DisplayWidth.fitted(template.text(quake, in: summary, style: style, width: room) + mark, to: width ?? .max)
    short = SummaryTemplate.short.text(quake, in: summary, style: style, width: width)
    let age = summary.now.timeIntervalSince(quake.time)
    step = MagnitudeStep(age < Self.day ? quake.magnitude : nil)
    color = isStale ? Self.gray : Self.color(step)
    classes = Self.classes(quake, age: age) + (isStale ? ["stale"] : [])
    let magnitude = quake.magnitude ?? 0
    percentage = magnitude.isFinite ? Int((min(max(magnitude, 0), 10) * 10).rounded()) : 0
    page = quake.page
    isUrgent = quake.isUrgent(at: summary.now)
  }

  private static let hour: TimeInterval = 3600
  private static let day: TimeInterval = 24 * hour
  private static let gray = "#888888"

  private static func tooltip(
    _ summary: Summary, _ style: DisplayStyle, _ minimum: Double?
  ) -> ([String], [String?]) {
    let table = QuakeTable(terminal: Terminal(columns: nil), now: summary.now, style: style)
    let lines = table.lines(summary.recent, hasHeading: false).map(\.text)
    let reason = summary.staleReason.map { [Terminal.printable("stale: \($0)")] } ?? []
    let smaller = minimum.flatMap { smallerText(summary, $0) }.map { [$0] } ?? []
    return (reason + lines + smaller, reason.map { _ in nil } + summary.recent.map(\.page) + smaller.map { _ in nil })
  }

  private static func smallerText(_ summary: Summary, _ minimum: Double) -> String? {
    guard summary.smaller > 0 else { return nil }
    let count = CountText.of(summary.smaller, "earthquake")
    return "\(count) below M \(DecimalText.shortest(minimum)) in the last 24 hours"
  }

  private static func color(_ step: MagnitudeStep) -> String? {
    switch step {
    case .unknown, .light: nil
    case .micro: gray
    case .moderate: "#e5c07b"
    case .strong: "#ff8700"
    case .major: "#ff5555"
    }
  }

  private static let alerts: Set = ["green", "yellow", "orange", "red"]

  private static func classes(_ quake: QuakeFacts, age: TimeInterval) -> [String] {
    var classes = [quake.magnitudeClass ?? "unknown"]
    if age < hour { classes.append("new") }
    if age >= day { classes.append("old") }
    if let alert = quake.alert, alerts.contains(alert) { classes.append("alert-\(alert)") }
    if quake.integer(.tsunami) == 1 { classes.append("tsunami-flag") }
    return classes
  }
}
