/// Dots, eight to a cell of the terminal: two across and four down.
struct DotCanvas: Equatable {
  let columns: Int
  let rows: Int
  /// The dots of each cell, row by row, numbered as Unicode does for Braille patterns.
  private(set) var cells: [UInt8]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = [UInt8](repeating: 0, count: columns * rows)
  }

  /// By the row and the column of a dot in its cell: https://www.unicode.org/charts/PDF/U2800.pdf
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  static let upperHalf: UInt8 = 0x01 | 0x08 | 0x02 | 0x10
  static let lowerHalf: UInt8 = ~upperHalf

  mutating func set(x: Int, y: Int) {
    guard 0..<columns * 2 ~= x, 0..<rows * 4 ~= y else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// - Parameters:
  ///   - segment: within the canvas.
  ///   - step: only each such dot.
  mutating func draw(_ segment: Segment, every step: Int = 1) {
    let (dx, dy) = (segment.toX - segment.x, segment.toY - segment.y)
    let count = max(1, Int(max(abs(dx), abs(dy)).rounded(.up)))
    for index in stride(from: 0, through: count, by: step) {
      let share = Double(index) / Double(count)
      // The right and the lower edge belong to the last dots.
      set(x: min(Int(segment.x + dx * share), columns * 2 - 1), y: min(Int(segment.y + dy * share), rows * 4 - 1))
    }
  }
}
