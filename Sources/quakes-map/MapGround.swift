/// The lines of a map as dots: what stays when only the earthquakes change.
struct MapGround: Equatable {
  let projection: MapProjection
  let coasts: DotCanvas
  let plates: DotCanvas
  let graticule: DotCanvas

  /// - Parameters: the available size, at least 1; the map only uses as much as its shape needs.
  init(_ outlines: MapOutlines, region: MapRegion, columns: Int, rows: Int, hasPlates: Bool, hasGraticule: Bool) {
    let projection = MapProjection(region, width: Double(columns * 2), height: Double(rows * 4))
    let empty = DotCanvas(
      columns: max(1, Int((projection.width / 2).rounded(.up))), rows: max(1, Int((projection.height / 4).rounded(.up)))
    )
    func canvas(_ lines: [[MapPosition]], every step: Int = 1) -> DotCanvas {
      var canvas = empty
      for line in lines { projection.forEachSegment(of: line) { canvas.draw($0, every: step) } }
      return canvas
    }
    self.projection = projection
    coasts = canvas(outlines.coasts)
    plates = hasPlates ? canvas(outlines.plates) : empty
    graticule = hasGraticule ? canvas(Graticule(projection.visible).lines, every: 4) : empty
  }

  /// The cell of a position; nil if it is not on the map.
  func cell(latitude: Double, longitude: Double) -> (column: Int, row: Int)? {
    guard let (x, y) = projection.point(latitude: latitude, longitude: longitude) else { return nil }
    // The right and the lower edge belong to the last cells.
    return (min(Int(x / 2), coasts.columns - 1), min(Int(y / 4), coasts.rows - 1))
  }
}
