/// Leaves out the points of a line that are not needed to stay near it, after Douglas and Peucker (1973).
public enum LineSimplification {
  public typealias Point = (x: Double, y: Double)

  /// - Parameter tolerance: how far a point that is left out may be from the result.
  public static func simplified(_ line: [Point], tolerance: Double) -> [Point] {
    guard line.count > 2 else { return line }
    var isKept = [Bool](repeating: false, count: line.count)
    (isKept[0], isKept[line.count - 1]) = (true, true)
    var parts = [(start: 0, end: line.count - 1)]
    while let (start, end) = parts.popLast() {
      var (farthest, largest) = (start, tolerance * tolerance)
      for index in start + 1..<max(start + 1, end) {
        let distance = squaredDistance(line[index], from: line[start], to: line[end])
        if distance > largest { (farthest, largest) = (index, distance) }
      }
      guard farthest != start else { continue }
      isKept[farthest] = true
      parts += [(start, farthest), (farthest, end)]
    }
    return line.indices.filter { isKept[$0] }.map { line[$0] }
  }

  /// To the nearest point of a segment.
  private static func squaredDistance(_ point: Point, from start: Point, to end: Point) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let (x, y) = (point.x - start.x, point.y - start.y)
    let length = dx * dx + dy * dy
    let share = length == 0 ? 0 : min(max((x * dx + y * dy) / length, 0), 1)
    let (restX, restY) = (x - share * dx, y - share * dy)
    return restX * restX + restY * restY
  }
}
