import Foundation
import StrataQuakes

/// The characters of a map, each with its meaning.
struct MapCells {
  private enum Ink: Equatable {
    case nothing, graticule, coast, plate, frame, label
    case mark(MarkColor, MagnitudeStep)
    case selected(MarkColor, MagnitudeStep)
  }

  private struct Cell {
    /// Empty behind a character that takes two columns.
    var text: Character?
    var ink: Ink
  }

  private let style: MapStyle
  private let ground: MapGround
  private var cells: [[Cell]]

  init(_ ground: MapGround, style: MapStyle) {
    (self.ground, self.style) = (ground, style)
    cells = (0..<ground.coasts.rows).map { row in
      (0..<ground.coasts.columns).map { column in Self.cell(ground, row * ground.coasts.columns + column, style.form) }
    }
  }

  /// A coast is seen before the boundary of plates that it shares its cell with.
  private static func cell(_ ground: MapGround, _ index: Int, _ form: MapStyle.Form) -> Cell {
    let (coast, plate) = (ground.coasts.cells[index], ground.plates.cells[index])
    let lines = coast | plate
    if lines == 0 {
      let dots = ground.graticule.cells[index]
      return dots == 0
        ? Cell(text: " ", ink: .nothing) : Cell(text: character(dots, form, isCoast: true), ink: .graticule)
    }
    return Cell(text: character(lines, form, isCoast: coast != 0), ink: coast != 0 ? .coast : .plate)
  }

  private static func character(_ dots: UInt8, _ form: MapStyle.Form, isCoast: Bool) -> Character {
    let (hasUpper, hasLower) = (dots & DotCanvas.upperHalf != 0, dots & DotCanvas.lowerHalf != 0)
    switch form {
    case .braille: return Character(Unicode.Scalar(UInt32(0x2800) + UInt32(dots)) ?? " ")
    case .blocks: return hasUpper && hasLower ? "█" : hasUpper ? "▀" : "▄"
    case .ascii: return !isCoast ? "~" : hasUpper && hasLower ? ":" : hasUpper ? "'" : "."
    }
  }

  mutating func mark(_ point: MapPoint, at cell: (column: Int, row: Int), isSelected: Bool) {
    let (step, color) = (MagnitudeStep(point.magnitude), MarkColor(point, by: style.colorKey))
    let glyph = style.form == .ascii ? Self.digit(point.magnitude) : step.glyph
    cells[cell.row][cell.column] = Cell(text: glyph, ink: isSelected ? .selected(color, step) : .mark(color, step))
    guard isSelected, !style.hasColor else { return }
    // Without reverse video, brackets mark it out.
    for (column, bracket) in [(cell.column - 1, Character("[")), (cell.column + 1, "]")]
    where cells[cell.row].indices.contains(column) {
      cells[cell.row][column] = Cell(text: bracket, ink: .selected(color, step))
    }
  }

  /// The magnitude without its decimals.
  private static func digit(_ magnitude: Double?) -> Character {
    guard let magnitude, !magnitude.isNaN else { return "?" }
    return Character(String(Int(min(max(magnitude, 0), 9))))
  }

  /// Writes a name next to its point, if it fits without covering marks or other names.
  mutating func write(_ name: String, at cell: (column: Int, row: Int)) {
    let name = text(name)
    let width = DisplayWidth.columns(name)
    guard width > 0 else { return }
    let dot: Character = style.form == .ascii ? "*" : "▪"
    if let start = room(cell.column..<cell.column + 1 + width, row: cell.row) {
      put([dot] + Array(name), at: start, row: cell.row)
    } else if let start = room(cell.column - width..<cell.column + 1, row: cell.row) {
      put(Array(name) + [dot], at: start, row: cell.row)
    }
  }

  private func text(_ name: String) -> String {
    let name = Terminal.printable(name)
    guard style.form == .ascii else { return name }
    let plain = name.folding(options: .diacriticInsensitive, locale: nil)
    return String(plain.map { $0.isASCII ? $0 : "?" })
  }

