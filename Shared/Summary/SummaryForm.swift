/// For which status bar the line is written.
public enum SummaryForm: String, CaseIterable, Sendable {
  case waybar, i3blocks, i3bar
  case i3statusRust = "i3status-rust"
  case polybar, lemonbar, xmobar, tmux, dwmblocks, genmon, swiftbar, plain

  /// - Parameter name: as users type it; xbar reads what SwiftBar does.
  public init?(name: String) {
    self.init(rawValue: name == "xbar" ? "swiftbar" : name)
  }

  /// The names that users may type.
  public static var allNames: [String] { allCases.flatMap { $0 == .swiftbar ? ["swiftbar", "xbar"] : [$0.rawValue] } }
  public static var names: String { allNames.joined(separator: ", ") }
}
