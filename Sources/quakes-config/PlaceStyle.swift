/// Where an earthquake was, in words.
public enum PlaceStyle: String, CaseIterable, Sendable {
  /// The service's text.
  case service
  /// From the nearest city, if one is known.
  case nearest
  /// The Flinn–Engdahl region, if it is known.
  case region
}
