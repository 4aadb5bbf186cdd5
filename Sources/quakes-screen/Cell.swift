import StrataQuakes

/// One column of one row of a screen.
public struct Cell: Equatable, Sendable {
  /// nil for the second column of a character that takes two.
  public var character: Character?
  public var style: TextStyle

  public init(_ character: Character?, _ style: TextStyle = TextStyle()) {
    (self.character, self.style) = (character, style)
  }

  static let blank = Cell(" ")

  /// Whether all terminals give it one column.
  var isPlain: Bool { character?.isASCII ?? false }
}

extension [Cell] {
  /// The cells of a line of text, with blanks up to the number of columns; what is longer is cut.
  public init(_ line: OutputText, columns: Int) {
    self = []
    reserveCapacity(columns)
    for (text, style) in line.runs { append(text, style, columns: columns) }
    append(contentsOf: repeatElement(.blank, count: Swift.max(0, columns - count)))
  }

  private mutating func append(_ text: Substring, _ style: TextStyle, columns: Int) {
    for character in text {
      let width = DisplayWidth.columns(character)
      // A lone combining mark has no column of its own, and a control would move the cursor.
      guard width > 0 else { continue }
      guard count + width <= columns else { return }
      append(Cell(character, style))
      if width == 2 { append(Cell(nil, style)) }
    }
  }
}
