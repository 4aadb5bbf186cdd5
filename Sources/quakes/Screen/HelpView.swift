import StrataQuakes
import StrataQuakesScreen

/// The keys, and the words of filters.
@MainActor
final class HelpView: ScreenView {
  let kind = ScreenKind.help
  private let keysOf: ScreenKind
  private var scroll = Scroll()

  /// - Parameter kind: the view whose keys to explain.
  init(of kind: ScreenKind) {
    keysOf = kind
  }

  func lines(_ size: ScreenSize, _ look: ScreenLook) -> [OutputText] {
    let bindings = look.keys.bindings(in: keysOf)
    let width = bindings.map { DisplayWidth.columns($0.names) }.max() ?? 0
    var lines = [look.bold("Keys")]
    lines += bindings.map { binding in
      OutputText(
        DisplayWidth.fitted("\(DisplayWidth.padded(binding.names, to: width))  \(binding.words)", to: size.columns))
    }
    if keysOf == .list {
      lines += ["", look.bold("Filters")]
      lines += Self.filters.flatMap { DisplayWidth.wrapped($0, to: size.columns) }.map { OutputText($0) }
    }
    return scroll.shown(lines, rows: size.rows, look)
  }

  private static let filters = [
    "Words match the place and the title; quote text that looks like a filter. All filters must match, unless \"or\" is "
      + "between them; \"not\" or \"-\" excludes; parentheses keep filters together: mag>=5 (tonga or fiji) -type:explosion. "
      + "The filters are:",
    ScreenFilter.examples,
  ]

  func perform(_ command: ScreenCommand) -> Bool { scroll.perform(command) }
}
