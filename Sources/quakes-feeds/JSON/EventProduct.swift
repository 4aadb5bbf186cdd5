import StrataQuakes

/// A product in a detail document of the USGS, with values that the event itself may lack:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson_detail.php
enum EventProduct: CaseIterable, Sendable {
  case origin, feltReports, shakeMap, lossEstimate

  static let ofType = JSONKeyTable<EventProduct>([
    ("origin", .origin), ("phase-data", .origin), ("dyfi", .feltReports), ("shakemap", .shakeMap),
    ("losspager", .lossEstimate),
  ])

  /// The properties that are read.
  static let propertyNames = JSONKeyTable<String>(
    (allCases.flatMap(\.properties).map(\.name) + [programVersion]).map { ($0, $0) })

  private var properties: [(name: String, field: QuakeField)] {
    switch self {
    case .origin:
      [
        ("horizontal-error", .horizontalError), ("vertical-error", .depthError), ("magnitude-error", .magnitudeError),
        ("magnitude-num-stations-used", .magnitudeStations), ("origin-source", .locationSource),
        ("magnitude-source", .magnitudeSource),
      ]
    case .feltReports: [("num-responses", .felt), ("numResp", .felt), ("maxmmi", .cdi)]
    case .shakeMap: [("maxmmi", .mmi), ("maxpga", .peakAcceleration), ("maxpgv", .peakVelocity)]
    case .lossEstimate: [("alertlevel", .alert)]
    }
  }

  /// Sets the fields of a draft that neither the event nor an earlier product has set.
  func fill(_ draft: inout EventDraft, from record: EventRecord) {
    for (name, field) in properties where !draft.event.presentFields.contains(field) {
      guard let found = record.values[name], Self.isInUnit(field, version: record.text(Self.programVersion)) else {
        continue
      }
      draft.take(field, found.value, at: found.position)
    }
  }

  private static let programVersion = "shakemap-code-version"

  /// Whether a program of this version writes the field in the unit that we store. ShakeMap wrote percent of g up to
  /// version 3, and the logarithm of the acceleration before 4.0.2, of the velocity before 4.1:
  /// https://code.usgs.gov/ghsc/esi/shakemap
  private static func isInUnit(_ field: QuakeField, version: String) -> Bool {
    let digits = version.drop { $0 == "v" }.prefix { $0.isNumber || $0 == "." }
    let numbers = digits.split(separator: ".").compactMap { Int($0) }
    return switch field {
    case .peakAcceleration: !numbers.lexicographicallyPrecedes([4, 0, 2])
    case .peakVelocity: !numbers.lexicographicallyPrecedes([4, 1])
    default: true
    }
  }
}
