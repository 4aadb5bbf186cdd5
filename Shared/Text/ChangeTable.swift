import Foundation

/// Formats changes as lines of text: when, what kind, which earthquake, what.
public struct ChangeTable: Sendable {
  public var terminal: Terminal
  public var style: DisplayStyle
  /// Whether to name the earthquake in each line.
  public var showsID = true

  public init(terminal: Terminal, style: DisplayStyle = DisplayStyle(), showsID: Bool = true) {
    (self.terminal, self.style, self.showsID) = (terminal, style, showsID)
  }

  /// The heading and one line per change. On a narrow terminal only the last column is truncated.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    let width = max(2, changes.map { DisplayWidth.columns($0.identifier) }.max() ?? 0)
    let times = changes.map { style.time($0.said) }
    let timeWidth = times.map(DisplayWidth.columns).max() ?? 0
    func row(_ when: String, kind: String, id: String, text: String) -> String {
      self.row(when: DisplayWidth.padded(when, to: timeWidth), kind: kind, id: id, idWidth: width, text: text)
    }
    return [terminal.heading(row("SAID", kind: "KIND", id: "ID", text: "WHAT"))]
      + zip(changes, times).map { change, time in
        let text = row(time, kind: change.kind.rawValue, id: change.identifier, text: change.text(style))
        return terminal.colored(text, magnitude: change.after.number(.magnitude))
      }
  }

  private func row(when: String, kind: String, id: String, idWidth: Int, text: String) -> String {
    var columns = [when, DisplayWidth.padded(kind, to: 9)]
    if showsID { columns.append(DisplayWidth.padded(Terminal.printable(id), to: idWidth)) }
    let line = (columns + [text]).joined(separator: "  ")
    return terminal.columns.map { DisplayWidth.fitted(line, to: $0) } ?? line
  }
}
