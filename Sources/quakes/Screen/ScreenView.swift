import Foundation
import StrataQuakes
import StrataQuakesScreen

/// A part of the screen, which returns lines for a size.
@MainActor
protocol ScreenView: AnyObject {
  var kind: ScreenKind { get }

  /// The state with which a newer version of this program opens it again; nil for the list, which is always open.
  var state: ScreenState.OpenView? { get }

  /// The lines from the top, at most as many as there are rows, none wider than the columns.
  ///
  /// - Throws: what reading the store throws.
  func lines(_ size: ScreenSize, _ look: ScreenLook) throws -> [OutputText]

  /// - Returns: false if it is for others.
  /// - Throws: what reading the store throws.
  func perform(_ command: ScreenCommand) throws -> Bool
}

/// Styles that all views share.
struct ScreenLook: Sendable {
  var now: Date
  var hasColor: Bool
  var style: DisplayStyle
  var keys: KeyTable

  func terminal(columns: Int) -> Terminal {
    Terminal(columns: columns, hasColor: hasColor, isTerminal: true, isASCII: !Environment.isLocaleUTF8)
  }

  /// Less important text.
  func dim(_ text: String) -> OutputText { OutputText(text, hasColor ? TextStyle(.dim) : TextStyle()) }

  func bold(_ text: String) -> OutputText { OutputText(text, TextStyle(.bold)) }

  /// Warnings.
  func warning(_ text: String) -> OutputText {
    hasColor ? OutputText(text, TextStyle(foreground: .palette(3))) : bold(text)
  }

  /// A warning or a message, wrapped. On a low screen it has only a part of the rows, and what has no room is left out.
  func message(_ text: String, _ size: ScreenSize) -> [OutputText] {
    let maximum = max(1, min(Self.maximumMessageRows, size.rows / 5))
    return DisplayWidth.wrapped(Terminal.printable(text), to: size.columns, maximum: maximum).map(warning)
  }

  private static let maximumMessageRows = 5

  /// A row, as a bar if it is selected.
  func row(_ text: String, isSelected: Bool, columns: Int) -> OutputText {
    isSelected ? OutputText(DisplayWidth.padded(text, to: columns), TextStyle(.reversed)) : OutputText(text)
  }

  /// Two texts at the ends of a row; the left one is shortened first.
  func row(_ left: String, _ right: String, columns: Int) -> OutputText {
    let right = DisplayWidth.fitted(right, to: max(0, columns - 2))
    let room = max(0, columns - DisplayWidth.columns(right) - 2)
    return bold(DisplayWidth.padded(DisplayWidth.fitted(Terminal.printable(left), to: room), to: room)) + "  "
      + dim(right)
  }
}

/// Lines of which a part is shown.
struct Scroll {
  private(set) var offset = 0
  private var rows = 1
  private var count = 0

  /// The visible lines in a number of rows; the last one shows how many more follow.
  mutating func shown(_ lines: [OutputText], rows: Int, _ look: ScreenLook) -> [OutputText] {
    (self.rows, count) = (max(1, rows), lines.count)
    move(to: offset)
    let shown = Array(lines.dropFirst(offset).prefix(rows))
    let more = lines.count - offset - rows + 1
    let key = look.keys.name(of: .down, in: .detail).map { ": \($0)" } ?? ""
    return more > 1 && rows > 1 ? Array(shown.dropLast()) + [look.dim(CountText.of(more, "more line") + key)] : shown
  }

  mutating func perform(_ command: ScreenCommand) -> Bool {
    switch command {
    case .down: move(to: offset + 1)
    case .up: move(to: offset - 1)
    case .pageDown: move(to: offset + page)
    case .pageUp: move(to: offset - page)
    case .first: move(to: 0)
    case .last: move(to: count)
    default: return false
    }
    return true
  }

  /// The last row may show that more follow.
  private var page: Int { max(1, rows - 1) }

  private mutating func move(to offset: Int) { self.offset = max(0, min(offset, count - rows)) }
}
