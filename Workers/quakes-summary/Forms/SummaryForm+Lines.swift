import StrataQuakes

/// The forms that are lines, each with its meaning.
extension SummaryForm {
  /// https://vivien.github.io/i3blocks: the text, a short one, and the colour.
  static func i3blocks(_ line: BarLine) -> OutputText {
    ([line.text, line.short] + [line.color].compactMap { $0 }).map { OutputText($0) }.joined(separator: "\n")
  }

  /// https://github.com/swiftbar/SwiftBar, as xbar reads it too: the title, then the menu.
  static func swiftBar(_ line: BarLine) -> OutputText {
    guard !line.text.isEmpty else { return "" }
    let color = line.color.map { " | color=\($0)" } ?? ""
    var lines = [OutputText(BarEscape.swiftBar(line.text) + color), "---"]
    for (index, entry) in line.tooltip.enumerated() {
      let page = line.tooltipPages[index].map { " | href=\($0)" } ?? ""
      lines.append(OutputText(BarEscape.swiftBar(entry) + page))
    }
    return lines.joined(separator: "\n")
  }
}
