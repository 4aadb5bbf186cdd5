import Foundation

/// The capabilities of the output device.
public struct Terminal: Sendable {
  public enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// nil if lines must not be truncated: for a file or pipe.
  public var columns: Int?
  public var rows: Int?
  public var hasColor: Bool
  public var isTerminal: Bool
  /// Whether only ASCII is safe to print, because the locale is not one of UTF-8.
  public var isASCII: Bool

  public init(
    columns: Int?, rows: Int? = nil, hasColor: Bool = false, isTerminal: Bool = false, isASCII: Bool = false
  ) {
    (self.columns, self.rows, self.hasColor, self.isTerminal) = (columns, rows, hasColor, isTerminal)
    self.isASCII = isASCII
  }

  /// Inspects standard output. `COLUMNS` overrides the terminal's width. Color follows https://no-color.org and
  /// https://bixense.com/clicolors/, and the option overrides both.
  ///
  /// - Parameter defaultColor: the choice if neither the option nor the environment sets one.
  public init(
    _ stream: StandardStream = .output, color: ColorChoice = .auto, default defaultColor: ColorChoice = .auto,
    environment: (String) -> String? = Environment.variable
  ) {
    isTerminal = stream.isTerminal
    var size = winsize()
    let isKnown = ioctl(stream.descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if columns == nil, isTerminal { columns = isKnown ? Int(size.ws_col) : 80 }
    rows = isKnown ? Int(size.ws_row) : nil
    isASCII = !Environment.isLocaleUTF8
    hasColor = Self.wantsColor(color, default: defaultColor, isTerminal: isTerminal, environment: environment)
  }

  /// The columns for help: those of the terminal, unless they are too few to read it.
  public static var helpColumns: Int { max(40, min(Terminal().columns ?? 80, 1000)) }

  static func wantsColor(
    _ choice: ColorChoice, default defaultColor: ColorChoice = .auto, isTerminal: Bool, environment: (String) -> String?
  ) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if !(environment("NO_COLOR") ?? "").isEmpty { return false }
    if let forced = environment("CLICOLOR_FORCE"), !forced.isEmpty, forced != "0" { return true }
    if environment("CLICOLOR") == "0" || environment("TERM") == "dumb" { return false }
    return defaultColor == .auto ? isTerminal : defaultColor == .always
  }

  /// The text in its magnitude's color, if color is on. The number carries the same information.
  public func colored(_ text: String, magnitude: Double?) -> OutputText {
    guard hasColor else { return OutputText(text) }
    let (yellow, red) = (TextStyle.Color.palette(3), TextStyle.Color.palette(1))
    switch MagnitudeStep(magnitude) {
    case .unknown, .light: return OutputText(text)
    case .micro: return OutputText(text, TextStyle(.dim))
    case .moderate: return OutputText(text, TextStyle(foreground: yellow))
    case .strong: return OutputText(text, TextStyle(foreground: red))
    case .major: return OutputText(text, TextStyle(.bold, foreground: red))
    }
  }

  /// The text as a heading, if color is on.
  public func heading(_ text: String) -> OutputText {
    OutputText(text, hasColor ? TextStyle(.bold) : TextStyle())
  }
}
