/// The members of a feature that are kept, from any of its objects.
enum FeatureField: Sendable {
  case alert, cdi, code, coordinates, depth, detail, dmin, felt, gap, geometry, id, ids, latitude, longitude, mag
  case magType, mmi, net, nst, place, properties, rms, sig, sources, status, time, title, tsunami, type, types, updated
  case url

  /// Members of the feature itself.
  static let ofFeature = JSONKeyTable<FeatureField>([
    ("id", .id), ("properties", .properties), ("geometry", .geometry),
  ])

  /// Members of `properties`.
  static let ofProperties = JSONKeyTable<FeatureField>([
    ("alert", .alert), ("cdi", .cdi), ("code", .code), ("detail", .detail), ("dmin", .dmin), ("felt", .felt),
    ("gap", .gap), ("ids", .ids), ("mag", .mag), ("magType", .magType), ("mmi", .mmi), ("net", .net), ("nst", .nst),
    ("place", .place), ("rms", .rms), ("sig", .sig), ("sources", .sources), ("status", .status), ("time", .time),
    ("title", .title), ("tsunami", .tsunami), ("type", .type), ("types", .types), ("updated", .updated), ("url", .url),
  ])

  /// Members of `geometry`.
  static let ofGeometry = JSONKeyTable<FeatureField>([("coordinates", .coordinates)])
}
