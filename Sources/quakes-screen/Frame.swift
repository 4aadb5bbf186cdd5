import StrataQuakes

/// The contents of a screen.
public struct Frame: Equatable, Sendable {
  public let size: ScreenSize
  /// As many as the size has, each as wide.
  public private(set) var rows: [[Cell]]
  /// Where text is being typed, from 0; nil to hide the cursor.
  public var cursor: Position?

  public struct Position: Equatable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
      (self.row, self.column) = (row, column)
    }
  }

  /// - Parameter lines: from the top; the rest stays blank, and what has no room is left out.
  public init(_ lines: [OutputText], size: ScreenSize, cursor: Position? = nil) {
    self.size = size
    let shown = lines.prefix(size.rows).map { [Cell]($0, columns: size.columns) }
    let blank = [Cell](repeating: .blank, count: size.columns)
    rows = shown + Array(repeating: blank, count: max(0, size.rows - shown.count))
    self.cursor = cursor
  }
}

extension Frame {
  /// The output that changes a terminal from another frame to this one.
  ///
  /// - Parameter former: nil if the terminal's contents are unknown.
  /// - Returns: an empty text if nothing differs.
  public func update(from former: Frame?) -> OutputText {
    let former = former?.size == size ? former : nil
    var text: OutputText = former == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in rows.indices where former?.rows[row] != rows[row] {
      text = text + update(row: row, from: former?.rows[row])
    }
    guard text != "" || cursor != former?.cursor else { return "" }
    // Terminals with synchronized updates show the frame atomically; others ignore the sequences.
    return "\u{1B}[?2026h\u{1B}[?25l" + text + cursorText + "\u{1B}[?2026l"
  }

  private var cursorText: OutputText {
    guard let cursor else { return "" }
    return "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
  }

  /// Blanks behind the last visible character are erased instead of written.
  private func update(row: Int, from former: [Cell]?) -> OutputText {
    let cells = rows[row]
    // Terminals disagree about the widths of some characters, so such a row is written as a whole.
    let isWhole = former.map { !$0.allSatisfy(\.isPlain) || !cells.allSatisfy(\.isPlain) } ?? true
    let end = cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
    let formerEnd = former.map { $0.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0 } ?? 0
    var text: OutputText = ""
    for run in isWhole ? [0..<end] : Self.runs(cells, former ?? [], end: end) where !run.isEmpty {
      text = text + "\u{1B}[\(row + 1);\(run.lowerBound + 1)H" + Self.text(cells[run])
    }
    if isWhole || formerEnd > end {
      // A row that is full leaves the cursor on its last column, which erasing would erase.
      if end < cells.count { text = text + "\u{1B}[\(row + 1);\(end + 1)H\u{1B}[0m\u{1B}[K" }
    }
    return text
  }

  /// A gap that is shorter than the sequence that skips it is written again.
  private static let minimumGap = 6

  /// The columns that differ.
  private static func runs(_ cells: [Cell], _ former: [Cell], end: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<end where cells[column] != former[column] {
      if let last = runs.last, column - last.upperBound < minimumGap {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }

  private static func text(_ cells: ArraySlice<Cell>) -> OutputText {
    var (text, style, part): (OutputText, TextStyle?, String) = ("", nil, "")
    for cell in cells {
      if cell.style != style {
        text = text + "\(part)\u{1B}[\(cell.style.parameters)m"
        (style, part) = (cell.style, "")
      }
      if let character = cell.character { part.append(character) }
    }
    return text + "\(part)\u{1B}[0m"
  }
}
