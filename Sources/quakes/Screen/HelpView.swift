import StrataQuakes
import StrataQuakesScreen

/// The keys, and the words of filters.
@MainActor
final class HelpView: ScreenView {
  let kind = ScreenKind.help
  private let keysOf: ScreenKind
  var state: ScreenState.OpenView? { .help(of: keysOf.rawValue) }
  private var scroll = Scroll()

  /// - Parameter kind: the view whose keys to explain.
  init(of kind: ScreenKind) {
    keysOf = kind
  }

  func lines(_ size: ScreenSize, _ look: ScreenLook) -> [OutputText] {
    let bindings = look.keys.bindings(in: keysOf)
    let width = bindings.map { DisplayWidth.columns($0.names) }.max() ?? 0
    var lines = [look.bold("Keys")]
    let blanks = String(repeating: " ", count: width + 2)
    for binding in bindings {
      let words = DisplayWidth.wrapped(binding.words, to: max(Self.minimumColumns, size.columns - width - 2))
      let starts = [DisplayWidth.padded(binding.names, to: width + 2)] + words.dropFirst().map { _ in blanks }
      lines += zip(starts, words).map { OutputText(DisplayWidth.fitted($0 + $1, to: size.columns)) }
    }
    if keysOf == .list {
      lines += ["", look.bold("Filters")]
      lines += Self.filters.flatMap { DisplayWidth.wrapped($0, to: size.columns) }.map { OutputText($0) }
    }
    return scroll.shown(lines, rows: size.rows, look)
  }

  /// The least width for what a key does.
  private static let minimumColumns = 16

  private static let filters = [
    "Words match the place and the title; quote text that looks like a filter. All filters must match, unless \"or\" is "
      + "between them; \"not\" or \"-\" excludes; parentheses keep filters together: mag>=5 (tonga or fiji) -type:explosion. "
      + "The filters are:",
    ScreenFilter.examples,
  ]

  func perform(_ command: ScreenCommand) -> Bool { scroll.perform(command) }
}
