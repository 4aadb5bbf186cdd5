import Foundation
import StrataQuakes

/// The distribution of magnitudes as text: the b-value, the completeness by each method, and the warnings.
struct FrequencyText {
  private var found: FrequencyMagnitude
  private var warnings: [StatisticsWarning]
  private var sign: String
  private var dash: String

  init(_ found: FrequencyMagnitude, _ warnings: [StatisticsWarning], isASCII: Bool) {
    (self.found, self.warnings) = (found, warnings)
    (sign, dash) = isASCII ? ("+/-", " to ") : ("±", "–")
  }

  /// - Parameter columns: nil to keep each sentence on one line.
  func lines(columns: Int?) -> [String] {
    let methods = found.estimates.map { ($0.method.title, text(of: $0)) } + [("range", rangeText)]
    var lines = Self.labeled("b-value", bText, columns: columns)
    if let intervals = intervalText { lines += Self.labeled("", intervals, columns: columns) }
    for warning in warnings { lines += Self.labeled("warning", warning.text(space: "\u{A0}"), columns: columns) }
    guard !found.estimates.isEmpty else { return lines }
    lines.append("")
    lines += Self.wrapped("magnitude of completeness Mc and the b-value from there on, by method:", columns)
    let width = methods.map { DisplayWidth.columns($0.0) }.max() ?? 0
    return lines + methods.flatMap { Self.labeled($0.0, $0.1, columns: columns, indentation: width + 2) }
  }

  /// A name and a text, which is wrapped to the right of the name, or under it where the terminal is too narrow.
  static func labeled(_ label: String, _ text: String, columns: Int?, indentation: Int = 10) -> [String] {
    let room = columns.map { $0 - indentation }
    if let room, let columns, room < 20 { return wrapped("\(label) \(text)", columns) }
    return wrapped(text, room).enumerated().map { index, part in
      DisplayWidth.padded(index == 0 ? label : "", to: indentation) + part
    }
  }

  /// Does not break at no-break spaces, which become spaces.
  static func wrapped(_ text: String, _ columns: Int?) -> [String] {
    let lines = columns.map { DisplayWidth.wrapped(text, to: $0) } ?? [text]
    return lines.map { $0.replacingOccurrences(of: "\u{A0}", with: " ") }
  }

  private var bText: String {
    guard let magnitude = found.completeness else {
      return "too few: \(CountText.of(found.total, "earthquake")) with a magnitude, \(BValue.minimumCount) required"
    }
    let sample = "\(CountText.of(found.count, "earthquake")) from magnitude \(DecimalText.oneDigit(magnitude)) on"
    if let value = found.bValue { return "\(text(of: value)) (standard error, 1 sigma), of \(sample)" }
    return found.count < BValue.minimumCount
      ? "too few: \(sample), \(BValue.minimumCount) required" : "unknown: \(sample), all of one magnitude"
  }

  private var intervalText: String? {
    guard let intervals = found.intervals else { return nil }
    let text = "95 % intervals (bootstrap): b \(range(intervals.b, "%.2f"))"
    return intervals.completeness.map { "\(text), Mc \(range($0, "%.1f"))" } ?? "\(text) for this Mc"
  }

  private func text(of estimate: CompletenessEstimate) -> String {
    guard let magnitude = estimate.magnitude else {
      switch estimate.method {
      case .goodnessOfFit where estimate.fit != nil:
        return "none: the law explains less than 90 % from any magnitude on"
      case .bValueStability: return "none: b is not stable, or too few earthquakes"
      default: return "too few earthquakes"
      }
    }
    let completeness = "Mc \(DecimalText.oneDigit(magnitude))"
    guard let value = estimate.bValue else { return "\(completeness)  b unknown: too few earthquakes" }
    let fit = estimate.fit.map { String(format: ", fit %.0f %%", $0) } ?? ""
    return "\(completeness)  b \(text(of: value)) of \(CountText.of(value.count, "earthquake"))\(fit)"
  }

  private var rangeText: String {
    let completeness = found.completenessRange.map { "Mc \(range($0, "%.1f"))" }
    return [completeness, found.bRange.map { "b \(range($0, "%.2f"))" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The error has a digit that is not 0.
  private func text(of value: BValue) -> String {
    let format = value.standardError < 0.01 ? "%.3f" : "%.2f"
    let numbers = [value.b, value.standardError].map { String(format: format, $0) }
    return numbers.joined(separator: "\u{A0}\(sign)\u{A0}")
  }

  private func range(_ range: ClosedRange<Double>, _ format: String) -> String {
    let (least, most) = (String(format: format, range.lowerBound), String(format: format, range.upperBound))
    return least == most ? least : "\(least)\(dash)\(most)"
  }
}

extension CompletenessEstimate.Method {
  fileprivate var title: String {
    switch self {
    case .maximumCurvature: "maximum curvature + 0.2"
    case .goodnessOfFit: "goodness of fit"
    case .bValueStability: "b-value stability"
    }
  }
}
