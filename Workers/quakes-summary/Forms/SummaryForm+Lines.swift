import StrataQuakes

/// The forms that are lines, each with its meaning.
extension SummaryForm {
  /// https://vivien.github.io/i3blocks: the text, a short one, and the color.
  static func i3blocks(_ line: BarLine) -> OutputText {
    ([line.text, line.short] + [line.color].compactMap { $0 }).map { OutputText($0) }.joined(separator: "\n")
  }

  /// https://github.com/swiftbar/SwiftBar, as xbar reads it too: the title, then the menu.
  static func swiftBar(_ line: BarLine) -> OutputText {
    guard !line.text.isEmpty else { return "" }
    var lines = [swiftBarItem(line.text, line.color.map { "color=\($0)" }), "---"]
    for (entry, page) in zip(line.tooltip, line.tooltipPages) {
      lines.append(swiftBarItem(entry, page.map { "href=\($0)" }))
    }
    return lines.joined(separator: "\n")
  }

  private static func swiftBarItem(_ text: String, _ parameter: String?) -> OutputText {
    // A name between colons would become an emoji or a symbol.
    let pictures = text.utf8.contains(UInt8(ascii: ":")) ? ["emojize=false", "symbolize=false"] : []
    let parameters = [parameter].compactMap { $0 } + pictures
    let end = parameters.isEmpty ? "" : " | " + parameters.joined(separator: " ")
    return OutputText(BarEscape.swiftBar(text) + end)
  }
}
