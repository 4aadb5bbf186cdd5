import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The saved views to choose from.
@MainActor
final class ViewMenu: ScreenView {
  let kind = ScreenKind.views
  let state: ScreenState.OpenView? = .views
  private let views: [SavedView]
  private var index = 0

  init(_ views: [SavedView]) { self.views = views }

  var selected: SavedView? { views.indices.contains(index) ? views[index] : nil }

  func lines(_ size: ScreenSize, _ look: ScreenLook) -> [OutputText] {
    let title = look.bold("Views")
    guard !views.isEmpty else {
      let key = look.keys.name(of: .saveView, in: .list) ?? "save_view"
      let advice = "No view is saved yet. In the list, \(key) saves its filter and order under a name."
      return [title, ""] + DisplayWidth.wrapped(advice, to: size.columns).map { OutputText($0) }
    }
    let width = min(20, views.map { DisplayWidth.columns($0.name) }.max() ?? 0)
    let start = max(0, index - size.rows + 2)
    let shown = views.enumerated().dropFirst(start).prefix(max(1, size.rows - 1))
    return [title]
      + shown.map { number, view in
        let name = DisplayWidth.padded(DisplayWidth.fitted(Terminal.printable(view.name), to: width), to: width)
        let order = view.order.map { "  (by \($0.rawValue)\(view.isReversed ? ", reversed" : ""))" } ?? ""
        let text =
          "\(number == index ? ">" : " ") \(number < 9 ? "\(number + 1)" : " ")  \(name)  \(view.filter)\(order)"
        return look.row(
          DisplayWidth.fitted(Terminal.printable(text), to: size.columns), isSelected: number == index,
          columns: size.columns)
      }
  }

  func perform(_ command: ScreenCommand) -> Bool {
    switch command {
    case .down: index = min(index + 1, max(0, views.count - 1))
    case .up: index = max(0, index - 1)
    case .first, .pageUp: index = 0
    case .last, .pageDown: index = max(0, views.count - 1)
    default: return false
    }
    return true
  }
}
