import Foundation

/// Parses positions as users type them.
public enum PositionText {
  /// Two numbers of degrees: `35.7,139.7`, `35.7 139.7`, `35.7N,139.7E` or `N35.7 E139.7`. Without letters, the latitude comes
  /// first.
  ///
  /// - Returns: nil for anything else; the numbers may be of no position, such as a latitude of 95.
  public static func numbers(_ text: String) -> (latitude: Double, longitude: Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let words = parts.count == 1 ? text.split(separator: " ") : parts
    guard words.count == 2, let first = Degrees(words[0]), let second = Degrees(words[1]) else { return nil }
    if first.isLongitude == true || second.isLongitude == false {
      guard first.isLongitude != false, second.isLongitude != true else { return nil }
      return (second.number, first.number)
    }
    return (first.number, second.number)
  }

  /// - Returns: nil for anything else, and for numbers beyond the poles or more than once around the Earth.
  public static func position(_ text: String) -> (latitude: Double, longitude: Double)? {
    guard let (latitude, longitude) = numbers(text), abs(latitude) <= 90, abs(longitude) <= 360 else { return nil }
    return (latitude, longitude)
  }

  /// A number of degrees, with or without the letter of a direction before or after it.
  private struct Degrees {
    let number: Double
    /// nil without a letter.
    let isLongitude: Bool?

    init?(_ word: Substring) {
      let word = word.trimmingCharacters(in: .whitespaces).uppercased()
      let letter = word.first { "NSEW".contains($0) }
      let digits = word.filter { !"NSEW°".contains($0) }.trimmingCharacters(in: .whitespaces)
      // A letter is at one end, and a number with one has no sign.
      guard let number = Double(digits), number.isFinite, word.count(where: { "NSEW".contains($0) }) <= 1,
        letter == nil || (number.sign == .plus && (word.first == letter || word.last == letter))
      else { return nil }
      self.number = letter == "S" || letter == "W" ? -number : number
      isLongitude = letter.map { "EW".contains($0) }
    }
  }
}
