import Foundation

/// An earthquake as a map needs it.
public struct MapPoint: Equatable, Sendable {
  public var identifier: String
  /// Degrees, north positive.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double
  public var magnitude: Double?
  /// Kilometers.
  public var depth: Double?
  /// Seconds since it happened.
  public var age: TimeInterval
  /// The tooltip in an image.
  public var title: String

  public init(
    identifier: String, latitude: Double, longitude: Double, magnitude: Double? = nil, depth: Double? = nil,
    age: TimeInterval = 0, title: String = ""
  ) {
    (self.identifier, self.latitude, self.longitude) = (identifier, latitude, longitude)
    (self.magnitude, self.depth, self.age, self.title) = (magnitude, depth, age, title)
  }
}

/// A name on a map.
public struct MapLabel: Equatable, Sendable {
  public var name: String
  /// Degrees, north positive.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double

  public init(_ name: String, latitude: Double, longitude: Double) {
    (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
  }
}
