extension StoredField {
  /// The possible magnitudes: from ruptures of a hand's breadth to one around the globe.
  private static let magnitudes = -5.0...11.0
  /// Kilometers: from the highest stations to well below the deepest earthquakes (about 750).
  private static let depths = -10.0...1000.0
  /// Kilometers, up to half the circumference of the Earth.
  private static let distances = 0.0...20_004
  private static let latitudes = -90.0...90.0
  /// Positions across the date line are written up to 360.
  private static let longitudes = -360.0...360.0

  /// The table of all fields, in no particular order.
  static let table = origin + magnitude + uncertainties + quality + effects + texts + sources + standing

  private static let origin = [
    StoredField(
      .identifier, .text, .text({ $0.identifier }, { $0.identifier = $1 }), "id", displayName: "id",
      usgs: USGSName("id", column: 12)),
    StoredField(
      .time, .date, .date({ $0.time }, { $0.time = $1 }), "time", usgs: USGSName("time", column: 1),
      quakeML: .origin("time", "value")),
    StoredField(
      .updated, .date, .date({ $0.updated }, { $0.updated = $1 }), "updated", isHiddenInHistory: true,
      usgs: USGSName("updated", column: 13)),
    StoredField(
      .longitude, .number, .scalar({ $0.longitude }, { $0.longitude = $1 }), "longitude", in: longitudes,
      usgs: USGSName("longitude", column: 3), quakeML: .origin("longitude", "value")),
    StoredField(
      .latitude, .number, .scalar({ $0.latitude }, { $0.latitude = $1 }), "latitude", in: latitudes,
      usgs: USGSName("latitude", column: 2), quakeML: .origin("latitude", "value")),
    StoredField(
      .depth, .number, .number({ $0.depth }, { $0.depth = $1 }), "depth_km", in: depths,
      usgs: USGSName("depth", column: 4), quakeML: .origin("depth", "value", isInMeters: true)),
  ]

  private static let magnitude = [
    StoredField(
      .magnitude, .number, .number({ $0.magnitude }, { $0.magnitude = $1 }), "magnitude", in: magnitudes,
      usgs: USGSName("mag", column: 5), quakeML: .magnitude("mag", "value")),
    StoredField(
      .magnitudeType, .text, .text({ $0.magnitudeType }, { $0.magnitudeType = $1 }), "magnitude_type",
      displayName: "magnitude type", usgs: USGSName("magType", column: 6), quakeML: .magnitude("type")),
  ]

  private static let uncertainties = [
    StoredField(
      .horizontalError, .number, .number({ $0.horizontalError }, { $0.horizontalError = $1 }), "horizontal_error_km",
      displayName: "horizontal error", isHiddenInHistory: true, in: distances,
      usgs: USGSName("horizontalError", column: 16, isInSummary: false),
      quakeML: .origin("originUncertainty", "horizontalUncertainty", isInMeters: true)),
    StoredField(
      .depthError, .number, .number({ $0.depthError }, { $0.depthError = $1 }), "depth_error_km",
      displayName: "depth error", isHiddenInHistory: true, in: distances,
      usgs: USGSName("depthError", column: 17, isInSummary: false),
      quakeML: .origin("depth", "uncertainty", isInMeters: true)),
    StoredField(
      .magnitudeError, .number, .number({ $0.magnitudeError }, { $0.magnitudeError = $1 }), "magnitude_error",
      displayName: "magnitude error", isHiddenInHistory: true, in: 0...11,
      usgs: USGSName("magError", column: 18, isInSummary: false), quakeML: .magnitude("mag", "uncertainty")),
    StoredField(
      .magnitudeStations, .integer, .number({ $0.magnitudeStations }, { $0.magnitudeStations = $1 }),
      "magnitude_stations", displayName: "stations of the magnitude", isHiddenInHistory: true,
      usgs: USGSName("magNst", column: 19, isInSummary: false), quakeML: .magnitude("stationCount")),
  ]

  private static let quality = [
    StoredField(
      .nst, .integer, .number({ $0.nst }, { $0.nst = $1 }), "stations", displayName: "stations",
      isHiddenInHistory: true,
      usgs: USGSName("nst", column: 7), quakeML: .origin("quality", "usedStationCount")),
    StoredField(
      .dmin, .number, .number({ $0.dmin }, { $0.dmin = $1 }), "nearest_station_degrees", displayName: "nearest station",
      isHiddenInHistory: true, usgs: USGSName("dmin", column: 9), quakeML: .origin("quality", "minimumDistance")),
    StoredField(
      .gap, .number, .number({ $0.gap }, { $0.gap = $1 }), "gap_degrees", isHiddenInHistory: true,
      usgs: USGSName("gap", column: 8), quakeML: .origin("quality", "azimuthalGap")),
    StoredField(
      .rms, .number, .number({ $0.rms }, { $0.rms = $1 }), "residual_seconds", displayName: "residual",
      isHiddenInHistory: true,
      usgs: USGSName("rms", column: 10), quakeML: .origin("quality", "standardError")),
  ]

