import Foundation

/// Formats earthquakes as lines of text.
public struct QuakeTable: Sendable {
  public var terminal: Terminal
  public var now: Date
  public var style: DisplayStyle
  public var columns: ColumnChoice
  /// Whether the usual columns include the user's marks.
  public var showsMarks = false
  /// Whether the usual columns include the IDs, whole, so that other programs know them too.
  public var showsIDs = false

  public init(
    terminal: Terminal, now: Date, style: DisplayStyle = DisplayStyle(), columns: ColumnChoice = .usual()
  ) {
    (self.terminal, self.now, self.style, self.columns) = (terminal, now, style, columns)
  }

  /// Terminals with this many columns and more have room for both the age and the clock time. Of 100 columns, the live
  /// screen uses two for the selection and for new earthquakes.
  private static let wideTerminal = 98
  /// Never removed, however narrow the terminal.
  private static let kept: Set = ["marks", "magnitude", "time", "place"]
  /// Flexible columns are not truncated to less than this. A line that is still too long is cut off at its end.
  private static let minimumTextWidth = 4

  /// The columns of a table with their widths, which all its parts share.
  public struct Layout: Sendable {
    fileprivate var columns: [(column: QuakeColumn, width: Int)]

    /// The width of the lines if flexible columns have their least width.
    fileprivate var minimumWidth: Int { width { $0.isFlexible ? $0.minimumWidth : $1 } }
    fileprivate var width: Int { width { $1 } }

    private func width(_ width: (QuakeColumn, Int) -> Int) -> Int {
      columns.reduce(0) { $0 + width($1.column, $1.width) } + columns.dropLast().reduce(0) { $0 + $1.column.gap.count }
    }
  }

  /// The columns for earthquakes, as wide as their texts.
  ///
  /// On a narrow terminal, flexible columns shrink to their least width. Then columns are removed, the last ones of
  /// `QuakeColumn.all` first. If that is not enough, the clock time is shortened, which may leave room for some of them.
  ///
  /// - Parameter isPart: whether other rows follow, whose texts may be longer.
  public func layout(of quakes: [QuakeFacts], isPart: Bool = false) -> Layout {
    func layout(_ columns: [QuakeColumn]) -> Layout {
      Layout(columns: columns.map { ($0, width(of: $0, quakes, isPart: isPart)) })
    }
    func fitted(_ columns: [QuakeColumn]) -> Layout {
      let whole = self.fitted(layout(columns))
      guard let room = terminal.columns, whole.minimumWidth > room else { return whole }
      return self.fitted(layout(columns.map { $0.name == "time" ? .shortTime(style) : $0 }))
    }
    if case .named(let columns) = columns { return fitted(columns) }
    let hasDistance = quakes.first?.distance != nil
    if let room = terminal.columns, room >= Self.wideTerminal {
      let wide = layout(standardColumns(["when", "time"], hasDistance: hasDistance))
      if wide.minimumWidth <= room { return self.fitted(wide) }
    }
    let hasClock = if case .usual(hasClock: true) = columns { true } else { false }
    return fitted(standardColumns([hasClock ? "time" : "when"], hasDistance: hasDistance))
  }

  private func standardColumns(_ times: [String], hasDistance: Bool) -> [QuakeColumn] {
    QuakeColumn.usual(
      (showsMarks ? ["marks"] : []) + ["magnitude"] + times + ["depth_km"] + (hasDistance ? ["distance_km"] : [])
        + (showsIDs ? ["id"] : []) + ["place"])
  }

  private func width(of column: QuakeColumn, _ quakes: [QuakeFacts], isPart: Bool) -> Int {
    // All of the room, so that the columns behind it stay where they are in every part.
    if column.isFlexible, isPart, let room = terminal.columns { return room }
    let texts = quakes.map { DisplayWidth.columns(column.printable($0, in: self)) }.max() ?? 0
    return min(max(isPart ? column.defaultWidth : column.textWidth, texts), terminal.columns ?? Int.max)
  }

  private func fitted(_ layout: Layout) -> Layout {
    guard let room = terminal.columns else { return layout }
    var layout = layout
    while layout.minimumWidth > room, let index = firstToRemove(layout.columns.map(\.column.name)) {
      layout.columns.remove(at: index)
    }
    for _ in 0..<max(0, layout.width - room) {
      let flexible = layout.columns.indices.filter { layout.columns[$0].column.isFlexible }
      guard let widest = flexible.max(by: { layout.columns[$0].width < layout.columns[$1].width }),
        layout.columns[widest].width > Self.minimumTextWidth
      else { break }
      layout.columns[widest].width -= 1
    }
    return layout
  }

  /// - Returns: nil if all stay.
  private func firstToRemove(_ names: [String]) -> Int? {
    let least = QuakeColumn.all.last { column in
      names.contains(column.name) && !Self.kept.contains(column.name)
        && (column.name != "when" || names.contains("time"))
    }
    return names.count > 1 ? least.flatMap { names.lastIndex(of: $0.name) } : nil
  }

  /// The heading and one line per earthquake.
  ///
  /// - Parameter layout: that of the table if this is a part of it.
  public func lines(_ quakes: [QuakeFacts], hasHeading: Bool = true, in layout: Layout? = nil) -> [OutputText] {
    let layout = layout ?? self.layout(of: quakes)
    let heading = terminal.heading(line(layout) { $0.heading })
    return (hasHeading ? [heading] : [])
      + quakes.map { quake in
        terminal.colored(line(layout) { $0.printable(quake, in: self) }, magnitude: quake.magnitude)
      }
  }

  private func line(_ layout: Layout, _ text: (QuakeColumn) -> String) -> String {
    let end: Character = terminal.isASCII ? "~" : "…"
    // The blanks before the next text: none at the end of the line.
    var (line, blanks) = ("", "")
    for (column, width) in layout.columns {
      var cell = text(column)
      if column.isFlexible, terminal.columns != nil { cell = DisplayWidth.fitted(cell, to: width, end: end) }
      let padding = String(repeating: " ", count: max(0, width - DisplayWidth.columns(cell)))
      if column.alignment == .end || cell.isEmpty { blanks += padding }
      if !cell.isEmpty {
        line += blanks + cell
        blanks = column.alignment == .end ? "" : padding
      }
      blanks += column.gap
    }
    return terminal.columns.map { DisplayWidth.fitted(line, to: $0, end: end) } ?? line
  }
}
