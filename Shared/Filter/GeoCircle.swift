import Foundation

/// The part of the Earth within a distance from a point.
public struct GeoCircle: Equatable, Sendable {
  /// Beyond it an earthquake of magnitude 7 is hardly felt.
  public static let defaultRadius = 500.0  // kilometers

  /// Degrees, north positive.
  public let latitude: Double
  /// Degrees, east positive.
  public let longitude: Double
  /// Kilometers.
  public let radius: Double
  /// The center's name.
  public var name: String

  /// - Parameter name: nil for its position.
  /// - Returns: nil if there is no such position or the radius is negative.
  public init?(latitude: Double, longitude: Double, radius: Double, name: String? = nil) {
    guard abs(latitude) <= 90, abs(longitude) <= 360, radius >= 0 else { return nil }
    (self.latitude, self.longitude) = (latitude, GeoBox.normalized(longitude))
    self.radius = radius
    self.name = name ?? "\(latitude),\(longitude)"
  }

  /// Kilometers from the center.
  public func distance(latitude: Double, longitude: Double) -> Double {
    GreatCircle.kilometers(from: (self.latitude, self.longitude), to: (latitude, longitude))
  }

  public func contains(latitude: Double, longitude: Double) -> Bool {
    distance(latitude: latitude, longitude: longitude) <= radius
  }

  /// The smallest box around the circle, a little larger so that rounding loses nothing.
  var box: GeoBox {
    let angle = radius / GreatCircle.radius + 1e-9
    let height = angle * 180 / .pi
    let (south, north) = (max(-90, latitude - height), min(90, latitude + height))
    // A circle around a pole has all longitudes. The widest point of others is nearer to the pole than the center.
    let ratio = sin(angle) / cos(latitude * .pi / 180)
    let hasPole = abs(latitude) + height >= 90 || ratio >= 1
    let width = hasPole ? 180 : asin(ratio) * 180 / .pi + 1e-9
    // It is a box for each circle: the latitudes are clamped, and the longitudes at most 360 from 0.
    return GeoBox(west: longitude - width, south: south, east: longitude + width, north: north) ?? Self.everywhere
  }

  private static let everywhere = GeoBox("-180,-90,180,90")!  // The text is a box.
}
