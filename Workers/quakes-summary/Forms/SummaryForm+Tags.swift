import StrataQuakes

/// The forms that are a text with tags in it. A shell runs what is clicked: a page holds nothing that ends the quotes.
extension SummaryForm {
  private static func command(_ page: String) -> String { "xdg-open '\(page)'" }

  /// https://github.com/polybar/polybar/wiki/Formatting
  static func polybar(_ line: BarLine) -> String {
    let text = colored(BarEscape.polybar(line.text), line, { "%{F\($0)}" }, "%{F-}")
    guard let page = line.page else { return text }
    return "%{A1:\(command(page).replacing(":", with: "\\:")):}\(text)%{A}"
  }

  /// https://github.com/LemonBoy/bar: what is clicked is printed, for a shell to read.
  static func lemonbar(_ line: BarLine) -> String {
    let text = colored(BarEscape.lemonbar(line.text), line, { "%{F\($0)}" }, "%{F-}")
    guard let page = line.page else { return text }
    return "%{A:\(command(page).replacing(":", with: "\\:")):}\(text)%{A}"
  }

  /// https://codeberg.org/xmobar/xmobar: `raw` for what is not markup.
  static func xmobar(_ line: BarLine) -> String {
    let text = colored(BarEscape.xmobar(line.text), line, { "<fc=\($0)>" }, "</fc>")
    guard let page = line.page else { return text }
    return "<action=`\(command(page))`>\(text)</action>"
  }

  /// tmux(1), STYLES. It has no clicks for a part of the line.
  static func tmux(_ line: BarLine) -> String {
    line.text.isEmpty ? "" : (line.color.map { "#[fg=\($0)]" } ?? "") + BarEscape.tmux(line.text) + "#[default]"
  }

  /// https://docs.xfce.org/panel-plugins/xfce4-genmon-plugin
  static func genmon(_ line: BarLine) -> OutputText {
    let text = colored(XMLText.escaped(line.text), line, { "<span fgcolor=\"\($0)\">" }, "</span>")
    var lines = [OutputText("<txt>\(text)</txt>")]
    let tooltip = line.tooltip.map { OutputText(XMLText.escaped($0)) }.joined(separator: "\n")
    if !line.tooltip.isEmpty { lines.append("<tool>\(tooltip)</tool>") }
    if let page = line.page { lines.append(OutputText("<txtclick>\(command(page))</txtclick>")) }
    return lines.joined(separator: "\n")
  }

  private static func colored(_ text: String, _ line: BarLine, _ begin: (String) -> String, _ end: String) -> String {
    guard let color = line.color, !text.isEmpty else { return text }
    return begin(color) + text + end
  }
}
