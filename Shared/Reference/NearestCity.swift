/// The city that is nearest to an epicenter.
public struct NearestCity: Equatable, Sendable {
  public var name: String
  public var country: String
  /// The largest part of the country that it is in, such as a state.
  public var region: String?
  /// 0 if unknown.
  public var population: Int
  /// Kilometers.
  public var distance: Double
  /// The direction from the city to the epicenter: degrees clockwise from north.
  public var bearing: Double

  /// Beyond this distance, in kilometers, a city does not describe an epicenter's location; the USGS then names the region.
  public static let maximumDescriptiveDistance = 300.0

  public init(
    name: String, country: String, region: String? = nil, population: Int, distance: Double, bearing: Double
  ) {
    (self.name, self.country, self.region, self.population) = (name, country, region, population)
    (self.distance, self.bearing) = (distance, bearing)
  }

  /// `12 km NNW of Skopje, North Macedonia`; in the United States with the state, as the USGS has it.
  public func text(_ style: DisplayStyle = DisplayStyle()) -> String {
    let land = country == "United States" ? region ?? country : country
    return "\(style.distance(distance)) \(CompassPoint.name(of: bearing)) of \(name), \(land)"
  }

  /// Whether the city is near enough to describe the location of the epicenter.
  public var isDescriptive: Bool { distance <= Self.maximumDescriptiveDistance }

  /// The text with the city's population, if that is known: `… (pop. 474,889)`.
  public func textWithPopulation(_ style: DisplayStyle = DisplayStyle()) -> String {
    population > 0 ? "\(text(style)) (pop. \(CountText.grouped(population)))" : text(style)
  }
}

/// The 16 points of the compass.
public enum CompassPoint {
  private static let names = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  /// The point nearest to a direction.
  ///
  /// - Parameter bearing: degrees clockwise from north, of any size.
  public static func name(of bearing: Double) -> String {
    let sixteenths = (bearing / 22.5).rounded().truncatingRemainder(dividingBy: 16)
    guard let index = Int(exactly: sixteenths) else { return "?" }
    return names[index < 0 ? index + 16 : index]
  }
}

extension JSONText {
  /// Writes null for nil.
  mutating func nearestCity(_ key: String, _ city: NearestCity?) {
    guard let city else { return string(key, nil) }
    object(key) { json in
      json.string("name", city.name)
      json.string("country", city.country)
      json.string("region", city.region)
      json.number("distance_km", (city.distance * 10).rounded() / 10)
      json.number("bearing", city.bearing.rounded().truncatingRemainder(dividingBy: 360))
    }
  }
}
