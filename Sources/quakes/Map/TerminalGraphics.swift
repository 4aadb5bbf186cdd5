import Foundation
import StrataQuakes

/// How a terminal shows pictures.
struct TerminalGraphics {
  enum Form {
    case kitty, sixel
  }

  var form: Form
  /// The maximum image size in pixels; nil if the terminal does not report it. xterm does not show larger images.
  var largest: PixelSize?

  /// The protocol that the environment or the terminal reports; nil if neither does.
  static func ofThisTerminal(environment: (String) -> String? = Environment.variable) -> TerminalGraphics? {
    guard StandardStream.output.isTerminal else { return nil }
    if hasKitty(environment) { return TerminalGraphics(form: .kitty) }
    let responses = TerminalResponses.ask()
    return responses.hasSixels ? TerminalGraphics(form: .sixel, largest: responses.maximumSixelSize) : nil
  }

  /// Sixels, even if the terminal does not report them.
  static func sixels() -> TerminalGraphics {
    let responses = StandardStream.output.isTerminal ? TerminalResponses.ask() : nil
    return TerminalGraphics(form: .sixel, largest: responses?.maximumSixelSize)
  }

  /// A multiplexer hands on the variables of the terminal that it runs in, but not the pictures.
  private static func hasKitty(_ environment: (String) -> String?) -> Bool {
    if environment("TMUX") != nil || environment("STY") != nil { return false }
    let program = environment("TERM_PROGRAM") ?? ""
    return environment("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(environment("TERM"))
      || ["ghostty", "WezTerm"].contains(program)
  }
}
