/// The parts of a title: `M 4.6 - 10km N of Cobb, California` or `M 1.8 Ice Quake - Alaska` of the USGS, where `M ?` is an
/// unknown magnitude; or `2018-10-01 13:19:56 UTC -  Magnitude(ML) 1.7  -  3 km SE Amatrice (RI)` of the INGV.
struct EventTitle {
  /// Empty if the magnitude is unknown.
  var magnitude: String
  var magnitudeType: String?
  /// nil for an earthquake.
  var type: String?
  var place: String

  /// - Returns: nil if the title is in none of these forms.
  init?(_ title: String) {
    if title.hasPrefix("M "), let dash = Self.dash(in: title[...]) {
      let words = title[..<dash.lowerBound].split(separator: " ")
      guard words.count > 1 else { return nil }
      magnitude = words[1] == "?" ? "" : String(words[1])
      if words.count > 2 { type = words[2...].joined(separator: " ") }
      place = Self.trimmed(title[dash.upperBound...])
      return
    }
    guard let first = Self.dash(in: title[...]), let second = Self.dash(in: title[first.upperBound...]) else {
      return nil
    }
    let middle = Self.trimmed(title[first.upperBound..<second.lowerBound])
    guard middle.hasPrefix("Magnitude("), let close = middle.firstIndex(of: ")") else { return nil }
    magnitudeType = String(middle[..<close].dropFirst("Magnitude(".count))
    magnitude = Self.trimmed(middle[middle.index(after: close)...])
    place = Self.trimmed(title[second.upperBound...])
  }

  private static func dash(in text: Substring) -> Range<Substring.Index>? {
    text.firstRange(of: " - ")
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
