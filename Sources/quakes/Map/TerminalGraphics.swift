import Foundation
import StrataQuakes

/// A way in which terminals show pictures.
enum TerminalGraphics {
  case kitty, sixel

  /// What the environment and the terminal say; nil if neither says anything.
  static func ofThisTerminal(environment: (String) -> String? = Environment.variable) -> TerminalGraphics? {
    guard StandardStream.output.isTerminal else { return nil }
    return hasKitty(environment) ? .kitty : hasSixels() ? .sixel : nil
  }

  /// A multiplexer hands on the variables of the terminal that it runs in, but not the pictures.
  private static func hasKitty(_ environment: (String) -> String?) -> Bool {
    if environment("TMUX") != nil || environment("STY") != nil { return false }
    let program = environment("TERM_PROGRAM") ?? ""
    return environment("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(environment("TERM"))
      || ["ghostty", "WezTerm"].contains(program)
  }

  /// Asks the terminal for its attributes (DA1), of which 4 are sixels: https://vt100.net/docs/vt510-rm/DA1.html
  private static func hasSixels() -> Bool {
    var usual = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &usual) == 0 else { return false }
    var raw = usual
    // The answer comes without a line end, and must not be seen.
    raw.c_lflag &= ~UInt32(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return false }
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &usual) }
    guard StandardStream.output.write("\u{1B}[c") else { return false }
    return attributes(of: answer()).contains("4")
  }

  /// What the terminal sends within half a second, up to the answer's last letter.
  private static func answer() -> String {
    var bytes: [UInt8] = []
    let end = Date(timeIntervalSinceNow: 0.5)
    while bytes.last != UInt8(ascii: "c"), bytes.count < 256 {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let rest = Int32(max(0, end.timeIntervalSinceNow * 1000))
      var byte: UInt8 = 0
      guard rest > 0, poll(&input, 1, rest) == 1, read(STDIN_FILENO, &byte, 1) == 1 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Of `ESC [ ? 62 ; 4 ; 22 c`, whatever was typed before it.
  static func attributes(of answer: String) -> [String] {
    guard answer.hasSuffix("c"), let start = answer.range(of: "\u{1B}[?", options: .backwards) else { return [] }
    return answer[start.upperBound...].dropLast().split(separator: ";").map(String.init)
  }
}
