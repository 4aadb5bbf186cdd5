import Foundation
import StrataQuakes
import StrataQuakesScreen

extension LiveScreen {
  private static let smallest = ScreenSize(columns: 20, rows: 5)

  func draw() {
    let size = terminal.size
    var frame = frame(size)
    // A failure is drawn in the area of what it prevented.
    if frame == nil { frame = self.frame(size) }
    guard let frame, terminal.show(frame) else { end() }
  }

  /// - Returns: nil if the list was lost while it was read.
  private func frame(_ size: ScreenSize) -> Frame? {
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      let text = "too small: \(Self.smallest.columns) × \(Self.smallest.rows) needed"
      return Frame(DisplayWidth.wrapped(text, to: size.columns).map { OutputText($0) }, size: size)
    }
    let look = ScreenLook(now: Date(), hasColor: options.hasColor, style: options.style, keys: options.keys)
    let foot = foot(size, look)
    let room = ScreenSize(columns: size.columns, rows: size.rows - foot.lines.count)
    guard let body = body(room, look) else { return nil }
    let gap = [OutputText](repeating: "", count: max(0, room.rows - body.count))
    let cursor = foot.cursor.map { Frame.Position(row: size.rows - 1, column: $0) }
    return Frame(body.prefix(room.rows) + gap + foot.lines, size: size, cursor: cursor)
  }

  private func body(_ size: ScreenSize, _ look: ScreenLook) -> [OutputText]? {
    hasListAbove = false
    if let top = top as? HelpView { return top.lines(size, look) }
    if let top = top as? ViewMenu { return top.lines(size, look) }
    switch list {
    case .failure(let failure):
      let advice = "The list appears after the first import."
      return [look.bold("Quakes"), ""]
        + DisplayWidth.wrapped(failure.message, to: size.columns).map { look.warning($0) }
        + ["", OutputText(DisplayWidth.fitted(advice, to: size.columns))]
    case .success(let view):
      var lines: [OutputText]?
      attempt { list in
        try list.refresh()
        lines =
          try (top as? DetailView).map { try self.lines(of: $0, below: list, size, look) }
          ?? (top ?? view).lines(size, look)
        list.noteDrawing()
      }
      return lines
    }
  }

  /// On lower screens the details have all rows.
  private static let (minimumRowsForBoth, minimumListRows) = (28, 8)

  /// The details, below the list if there is room for both.
  private func lines(
    of detail: DetailView, below list: ListView, _ size: ScreenSize, _ look: ScreenLook
  ) throws -> [OutputText] {
    let lines = try detail.lines(size, look)
    let room = size.rows - lines.count - 1
    guard size.rows >= Self.minimumRowsForBoth, room >= Self.minimumListRows else { return lines }
    hasListAbove = true
    let line: Character = look.terminal(columns: size.columns).isASCII ? "-" : "─"
    let above = try list.lines(ScreenSize(columns: size.columns, rows: room), look)
    return above + [look.dim(String(repeating: line, count: size.columns))] + lines
  }

  // MARK: The foot

  private func foot(_ size: ScreenSize, _ look: ScreenLook) -> (lines: [OutputText], cursor: Int?) {
    if let prompt {
      return input(
        prompt.field, after: "/", help: ScreenFilter.examples, problem: prompt.problem, size, look)
    }
    if let notePrompt {
      return input(notePrompt.field, after: "note: ", help: NotePrompt.help, problem: nil, size, look)
    }
    if let viewPrompt {
      return input(
        viewPrompt.field, after: "view: ", help: ViewPrompt.help, problem: viewPrompt.problem, size, look)
    }
    let message = (notice ?? terminal.lastError).map { look.message($0, size) } ?? []
    return (message + [keys(columns: size.columns, look)], nil)
  }

  private func input(
    _ field: TextField, after sign: String, help: String, problem: String?, _ size: ScreenSize, _ look: ScreenLook
  ) -> (lines: [OutputText], cursor: Int?) {
    let start = DisplayWidth.columns(sign)
    let (text, cursor) = field.window(columns: size.columns - start)
    let message = problem.map { look.message($0, size) } ?? [look.dim(DisplayWidth.fitted(help, to: size.columns))]
    return (message + [OutputText(sign + text)], start + cursor)
  }

  /// The keys that there is room for: the last two are always among them.
  private func keys(columns: Int, _ look: ScreenLook) -> OutputText {
    var words = options.keys.foot(of: kind, newCount: newCount, isFiltered: isFiltered)
    func width() -> Int { words.reduce(-2) { $0 + DisplayWidth.columns($1.key) + DisplayWidth.columns($1.word) + 3 } }
    while width() > columns, words.count > 2 { words.remove(at: words.count - 3) }
    return words.map { look.bold($0.key) + " " + look.dim($0.word) }.joined(separator: "  ")
  }

  private var newCount: Int { if case .success(let view) = list { view.store.unseen.count } else { 0 } }

  private var isFiltered: Bool {
    if case .success(let view) = list { !view.filter.text.isEmpty || view.view != nil } else { false }
  }
}
