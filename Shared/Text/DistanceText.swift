import Foundation

/// Parses distances.
public enum DistanceText {
  /// Some of the forms, for error messages.
  public static let examples = "500km, \"300 miles\" or 3deg"

  private static let sizes = [
    "": 1, "km": 1, "kms": 1, "kilometer": 1, "kilometers": 1, "kilometre": 1, "kilometres": 1,
    "mi": DisplayStyle.kilometersPerMile, "mile": DisplayStyle.kilometersPerMile,
    "miles": DisplayStyle.kilometersPerMile,
    "deg": degree, "degs": degree, "degree": degree, "degrees": degree, "°": degree,
  ]

  /// The kilometers of a degree of a great circle.
  private static let degree = GreatCircle.radius * .pi / 180

  /// Kilometers of a distance as users type it: `500km`, `300 miles`, `3deg` or `500`.
  ///
  /// - Returns: nil for anything else.
  public static func kilometers(_ text: String) -> Double? {
    let unit = String(text.reversed().prefix { $0.isLetter || $0 == "°" || $0 == " " }.reversed())
    let name = unit.trimmingCharacters(in: .whitespaces).lowercased()
    let digits = text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
    guard let size = sizes[name], let number = Double(digits), number >= 0, number.isFinite else { return nil }
    return number * size
  }
}
