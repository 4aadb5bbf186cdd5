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
  ///
  /// SGR sequences become styles. All other escape sequences are dropped: they would move the cursor.
  public init(_ line: OutputText, columns: Int) {
    var (cells, style) = ([Cell](), TextStyle())
    cells.reserveCapacity(columns)
    var rest = line.text[...]
    while let character = rest.first, cells.count < columns {
      if character == "\u{1B}" {
        if let parameters = Self.takeSequence(from: &rest) { style.apply(parameters) }
        continue
      }
      rest.removeFirst()
      let width = DisplayWidth.columns(character)
      // A lone combining mark has no column of its own.
      guard width > 0 else { continue }
      guard cells.count + width <= columns else { break }
      cells.append(Cell(character, style))
      if width == 2 { cells.append(Cell(nil, style)) }
    }
    cells.append(contentsOf: repeatElement(.blank, count: Swift.max(0, columns - cells.count)))
    self = cells
  }

  /// Takes an escape sequence away.
  ///
  /// - Returns: its parameters if it is an SGR sequence, else nil.
  private static func takeSequence(from rest: inout Substring) -> [Int]? {
    rest.removeFirst()
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    // A final byte of a control sequence is between @ and ~.
    guard let end = rest.unicodeScalars.firstIndex(where: { 0x40...0x7E ~= $0.value }) else {
      rest = ""
      return nil
    }
    let (text, final) = (rest[..<end], rest[end])
    rest = rest[rest.index(after: end)...]
    guard final == "m" else { return nil }
    return text.split(whereSeparator: { $0 == ";" || $0 == ":" }).map { Int($0) ?? 0 }
  }
}
