import StrataQuakesPicture

/// The names of a map's cities, placed where they cover neither marks nor each other.
struct MapLabels {
  private(set) var texts: [Drawing.Text] = []
  /// The cities with a name, as shapes.
  private(set) var dots: [Drawing.Shape] = []
  private let marks: [Drawing.Disc]
  private var taken: [Drawing.Rectangle]
  private let area: Drawing.Rectangle
  private let size: Double

  /// - Parameters:
  ///   - taken: where there must not be names either.
  ///   - area: of the map.
  ///   - size: of the letters.
  init(marks: [Drawing.Disc], taken: [Drawing.Rectangle], area: Drawing.Rectangle, size: Double) {
    (self.marks, self.taken, self.area, self.size) = (marks, taken, area, size)
  }

  /// Writes a city's name to the right of the city or where else there is room, or leaves it out. The most important names
  /// come first.
  mutating func place(_ name: String, at city: Drawing.Point) {
    let text = Drawing.Text(name, start: city, size: size, color: MapColors.text, halo: MapColors.halo)
    let side = 0.28 * size
    let dot = Drawing.Rectangle(left: city.x - side / 2, top: city.y - side / 2, width: side, height: side)
    guard text.width > 0, !taken.contains(where: { $0.intersects(dot) }),
      let start = starts(of: text, at: city, gap: 0.45 * size).first(where: { isFree(text.moved(to: $0).box) })
    else { return }
    let placed = text.moved(to: start)
    texts.append(placed)
    dots.append(.area([dot.outline], MapColors.text))
    taken += [placed.box, dot]
  }

  private func isFree(_ text: Drawing.Rectangle) -> Bool {
    // Names next to each other have a space between them.
    let box = Drawing.Rectangle(
      left: text.left - 0.2 * size, top: text.top, width: text.width + 0.4 * size, height: text.height)
    return area.contains(text) && !taken.contains { $0.intersects(box) } && !marks.contains { $0.intersects(box) }
  }

  /// The sides of a city: next to it, and next to the marks that cover it.
  private func starts(of text: Drawing.Text, at city: Drawing.Point, gap: Double) -> [Drawing.Point] {
    let covering = marks.filter { $0.center.distance(to: city) < $0.reach }
    let reach = covering.map { $0.center.distance(to: city) + $0.reach }.max()
    let gaps = [gap] + (reach.map { [$0 + gap / 2] } ?? [])
    return gaps.flatMap { gap in
      let (right, left, middle) = (city.x + gap, city.x - gap - text.width, city.x - text.width / 2)
      let (level, above, below) = (city.y + 0.35 * size, city.y - gap - 0.25 * size, city.y + gap + 0.95 * size)
      return [
        (right, level), (left, level), (right, above), (right, below), (left, above), (left, below), (middle, above),
        (middle, below),
      ].map { Drawing.Point(x: $0.0, y: $0.1) }
    }
  }
}

extension Drawing.Text {
  func moved(to start: Drawing.Point) -> Drawing.Text {
    var text = self
    text.start = start
    return text
  }
}

extension Drawing.Rectangle {
  func intersects(_ other: Self) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func contains(_ other: Self) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }
}

extension Drawing.Point {
  func distance(to other: Self) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

extension Drawing.Disc {
  func intersects(_ box: Drawing.Rectangle) -> Bool {
    let nearest = Drawing.Point(
      x: min(max(center.x, box.left), box.right), y: min(max(center.y, box.top), box.bottom))
    return center.distance(to: nearest) < reach
  }
}
