/// Where an earthquake was, in words.
public enum PlaceStyle: String, CaseIterable, Sendable {
  /// As its service says.
  case service
  /// From the nearest city, if one is known.
  case nearest
  /// The Flinn–Engdahl region, if it is known.
  case region
}
