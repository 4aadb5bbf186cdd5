import Foundation

/// What the place where a program prints can show.
public struct Terminal: Sendable {
  public enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// Nil if lines are not to be cut: a file or a pipe.
  public var columns: Int?
  public var rows: Int?
  public var hasColor: Bool
  public var isTerminal: Bool

  public init(columns: Int?, rows: Int? = nil, hasColor: Bool = false, isTerminal: Bool = false) {
    (self.columns, self.rows, self.hasColor, self.isTerminal) = (columns, rows, hasColor, isTerminal)
  }

  /// Looks at standard output. `COLUMNS` overrides what the terminal says; for colour the rules are those of
  /// https://no-color.org and https://bixense.com/clicolors/, and the option wins over all.
  public init(
    _ stream: StandardStream = .output, color: ColorChoice = .auto,
    environment: (String) -> String? = Environment.variable
  ) {
    isTerminal = stream.isTerminal
    var size = winsize()
    let isKnown = ioctl(stream.descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if columns == nil, isTerminal { columns = isKnown ? Int(size.ws_col) : 80 }
    rows = isKnown ? Int(size.ws_row) : nil
    hasColor = Self.wantsColor(color, isTerminal: isTerminal, environment: environment)
  }

  static func wantsColor(_ choice: ColorChoice, isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if !(environment("NO_COLOR") ?? "").isEmpty { return false }
    if let forced = environment("CLICOLOR_FORCE"), !forced.isEmpty, forced != "0" { return true }
    if environment("CLICOLOR") == "0" || environment("TERM") == "dumb" { return false }
    return isTerminal
  }

  /// The text with blanks in place of control characters: a place name must not be able to drive the terminal.
  public static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isControl(scalar) ? " " : scalar) }
    return String(scalars)
  }

  /// C0, DEL, C1, the line and paragraph separators, and the marks that turn the direction of writing.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The text in the colour of a magnitude, if there is colour. The number beside it says the same.
  public func colored(_ text: String, magnitude: Double?) -> String {
    guard hasColor, let magnitude else { return text }
    switch magnitude {
    case ..<2.5: return "\u{1B}[2m\(text)\u{1B}[0m"
    case ..<4.5: return text
    case ..<6: return "\u{1B}[33m\(text)\u{1B}[0m"
    case ..<7: return "\u{1B}[31m\(text)\u{1B}[0m"
    default: return "\u{1B}[1;31m\(text)\u{1B}[0m"
    }
  }

  /// A headline, where there is colour.
  public func heading(_ text: String) -> String {
    hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }
}
