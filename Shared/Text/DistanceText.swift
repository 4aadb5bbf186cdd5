/// Parses distances.
public enum DistanceText {
  /// Kilometers of a distance as users type it: `500km`, `300mi` or `500`.
  ///
  /// - Returns: nil for anything else.
  public static func kilometers(_ text: String) -> Double? {
    let units: [(String, Double)] = [("km", 1), ("mi", DisplayStyle.kilometersPerMile), ("", 1)]
    for (unit, size) in units where text.lowercased().hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number >= 0, number.isFinite else { return nil }
      return number * size
    }
    return nil
  }
}
