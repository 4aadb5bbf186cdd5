import Foundation

/// Distances on the Earth, taken as a sphere.
public enum GreatCircle {
  /// The mean radius in kilometers: https://en.wikipedia.org/wiki/Earth_radius#Arithmetic_mean_radius
  public static let radius = 6371.0088

  /// - Parameters: degrees, north and east positive.
  public static func kilometers(
    from first: (latitude: Double, longitude: Double), to second: (Double, Double)
  ) -> Double {
    let (north1, east1) = (first.latitude * .pi / 180, first.longitude * .pi / 180)
    let (north2, east2) = (second.0 * .pi / 180, second.1 * .pi / 180)
    let (north, east) = (sin((north2 - north1) / 2), sin((east2 - east1) / 2))
    let haversine = north * north + cos(north1) * cos(north2) * east * east
    return 2 * radius * asin(min(1, haversine.squareRoot()))
  }

  /// The direction in which the shortest way begins: degrees clockwise from north, from 0 to 360.
  ///
  /// - Parameters: degrees, north and east positive.
  public static func bearing(
    from first: (latitude: Double, longitude: Double), to second: (Double, Double)
  ) -> Double {
    let (north1, north2) = (first.latitude * .pi / 180, second.0 * .pi / 180)
    let east = (second.1 - first.longitude) * .pi / 180
    let angle = atan2(
      sin(east) * cos(north2), cos(north1) * sin(north2) - sin(north1) * cos(north2) * cos(east))
    return (angle * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
  }
}
