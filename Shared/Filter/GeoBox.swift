import Foundation

/// A part of the Earth between two meridians and two parallels.
public struct GeoBox: Equatable, Sendable {
  /// Degrees, east positive, from -180 to 180. The box crosses the date line if it ends west of where it begins.
  public let west: Double
  public let east: Double
  /// Degrees, north positive.
  public let south: Double
  public let north: Double

  /// - Parameters: degrees; longitudes up to 360 are taken as the same meridians below 180.
  /// - Returns: nil if a number is not such a position, or north is south of south.
  public init?(west: Double, south: Double, east: Double, north: Double) {
    guard abs(west) <= 360, abs(east) <= 360, -90...90 ~= south, -90...90 ~= north, south <= north else { return nil }
    (self.south, self.north) = (south, north)
    if east - west >= 360 {
      (self.west, self.east) = (-180, 180)
    } else {
      (self.west, self.east) = (Self.normalized(west), Self.normalized(east))
    }
  }

  /// `W,S,E,N`, as in GeoJSON.
  public init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
      let north = numbers[3]
    else { return nil }
    self.init(west: west, south: south, east: east, north: north)
  }

  /// A longitude from -360 to 360 as one from -180 to 180.
  public static func normalized(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }

  /// As it is given to a command.
  public var text: String { "\(west),\(south),\(east),\(north)" }

  var predicate: NSPredicate {
    let columns = west <= east ? "longitude >= %@ AND longitude <= %@" : "(longitude >= %@ OR longitude <= %@)"
    return NSPredicate(
      format: "latitude >= %@ AND latitude <= %@ AND \(columns)", argumentArray: [south, north, west, east])
  }
}
