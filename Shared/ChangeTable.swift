import Foundation

/// Formats changes as lines of text: when, what kind, which earthquake, what.
public struct ChangeTable: Sendable {
  public var terminal: Terminal
  /// Whether to name the earthquake in each line.
  public var showsID = true

  public init(terminal: Terminal, showsID: Bool = true) {
    (self.terminal, self.showsID) = (terminal, showsID)
  }

  /// The heading and one line per change. On a narrow terminal only the last column is truncated.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    let width = max(2, changes.map { DisplayWidth.columns($0.identifier) }.max() ?? 0)
    let head = row(when: "SAID", kind: "KIND", id: "ID", idWidth: width, text: "WHAT")
    return [terminal.heading(head)]
      + changes.map { change in
        let text = row(
          when: ISO8601.text(change.said), kind: change.kind.rawValue, id: change.identifier, idWidth: width,
          text: change.text)
        return terminal.colored(text, magnitude: change.after.number(.magnitude))
      }
  }

  private func row(when: String, kind: String, id: String, idWidth: Int, text: String) -> String {
    var columns = [DisplayWidth.padded(when, to: 20), DisplayWidth.padded(kind, to: 9)]
    if showsID { columns.append(DisplayWidth.padded(Terminal.printable(id), to: idWidth)) }
    let line = (columns + [text]).joined(separator: "  ")
    return terminal.columns.map { DisplayWidth.fitted(line, to: $0) } ?? line
  }
}
