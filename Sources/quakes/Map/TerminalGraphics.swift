import Foundation
import StrataQuakes

/// How a terminal shows pictures.
struct TerminalGraphics {
  enum Form {
    case kitty, sixel
  }

  var form: Form
  /// The largest picture that the terminal shows, in pixels; nil if it does not say. xterm leaves out larger ones.
  var largest: PixelSize?

  /// What the environment and the terminal say; nil if neither says anything.
  static func ofThisTerminal(environment: (String) -> String? = Environment.variable) -> TerminalGraphics? {
    guard StandardStream.output.isTerminal else { return nil }
    if hasKitty(environment) { return TerminalGraphics(form: .kitty) }
    let answers = TerminalAnswers.ask()
    return answers.hasSixels ? TerminalGraphics(form: .sixel, largest: answers.largestSixels) : nil
  }

  /// Sixels, whatever the terminal says of them.
  static func sixels() -> TerminalGraphics {
    let answers = StandardStream.output.isTerminal ? TerminalAnswers.ask() : nil
    return TerminalGraphics(form: .sixel, largest: answers?.largestSixels)
  }

  /// A multiplexer hands on the variables of the terminal that it runs in, but not the pictures.
  private static func hasKitty(_ environment: (String) -> String?) -> Bool {
    if environment("TMUX") != nil || environment("STY") != nil { return false }
    let program = environment("TERM_PROGRAM") ?? ""
    return environment("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(environment("TERM"))
      || ["ghostty", "WezTerm"].contains(program)
  }
}
