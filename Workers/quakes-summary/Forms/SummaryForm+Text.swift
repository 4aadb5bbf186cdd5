import StrataQuakes

extension SummaryForm {
  /// The earthquakes that it shows.
  var quakeLimit: Int {
    switch self {
    case .waybar, .genmon, .swiftbar: 10
    default: 1
    }
  }

  /// Whether it shows more than the line.
  var hasTooltip: Bool { quakeLimit > 1 }

  /// The output before the first line with `--follow`.
  var preamble: OutputText? {
    self == .i3bar ? "{\"version\":1,\"click_events\":true}\n[" : nil
  }

  /// Whether the bar writes clicks to standard input with `--follow`.
  var sendsClicks: Bool { self == .i3bar || self == .i3blocks }

  /// How the program ends after the line.
  func exitStatus(_ line: BarLine) -> Int32 {
    // i3blocks(1): 33 marks the block as urgent, and any other failure hides the line.
    self == .i3blocks && line.isUrgent ? 33 : ExitStatus.ok.rawValue
  }

  /// The line, or the lines that are one to the bar.
  ///
  /// - Parameter isFollowing: whether others come after it.
  func text(_ line: BarLine, isFollowing: Bool = false) -> OutputText {
    switch self {
    case .waybar: OutputText(Self.waybar(line))
    case .i3blocks: isFollowing ? OutputText(Self.i3Block(line)) : Self.i3blocks(line)
    case .i3bar: isFollowing ? "[\(Self.i3Block(line))]," : OutputText(Self.i3Block(line))
    case .i3statusRust: OutputText(Self.i3statusRust(line))
    case .polybar: OutputText(Self.polybar(line))
    case .lemonbar: OutputText(Self.lemonbar(line))
    case .xmobar: OutputText(Self.xmobar(line))
    case .tmux: OutputText(Self.tmux(line))
    case .genmon: Self.genmon(line)
    case .swiftbar: (isFollowing ? "~~~\n" : "") + Self.swiftBar(line)
    case .dwmblocks: OutputText(BarEscape.dwm(line.text))
    case .plain: OutputText(line.text)
    }
  }
}
