import StrataQuakes

/// A map of earthquakes, drawn with characters or as a picture.
///
/// It caches the dots of its lines while its region, size and style stay the same, so updating earthquakes is fast.
public struct MapView: Sendable {
  public var points: [MapPoint]
  public var outlines: MapOutlines { didSet { ground = nil } }
  /// Names, the most important first; names that do not fit are omitted.
  public var labels: [MapLabel]
  public var region: MapRegion
  /// The identifier of the earthquake that is marked out.
  public var selected: String?
  private var ground: (key: GroundKey, value: MapGround)?

  private struct GroundKey: Equatable {
    var region: MapRegion
    var columns: Int
    var rows: Int
    var hasPlates: Bool
    var hasGraticule: Bool
  }

  public init(
    points: [MapPoint], outlines: MapOutlines = MapOutlines(), labels: [MapLabel] = [], region: MapRegion = .world()
  ) {
    (self.points, self.outlines, self.labels, self.region) = (points, outlines, labels, region)
  }

  /// Draws with characters.
  ///
  /// - Parameters:
  ///   - columns: the most that a line may take.
  ///   - rows: the most lines; a map of the whole Earth needs a fourth of its columns.
  public mutating func lines(columns: Int, rows: Int, style: MapStyle = MapStyle()) -> [OutputText] {
    let border = style.hasFrame ? 2 : 0
    let (columns, rows) = (Self.clamped(columns) - border, Self.clamped(rows) - border)
    guard columns > 0, rows > 0 else { return [] }
    let ground = ground(columns: columns, rows: rows, style: style)
    var cells = MapCells(ground, style: style)
    let marks = inOrder.compactMap { point in
      ground.cell(latitude: point.latitude, longitude: point.longitude).map { (point, $0) }
    }
    for (point, cell) in marks { cells.mark(point, at: cell, isSelected: point.identifier == selected) }
    for label in labels {
      if let cell = ground.cell(latitude: label.latitude, longitude: label.longitude) {
        cells.write(label.name, at: cell)
      }
    }
    return cells.lines
  }

  /// The earthquake whose mark is seen nearest to a cell of what `lines(columns:rows:style:)` returns.
  ///
  /// - Parameters: as of `lines`; `cell` counts from the upper left corner of the frame.
  /// - Returns: nil if no mark is within a distance of two rows.
  public mutating func point(
    at cell: (column: Int, row: Int), columns: Int, rows: Int, style: MapStyle = MapStyle()
  ) -> MapPoint? {
    let border = style.hasFrame ? 1 : 0
    let (columns, rows) = (Self.clamped(columns) - 2 * border, Self.clamped(rows) - 2 * border)
    guard columns > 0, rows > 0 else { return nil }
    let ground = ground(columns: columns, rows: rows, style: style)
    let near = inOrder.reversed().compactMap { point -> (point: MapPoint, distance: Int)? in
      guard let mark = ground.cell(latitude: point.latitude, longitude: point.longitude) else { return nil }
      // A cell is twice as high as it is wide.
      let distance = max(abs(mark.column + border - cell.column), 2 * abs(mark.row + border - cell.row))
      return distance <= 4 ? (point, distance) : nil
    }
    return near.min { $0.distance < $1.distance }?.point
  }

  /// Larger ones over smaller ones, newer ones over older ones of the same size, and the selected one over all.
  var inOrder: [MapPoint] {
    points.sorted { first, second in
      if first.identifier == selected || second.identifier == selected { return second.identifier == selected }
      let (least, most) = (first.magnitudeOrLeast, second.magnitudeOrLeast)
      return least == most ? first.age > second.age : least < most
    }
  }

  private mutating func ground(columns: Int, rows: Int, style: MapStyle) -> MapGround {
    let key = GroundKey(
      region: region, columns: columns, rows: rows, hasPlates: style.hasPlates, hasGraticule: style.hasGraticule)
    if let ground, ground.key == key { return ground.value }
    let value = MapGround(
      outlines, region: region, columns: columns, rows: rows, hasPlates: style.hasPlates,
      hasGraticule: style.hasGraticule)
    ground = (key, value)
    return value
  }

  /// No terminal has more.
  private static func clamped(_ number: Int) -> Int { min(max(number, 0), 2000) }
}