  private static let effects = [
    StoredField(
      .tsunami, .integer, .number({ $0.tsunami }, { $0.tsunami = $1 }), "tsunami_flag", displayName: "tsunami flag",
      usgs: USGSName("tsunami", column: 27)),
    StoredField(
      .significance, .integer, .number({ $0.significance }, { $0.significance = $1 }), "significance",
      isHiddenInHistory: true, usgs: USGSName("sig", column: 28)),
    StoredField(
      .felt, .integer, .number({ $0.felt }, { $0.felt = $1 }), "felt_reports", displayName: "felt by",
      usgs: USGSName("felt", column: 23)),
    StoredField(
      .cdi, .number, .number({ $0.cdi }, { $0.cdi = $1 }), "reported_intensity", displayName: "reported intensity",
      usgs: USGSName("cdi", column: 24)),
    StoredField(
      .mmi, .number, .number({ $0.mmi }, { $0.mmi = $1 }), "computed_intensity", displayName: "computed intensity",
      usgs: USGSName("mmi", column: 25)),
    StoredField(
      .peakAcceleration, .number, .number({ $0.peakAcceleration }, { $0.peakAcceleration = $1 }),
      "peak_acceleration_g", displayName: "peak acceleration", isHiddenInHistory: true, in: 0...10,
      usgs: USGSName("maxpga", column: 30, isInSummary: false)),
    StoredField(
      .peakVelocity, .number, .number({ $0.peakVelocity }, { $0.peakVelocity = $1 }), "peak_velocity_cm_s",
      displayName: "peak velocity", isHiddenInHistory: true, in: 0...10_000,
      usgs: USGSName("maxpgv", column: 31, isInSummary: false)),
    StoredField(
      .alert, .text, .text({ $0.alert }, { $0.alert = $1 }), "alert", usgs: USGSName("alert", column: 26)),
    StoredField(
      .types, .list, .text({ $0.types }, { $0.types = $1 }), "products", displayName: "products",
      isHiddenInHistory: true,
      usgs: USGSName("types", column: 29)),
  ]

  private static let texts = [
    StoredField(.place, .text, .text({ $0.place }, { $0.place = $1 }), "place", usgs: USGSName("place", column: 14)),
    StoredField(
      .title, .text, .text({ $0.title }, { $0.title = $1 }), "title", isHiddenInHistory: true, usgs: USGSName("title")),
    StoredField(.type, .text, .text({ $0.type }, { $0.type = $1 }), "type", usgs: USGSName("type", column: 15)),
    StoredField(
      .status, .text, .text({ $0.status }, { $0.status = $1 }), "status", usgs: USGSName("status", column: 20)),
    StoredField(.url, .text, .text({ $0.url }, { $0.url = $1 }), "url", isHiddenInHistory: true, usgs: USGSName("url")),
    StoredField(
      .detail, .text, .text({ $0.detail }, { $0.detail = $1 }), nil, isHiddenInHistory: true, usgs: USGSName("detail")),
  ]

  private static let sources = [
    StoredField(
      .locationSource, .text, .text({ $0.locationSource }, { $0.locationSource = $1 }), "location_source",
      displayName: "source of the location", isHiddenInHistory: true,
      usgs: USGSName("locationSource", column: 21, isInSummary: false),
      quakeML: .origin("creationInfo", "agencyID")),
    StoredField(
      .magnitudeSource, .text, .text({ $0.magnitudeSource }, { $0.magnitudeSource = $1 }), "magnitude_source",
      displayName: "source of the magnitude", isHiddenInHistory: true,
      usgs: USGSName("magSource", column: 22, isInSummary: false),
      quakeML: .magnitude("creationInfo", "agencyID")),
    StoredField(
      .network, .text, .text({ $0.network }, { $0.network = $1 }), "network", isHiddenInHistory: true,
      usgs: USGSName("net", column: 11)),
    StoredField(
      .code, .text, .text({ $0.code }, { $0.code = $1 }), nil, isHiddenInHistory: true, usgs: USGSName("code")),
    StoredField(
      .ids, .list, .text({ $0.ids }, { $0.ids = $1 }), "aliases", isHiddenInHistory: true, usgs: USGSName("ids")),
    StoredField(
      .sources, .list, .text({ $0.sources }, { $0.sources = $1 }), nil, isHiddenInHistory: true,
      usgs: USGSName("sources")),
  ]

  /// The store's own.
  private static let standing = [
    StoredField(
      .standing, .integer, .scalar({ Double($0.standing) }, { $0.standing = Int16(exactly: $1) ?? 0 }), "standing",
      isHiddenInHistory: true),
    StoredField(
      .standingReason, .text, .text({ $0.standingReason }, { $0.standingReason = $1 }), "standing_reason",
      isHiddenInHistory: true),
    StoredField(
      .firstSeen, .date, .date({ $0.firstSeen }, { $0.firstSeen = $1 }), "first_seen", displayName: "first seen",
      isHiddenInHistory: true),
  ]
}
