/// A position in degrees, north and east positive.
public struct MapPosition: Equatable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
}

/// The lines that make a map recognizable. A line goes the shorter way around the Earth from each point to the next.
public struct MapOutlines: Equatable, Sendable {
  /// Closed outlines, from -180 to 180 degrees of longitude: one within another that goes the other way around is a sea.
  public private(set) var land: [[MapPosition]] = []
  public var coasts: [[MapPosition]]
  public var plates: [[MapPosition]]

  public init(coasts: [[MapPosition]] = [], plates: [[MapPosition]] = []) {
    (self.coasts, self.plates) = (coasts, plates)
  }

  public init(land: [[MapPosition]], plates: [[MapPosition]] = []) {
    self.init(coasts: land.flatMap(Self.coasts), plates: plates)
    self.land = land
  }

  /// The parts of an outline that are not where the data ends: at 180° E or W, or at the South Pole.
  private static func coasts(of outline: [MapPosition]) -> [[MapPosition]] {
    var (lines, isOpen): ([[MapPosition]], Bool) = ([], false)
    for (start, end) in zip(outline, outline.dropFirst()) {
      if abs(start.longitude) > 179.999 && abs(end.longitude) > 179.999 || max(start.latitude, end.latitude) < -89.999 {
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
}
