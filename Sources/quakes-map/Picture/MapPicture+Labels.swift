extension MapPicture {
  /// The name of a city, and where the city is on the map, in pixels.
  struct PlacedLabel {
    var name: String
    var x: Double
    var y: Double
  }

  /// The most important names that fit, each to the right of its city.
  ///
  /// - Parameters:
  ///   - lineHeight: the distance, in pixels, at which names can stand above each other.
  ///   - width: of a name, in pixels.
  func placed(
    _ labels: [MapLabel], _ projection: MapProjection, lineHeight: Double, width: (String) -> Double
  ) -> [PlacedLabel] {
    var taken: [(label: PlacedLabel, end: Double)] = []
    for label in labels {
      guard let (x, y) = projection.point(latitude: label.latitude, longitude: label.longitude) else { continue }
      // The city's mark and a space take as much as two letters.
      let end = x + width(label.name + "  ")
      let isFree = taken.allSatisfy { end < $0.label.x || $0.end < x || abs(y - $0.label.y) > lineHeight }
      if isFree, end <= projection.width { taken.append((PlacedLabel(name: label.name, x: x, y: y), end)) }
    }
    return taken.map(\.label)
  }
}
