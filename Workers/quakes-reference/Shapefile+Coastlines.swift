extension Shapefile {
  /// The parts of the countries' outlines that are not borders with another country.
  var coastlines: [[Point]] {
    var counts: [Edge: Int] = [:]
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) { counts[Edge(start, end), default: 0] += 1 }
    }
    return rings.flatMap { ring in Self.lines(of: ring) { counts[Edge($0, $1)] == 1 && !Self.isCut($0, $1) } }
  }

  /// Cuts a ring where an edge is not of the coast.
  private static func lines(of ring: [Point], where isCoast: (Point, Point) -> Bool) -> [[Point]] {
    var edges = Array(zip(ring, ring.dropFirst()))
    // A line that continues at the ring's start is one line.
    if let border = edges.firstIndex(where: { !isCoast($0.0, $0.1) }) {
      edges = Array(edges[border...] + edges[..<border])
    }
    var (lines, isOpen): ([[Point]], Bool) = ([], false)
    for (start, end) in edges {
      if !isCoast(start, end) {
        isOpen = false
      } else if isOpen {
        lines[lines.count - 1].append(end)
      } else {
        lines.append([start, end])
        isOpen = true
      }
    }
    return lines
  }

  /// Whether an edge is where a map is cut: at 180° E or W, or along the South Pole.
  private static func isCut(_ start: Point, _ end: Point) -> Bool {
    abs(start.longitude) > 179.999 && abs(end.longitude) > 179.999 || max(start.latitude, end.latitude) < -89.999
  }

  /// Without a direction, because neighbors trace their border in opposite directions.
  private struct Edge: Hashable {
    let points: Set<Point>

    init(_ start: Point, _ end: Point) { points = [start, end] }
  }
}
