/// A position in degrees, north and east positive.
public struct MapPosition: Equatable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
}

/// The lines that make a map recognizable. A line goes the shorter way around the Earth from each point to the next.
public struct MapOutlines: Equatable, Sendable {
  public var coasts: [[MapPosition]]
  public var plates: [[MapPosition]]

  public init(coasts: [[MapPosition]] = [], plates: [[MapPosition]] = []) {
    (self.coasts, self.plates) = (coasts, plates)
  }
}
