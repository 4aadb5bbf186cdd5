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
  private static let kindWidth = 9
  /// With fewer columns left, wrapped changes are on a line of their own. Others take the room of what is before them.
  private static let minimumTextWidth = 20

  /// The columns of what is as wide as its longest text, and which of it a narrow terminal has no room for.
  public struct Widths: Sendable {
    fileprivate var time = 0
    fileprivate var columns: [String: Int] = [:]
    fileprivate var removed = Removed()

    public init() {}
  }

  fileprivate struct Removed: Equatable {
    /// Whether the time lost its year, its seconds and its zone.
    var endsOfTimes = false
    var columns: Set<String> = []
  }

  /// The heading and one line per change.
  ///
  /// On a narrow terminal the last column is truncated or wrapped. Before it is truncated to less than its minimum, the time is
  /// shortened, and then columns are removed, the last ones of `QuakeColumn.all` first.
  public func lines(_ changes: [QuakeChange]) -> [OutputText] {
    var widths = Widths()
    return lines(changes, quakes: changes.map(\.after.facts), hasHeading: true, widths: &widths)
  }

  /// A part of a table. It has a heading too if it needs more room than the parts before, and so loses columns that they have.
  ///
  /// - Parameters:
  ///   - quakes: the earthquakes after the changes.
  ///   - widths: those of the parts before, which grow if these changes need more.
  public func lines(
    _ changes: [QuakeChange], quakes: [QuakeFacts], hasHeading: Bool, widths: inout Widths
  ) -> [OutputText] {
    let cells = quakes.map(cells)
    let dates = changes.map { showsLearnt ? $0.learnt : $0.said }
    widths.time = max(widths.time, dates.map { DisplayWidth.columns(style.time($0)) }.max() ?? 0)
    for (index, column) in columns.enumerated() {
      let widest = cells.map { DisplayWidth.columns($0[index]) }.max() ?? 0
      widths.columns[column.name] = max(widths.columns[column.name] ?? column.textWidth, widest)
    }
    let former = widths.removed
    makeRoom(&widths)
    let heading = start(showsLearnt ? "LEARNT" : "SAID", kind: "KIND", columns.map(\.heading), widths)
    let hasHeading = hasHeading || widths.removed != former
    return (hasHeading ? rows(heading, "WHAT").map(terminal.heading) : [])
      + changes.indices.flatMap { index in
        let time = widths.removed.endsOfTimes ? style.shortTime(dates[index], at: now) : style.time(dates[index])
        return rows(
          start(time, kind: changes[index].kind.rawValue, cells[index], widths), changes[index].text(style)
        )
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

  /// Leaves the changes their least width.
  private func makeRoom(_ widths: inout Widths) {
    guard let room = terminal.columns, !isWrapped else { return }
    func isNarrow() -> Bool { room - startWidth(widths) < Self.minimumTextWidth }
    if isNarrow() { widths.removed.endsOfTimes = true }
    guard isNarrow() else { return }
    let order = QuakeColumn.all.map(\.name).filter { name in columns.contains { $0.name == name } }
    for name in order.reversed() where isNarrow() { widths.removed.columns.insert(name) }
  }

  private func shown(_ widths: Widths) -> [QuakeColumn] { columns.filter { !widths.removed.columns.contains($0.name) } }

  private func timeWidth(_ widths: Widths) -> Int {
    max(widths.removed.endsOfTimes ? style.shortTimeWidth : widths.time, showsLearnt ? "LEARNT".count : "SAID".count)
  }

  private func startWidth(_ widths: Widths) -> Int {
    let all = [timeWidth(widths), Self.kindWidth] + shown(widths).map { widths.columns[$0.name, default: 0] }
    return all.reduce(0) { $0 + $1 + Self.gap.count }
  }

  /// - Parameter cells: of all columns.
  private func start(_ time: String, kind: String, _ cells: [String], _ widths: Widths) -> String {
    var line = DisplayWidth.padded(time, to: timeWidth(widths)) + Self.gap
    line += DisplayWidth.padded(kind, to: Self.kindWidth) + Self.gap
    for (cell, column) in zip(cells, columns) where !widths.removed.columns.contains(column.name) {
      let width = widths.columns[column.name, default: 0]
      line += DisplayWidth.padded(cell, to: width, atEnd: column.alignment != .end) + Self.gap
    }
    return line
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
