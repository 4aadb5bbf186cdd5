import StrataQuakes
import StrataSystemChecks

/// Whether the terminal shows what is printed.
struct TerminalCheck {
  let terminal: Terminal

  var finding: Finding {
    guard terminal.isTerminal else { return Finding("terminal", .ok, "not a terminal") }
    let locale = Environment.localeName
    let kind = Environment.variable("TERM") ?? ""
    let size = "\(terminal.columns ?? 0) by \(terminal.rows ?? 0)"
    let text = "\(kind.isEmpty ? "no TERM" : kind), \(size), \(terminal.hasColor ? "colors" : "no colors")"
    guard Environment.isLocaleUTF8 else {
      return Finding(
        "terminal", .warn, "\(text); the output is UTF-8, but the locale \"\(locale)\" is not",
        advice: "set LANG to a locale such as C.UTF-8")
    }
    guard let columns = terminal.columns, columns >= 62 else {
      return Finding("terminal", .warn, "\(text): lists need 62 columns to show IDs", advice: "make it wider")
    }
    return Finding("terminal", .ok, "\(text), \(locale)")
  }
}
