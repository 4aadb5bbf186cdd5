import CoreData

/// How far something is from one of the user's places, and in which direction.
public struct PlaceDistance: Equatable, Sendable {
  public var name: String
  /// Kilometers.
  public var distance: Double
  /// From the place: degrees clockwise from north.
  public var bearing: Double

  /// `412 km SW of home`.
  public func text(_ style: DisplayStyle = DisplayStyle()) -> String {
    "\(style.distance(distance)) \(CompassPoint.name(of: bearing)) of \(Terminal.printable(name))"
  }
}

extension Place {
  /// The distances of a position from all places, nearest first.
  ///
  /// - Parameters: degrees, north and east positive.
  /// - Throws: what `fetch` throws.
  public static func distances(
    ofLatitude latitude: Double, longitude: Double, in context: NSManagedObjectContext
  ) throws -> [PlaceDistance] {
    try context.fetch(all()).map { place in
      let center = (latitude: place.latitude, longitude: place.longitude)
      return PlaceDistance(
        name: place.name ?? "", distance: GreatCircle.kilometers(from: center, to: (latitude, longitude)),
        bearing: GreatCircle.bearing(from: center, to: (latitude, longitude)))
    }
    .sorted { $0.distance < $1.distance }
  }
}

extension JSONText {
  /// Writes what an earthquake is from each place.
  public mutating func places(_ key: String, _ places: [PlaceDistance]) {
    array(key) { array in
      for place in places {
        array.object { json in
          json.string("name", place.name)
          json.number("distance_km", (place.distance * 10).rounded() / 10)
          json.number("bearing", place.bearing.rounded().truncatingRemainder(dividingBy: 360))
        }
      }
    }
  }
}
