import StrataQuakes

extension MagnitudeStep {
  /// The mark of an earthquake on a map of characters.
  var glyph: Character {
    switch self {
    case .unknown: "?"
    case .micro: "·"
    case .light: "∘"
    case .moderate: "○"
    case .strong: "◎"
    case .major: "●"
    }
  }

  /// The legend's text for the glyph.
  var legendText: String {
    switch self {
    case .unknown: "?"
    case .micro: "<2.5"
    case .light: "2.5+"
    case .moderate: "4.5+"
    case .strong: "6+"
    case .major: "7+"
    }
  }
}

/// The color of an earthquake's mark.
public enum MarkColor: CaseIterable, Sendable {
  case first, second, third, other

  /// By which property earthquakes are colored.
  public enum Key: String, CaseIterable, Sendable {
    /// Shallow, intermediate and deep: to 70 and 300 km. https://www.usgs.gov/faqs/what-depth-do-earthquakes-occur
    case depth
    /// Of the last hour, day and week.
    case age

    /// The legend's texts for the first three colors.
    var legendTexts: [String] {
      switch self {
      case .depth: ["<70 km", "70-300 km", ">300 km"]
      case .age: ["1 hour", "1 day", "7 days"]
      }
    }
  }

  init(_ point: MapPoint, by key: Key) {
    switch key {
    case .depth:
      switch point.depth {
      case let depth? where depth < 70: self = .first
      case let depth? where depth <= 300: self = .second
      case let depth? where depth > 300: self = .third
      default: self = .other
      }
    case .age:
      switch point.age {
      case ...3600: self = .first
      case ...86_400: self = .second
      case ...(7 * 86_400): self = .third
      default: self = .other
      }
    }
  }
}

extension MapPoint {
  /// For ordering: the larger are drawn over the smaller.
  var magnitudeOrLeast: Double {
    if let magnitude, !magnitude.isNaN { magnitude } else { -.infinity }
  }
}
