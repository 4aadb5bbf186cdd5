import Foundation
import StrataQuakes

/// The part of the Earth that a map must show. The map shows more where its own shape is another.
public struct MapRegion: Codable, Equatable, Sendable {
  /// The meridian in the middle: degrees, east positive, from -180 to 180.
  public let longitude: Double
  /// The parallel in the middle: degrees, north positive. The poles are never beyond the edges.
  public let latitude: Double
  /// Degrees of longitude, 360 at most.
  public let width: Double
  /// Degrees of latitude, 180 at most.
  public let height: Double

  /// Degrees: 5 km from south to north, less than what is known of an epicenter.
  static let smallest = 0.05

  /// Numbers that are impossible become the nearest ones that are not.
  public init(latitude: Double, longitude: Double, width: Double, height: Double) {
    self.width = Self.clamped(width, Self.smallest...360)
    self.height = Self.clamped(height, Self.smallest...180)
    let room = 90 - self.height / 2
    self.latitude = Self.clamped(latitude.isNaN ? 0 : latitude, -room...room)
    self.longitude = longitude.isFinite ? Self.wrapped(longitude) : 0
  }

  /// Numbers that are not known count as too large.
  private static func clamped(_ number: Double, _ range: ClosedRange<Double>) -> Double {
    number.isNaN ? range.upperBound : min(max(number, range.lowerBound), range.upperBound)
  }

  /// Everything.
  ///
  /// - Parameter longitude: the meridian in the middle; 180° has the Pacific, around which most earthquakes are.
  public static func world(longitude: Double = 180) -> MapRegion {
    MapRegion(latitude: 0, longitude: longitude, width: 360, height: 180)
  }

  public init(_ box: GeoBox) {
    let width = box.east >= box.west ? box.east - box.west : box.east - box.west + 360
    self.init(
      latitude: (box.south + box.north) / 2, longitude: box.west + width / 2, width: width,
      height: box.north - box.south)
  }

  public init(_ circle: GeoCircle) {
    let height = 2 * circle.radius / GreatCircle.radius * 180 / .pi
    let shrinking = max(0.01, cos(circle.latitude * .pi / 180))
    self.init(
      latitude: circle.latitude, longitude: circle.longitude, width: height / shrinking, height: height)
  }

  /// - Parameters: shares of the width and the height, positive to the east and to the north.
  public func panned(east: Double, north: Double) -> MapRegion {
    MapRegion(
      latitude: latitude + north * height, longitude: longitude + east * width, width: width, height: height)
  }

  /// - Parameter factor: 2 shows half of the width and of the height, 0.5 twice as much.
  public func zoomed(_ factor: Double) -> MapRegion {
    guard factor > 0 else { return self }
    return MapRegion(latitude: latitude, longitude: longitude, width: width / factor, height: height / factor)
  }

  public func centered(latitude: Double, longitude: Double) -> MapRegion {
    MapRegion(latitude: latitude, longitude: longitude, width: width, height: height)
  }

  /// The visible area of a map of the region.
  ///
  /// - Parameters: the map's size in square units: dots or pixels. A character has two dots across and four down.
  public func visible(width: Int, height: Int) -> MapRegion {
    MapProjection(self, width: Double(max(1, width)), height: Double(max(1, height))).visible
  }

  /// nil for none: the numbers of a region always make a box.
  public var box: GeoBox? {
    GeoBox(
      west: longitude - width / 2, south: max(-90, latitude - height / 2), east: longitude + width / 2,
      north: min(90, latitude + height / 2))
  }

  /// A longitude, or a difference of longitudes, from -180 up to but not including 180.
  static func wrapped(_ longitude: Double) -> Double {
    let rest = (longitude + 180).truncatingRemainder(dividingBy: 360)
    // The sum of a tiny negative number and 360 is 360.
    return (rest < 0 ? min(rest + 360, 360.nextDown) : rest) - 180
  }
}
