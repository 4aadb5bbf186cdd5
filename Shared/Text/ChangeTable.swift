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

  /// The columns of what is as wide as its longest text.
  public struct Widths: Sendable {
    fileprivate var time = 0
    fileprivate var id = 2

    public init() {}
  }

  /// The heading and one line per change. On a narrow terminal only the last column is truncated.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    var widths = Widths()
    return lines(changes, hasHeading: true, widths: &widths)
  }

  /// A part of a table.
  ///
  /// - Parameter widths: those of the parts before, which grow if these changes need more.
  public func lines(_ changes: [QuakeChange], hasHeading: Bool, widths: inout Widths) -> [OutputText] {
    let times = changes.map { style.time($0.said) }
    widths.id = max(widths.id, changes.map { DisplayWidth.columns($0.identifier) }.max() ?? 0)
    widths.time = max(widths.time, times.map(DisplayWidth.columns).max() ?? 0)
    let (width, timeWidth) = (widths.id, widths.time)
    func row(_ when: String, kind: String, id: String, text: String) -> String {
      self.row(when: DisplayWidth.padded(when, to: timeWidth), kind: kind, id: id, idWidth: width, text: text)
    }
    return (hasHeading ? [terminal.heading(row("SAID", kind: "KIND", id: "ID", text: "WHAT"))] : [])
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