  /// - Returns: where the range begins, if all of it and a column on either side are free.
  private func room(_ range: Range<Int>, row: Int) -> Int? {
    guard range.lowerBound >= 0, range.upperBound <= cells[row].count else { return nil }
    let around = max(0, range.lowerBound - 1)..<min(cells[row].count, range.upperBound + 1)
    let isFree = cells[row][around].allSatisfy { cell in
      switch cell.ink {
      case .label, .mark, .selected: false
      default: true
      }
    }
    return isFree ? range.lowerBound : nil
  }

  private mutating func put(_ characters: [Character], at start: Int, row: Int) {
    var column = start
    for character in characters {
      let width = DisplayWidth.columns(character)
      // A mark of its own, without a letter before it.
      guard width > 0, column + width <= cells[row].count else { continue }
      cells[row][column] = Cell(text: character, ink: .label)
      if width == 2 { cells[row][column + 1] = Cell(text: nil, ink: .label) }
      column += width
    }
  }

  // MARK: Writing

  var lines: [OutputText] {
    guard style.hasFrame else { return cells.map(line) }
    let side = Cell(text: style.form == .ascii ? "|" : "│", ink: .frame)
    return [border(isTop: true)] + cells.map { line([side] + $0 + [side]) } + [border(isTop: false)]
  }

  /// The lower border has the longitudes.
  private func border(isTop: Bool) -> OutputText {
    let isASCII = style.form == .ascii
    let corners: (Character, Character) = isASCII ? ("+", "+") : isTop ? ("┌", "┐") : ("└", "┘")
    let width = ground.coasts.columns
    var row = [Character](repeating: isASCII ? "-" : "─", count: width)
    if !isTop {
      let graticule = Graticule(ground.projection.visible)
      var free = 0
      for longitude in graticule.longitudes {
        guard let cell = ground.cell(latitude: ground.projection.visible.latitude, longitude: longitude) else {
          continue
        }
        let text = Array(graticule.text(longitude, ("E", "W")).replacing("°", with: isASCII ? "" : "°"))
        let start = cell.column - text.count / 2
        guard start >= free, start + text.count <= width else { continue }
        row.replaceSubrange(start..<start + text.count, with: text)
        free = start + text.count + 1
      }
    }
    return line(([corners.0] + row + [corners.1]).map { Cell(text: $0, ink: .frame) })
  }

  /// The characters of a row, in runs of the same color.
  private func line(_ row: [Cell]) -> OutputText {
    var (result, run, ink): (OutputText, String, Ink) = ("", "", .nothing)
    func finish() { result = result + colored(run, ink) }
    for cell in row {
      if cell.ink != ink {
        finish()
        (run, ink) = ("", cell.ink)
      }
      if let text = cell.text { run.append(text) }
    }
    finish()
    return result
  }

  private func colored(_ run: String, _ ink: Ink) -> OutputText {
    OutputText(run, style.hasColor ? look(of: ink) : TextStyle())
  }

  private func look(of ink: Ink) -> TextStyle {
    switch ink {
    case .nothing, .label: TextStyle()
    case .coast, .graticule, .frame: TextStyle(.dim)
    case .plate: .plate
    case .mark(let color, let step):
      TextStyle(step.rawValue >= MagnitudeStep.moderate.rawValue ? .bold : [], foreground: color.onTerminals)
    case .selected(let color, _): TextStyle([.bold, .reversed], foreground: color.onTerminals)
    }
  }
}

extension TextStyle {
  /// Boundaries of plates.
  static let plate = TextStyle(.dim, foreground: .palette(5))
}

extension MarkColor {
  /// Red, yellow and cyan, which differ for all kinds of eyes.
  var onTerminals: TextStyle.Color? {
    switch self {
    case .first: .palette(1)
    case .second: .palette(3)
    case .third: .palette(6)
    case .other: nil
    }
  }
}
