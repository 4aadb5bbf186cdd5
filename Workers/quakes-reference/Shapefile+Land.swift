extension Shapefile {
  /// The outlines of the land: those of the countries, without the borders that two of them share. They are closed.
  var land: [[Point]] {
    let edges = rings.flatMap { zip($0, $0.dropFirst()) }.filter { $0 != $1 }
    var counts: [Edge: Int] = [:]
    for (start, end) in edges { counts[Edge(start, end), default: 0] += 1 }
    // Where outlines touch, several edges begin.
    var following: [Point: [Point]] = [:]
    for (start, end) in edges.reversed() where counts[Edge(start, end)] == 1 {
      following[start, default: []].append(end)
    }
    return edges.compactMap { start, _ in
      var outline = [start]
      while let next = following[outline[outline.count - 1]]?.popLast() {
        outline.append(next)
        if next == start { break }
      }
      // Of a file whose rings are not closed.
      if outline.count > 1, outline.last != start { outline.append(start) }
      return outline.count > 3 ? outline : nil
    }
  }

  /// Without a direction, because neighbors trace their border in opposite directions.
  private struct Edge: Hashable {
    let points: Set<Point>

    init(_ start: Point, _ end: Point) { points = [start, end] }
  }
}
