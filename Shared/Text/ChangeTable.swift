import Foundation

/// Formats changes as lines of text: when, what kind, which earthquake, what.
public struct ChangeTable: Sendable {
  public var terminal: Terminal
  public var style: DisplayStyle
  /// The columns of the earthquake after the change.
  public var columns: [QuakeColumn]
  public var now = Date()
  /// Whether the time is that of the import, not that of the service's report.
  public var showsLearnt = false
  /// Whether what a narrow terminal has no room for continues below itself.
  public var isWrapped = false

  public init(terminal: Terminal, style: DisplayStyle = DisplayStyle(), showsID: Bool = true) {
    (self.terminal, self.style, columns) = (terminal, style, showsID ? QuakeColumn.usual(["id"]) : [])
  }

  private static let gap = "  "
  /// With fewer columns left, the changes are on a line of their own.
  private static let minimumTextWidth = 20

  /// The columns of what is as wide as its longest text.
  public struct Widths: Sendable {
    fileprivate var time = 0
    fileprivate var columns: [Int] = []

    public init() {}
  }

  /// The heading and one line per change. On a narrow terminal only the last column is truncated or wrapped.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    var widths = Widths()
    return lines(changes, quakes: changes.map(\.after.facts), hasHeading: true, widths: &widths)
  }

  /// A part of a table.
  ///
  /// - Parameters:
  ///   - quakes: the earthquakes after the changes.
  ///   - widths: those of the parts before, which grow if these changes need more.
  public func lines(
    _ changes: [QuakeChange], quakes: [QuakeFacts], hasHeading: Bool, widths: inout Widths
  ) -> [OutputText] {
    let times = changes.map { style.time(showsLearnt ? $0.learnt : $0.said) }
    let cells = quakes.map(cells)
    widths.time = max(widths.time, times.map(DisplayWidth.columns).max() ?? 0)
    for (index, column) in columns.enumerated() {
      if index == widths.columns.count { widths.columns.append(column.textWidth) }
      widths.columns[index] = max(widths.columns[index], cells.map { DisplayWidth.columns($0[index]) }.max() ?? 0)
    }
    let heading = start(showsLearnt ? "LEARNT" : "SAID", kind: "KIND", columns.map(\.heading), widths)
    return (hasHeading ? rows(heading, "WHAT").map(terminal.heading) : [])
      + changes.indices.flatMap { index in
        rows(start(times[index], kind: changes[index].kind.rawValue, cells[index], widths), changes[index].text(style))
          .map { terminal.colored($0, magnitude: quakes[index].magnitude) }
      }
  }

  private func cells(of quake: QuakeFacts) -> [String] {
    let table = QuakeTable(terminal: terminal, now: now, style: style)
    return columns.map { column in
      let text = column.printable(quake, in: table)
      let isLimited = column.isFlexible && terminal.columns != nil
      return isLimited ? DisplayWidth.fitted(text, to: column.minimumWidth) : text
    }
  }

  private func start(_ time: String, kind: String, _ cells: [String], _ widths: Widths) -> String {
    let first = DisplayWidth.padded(time, to: widths.time) + Self.gap + DisplayWidth.padded(kind, to: 9) + Self.gap
    return zip(cells, zip(columns, widths.columns)).reduce(into: first) { line, part in
      let (cell, (column, width)) = part
      line += DisplayWidth.padded(cell, to: width, atEnd: column.alignment != .end) + Self.gap
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
