/// The coverage of each pixel by lines: lines of one color are merged before they are drawn, so that their joints are
/// not darker than the rest.
struct LineMask {
  let width: Int
  let height: Int
  /// From 0 to 255.
  private(set) var shares: [UInt8]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    shares = [UInt8](repeating: 0, count: width * height)
  }

  /// - Parameter thickness: pixels.
  mutating func draw(_ segment: Segment, thickness: Double) {
    let (dx, dy) = (segment.toX - segment.x, segment.toY - segment.y)
    let steps = max(1, Int(max(abs(dx), abs(dy)) / 8))
    // Parts of a long line have small surroundings.
    for step in 0..<steps {
      let (start, end) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
      drawPart(
        Segment(
          x: segment.x + start * dx, y: segment.y + start * dy, toX: segment.x + end * dx, toY: segment.y + end * dy),
        thickness: thickness)
    }
  }

  private mutating func drawPart(_ part: Segment, thickness: Double) {
    let (area, reach) = (PixelArea(left: 0, top: 0, width: width, height: height), thickness / 2 + 1)
    for row in area.rows(min(part.y, part.toY) - reach, max(part.y, part.toY) + reach) {
      for column in area.columns(min(part.x, part.toX) - reach, max(part.x, part.toX) + reach) {
        let distance = part.distance(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let share = UInt8(min(max(thickness / 2 + 0.5 - distance, 0), 1) * 255)
        shares[row * width + column] = max(shares[row * width + column], share)
      }
    }
  }
}

extension Segment {
  /// From a point to the nearest one of the segment.
  func distance(x: Double, y: Double) -> Double {
    let (dx, dy) = (toX - self.x, toY - self.y)
    let square = dx * dx + dy * dy
    let share = square == 0 ? 0 : min(max(((x - self.x) * dx + (y - self.y) * dy) / square, 0), 1)
    let (restX, restY) = (x - self.x - share * dx, y - self.y - share * dy)
    return (restX * restX + restY * restY).squareRoot()
  }
}
