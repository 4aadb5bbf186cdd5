import Foundation

/// Formats changes as lines of text: when, what kind, which earthquake, what.
public struct ChangeTable: Sendable {
  public var terminal: Terminal
  public var style: DisplayStyle
  /// Whether to name the earthquake in each line.
  public var showsID = true
  /// Whether the time is that of the import, not that of the service's report.
  public var showsLearnt = false
  /// Whether what a narrow terminal has no room for continues below itself.
  public var isWrapped = false

  public init(terminal: Terminal, style: DisplayStyle = DisplayStyle(), showsID: Bool = true) {
    (self.terminal, self.style, self.showsID) = (terminal, style, showsID)
  }

  private static let gap = "  "
  /// With fewer columns left, the changes are on a line of their own.
  private static let minimumTextWidth = 20

  /// The columns of what is as wide as its longest text.
  public struct Widths: Sendable {
    fileprivate var time = 0
    fileprivate var id = 2

    public init() {}
  }

  /// The heading and one line per change. On a narrow terminal only the last column is truncated or wrapped.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    var widths = Widths()
    return lines(changes, hasHeading: true, widths: &widths)
  }

  /// A part of a table.
  ///
  /// - Parameter widths: those of the parts before, which grow if these changes need more.
  public func lines(_ changes: [QuakeChange], hasHeading: Bool, widths: inout Widths) -> [OutputText] {
    let times = changes.map { style.time(showsLearnt ? $0.learnt : $0.said) }
    widths.id = max(widths.id, changes.map { DisplayWidth.columns($0.identifier) }.max() ?? 0)
    widths.time = max(widths.time, times.map(DisplayWidth.columns).max() ?? 0)
    let (width, timeWidth) = (widths.id, widths.time)
    func rows(_ when: String, kind: String, id: String, text: String) -> [String] {
      var columns = [DisplayWidth.padded(when, to: timeWidth), DisplayWidth.padded(kind, to: 9)]
      if showsID { columns.append(DisplayWidth.padded(Terminal.printable(id), to: width)) }
      return self.rows(columns.reduce(into: "") { $0 += $1 + Self.gap }, text)
    }
    let heading = rows(showsLearnt ? "LEARNT" : "SAID", kind: "KIND", id: "ID", text: "WHAT")
    return (hasHeading ? heading.map(terminal.heading) : [])
      + zip(changes, times).flatMap { change, time in
        rows(time, kind: change.kind.rawValue, id: change.identifier, text: change.text(style))
          .map { terminal.colored($0, magnitude: change.after.number(.magnitude)) }
      }
  }

  private func rows(_ start: String, _ text: String) -> [String] {
    guard let width = terminal.columns else { return [start + text] }
    guard isWrapped else { return [DisplayWidth.fitted(start + text, to: width)] }
    let indent = DisplayWidth.columns(start)
    if width - indent < Self.minimumTextWidth {
      return [DisplayWidth.fitted(start, to: width)]
        + DisplayWidth.wrapped(text, to: width - Self.gap.count).map { Self.gap + $0 }
    }
    let blanks = String(repeating: " ", count: indent)
    return DisplayWidth.wrapped(text, to: width - indent).enumerated().map { ($0 == 0 ? start : blanks) + $1 }
  }
}
